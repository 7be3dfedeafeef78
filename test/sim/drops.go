// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
)

// checkAllowedDrops checks that nothing is dropped for a reason that cannot apply.
func (w *world) checkAllowedDrops(c *component, s *events.Stats) {
	if s.Dropped[events.DropMuted] != c.counts.muted && !c.ending {
		w.fail("%s has muted %d, want %d by its selectors", c.name, s.Dropped[events.DropMuted], c.counts.muted)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
		if n := s.Dropped[reason]; n > 0 && !w.isAllowedDrop(c, reason, n) {
			w.fail("%s dropped %d as %s, which is not allowed", c.name, n, reason)
		}
	}
}

func (w *world) isAllowedDrop(c *component, reason events.DropReason, n int64) bool {
	switch reason {
	case events.DropInvalid:
		return n <= c.counts.emitted[invalid]
	case events.DropStopped, events.DropAbandoned:
		return c.ending
	case events.DropCacheFull:
		return c.config.MaxSeries > 0
	case events.DropRejected:
		return w.rejected[c.name]
	case events.DropNamespaceGone:
		return w.inactive
	case events.DropTooOld:
		return time.Since(w.began) >= c.retryFor()
	case events.DropFiltered:
		return c.config.Filtered || c.config.Shape == viaLegacy
	case events.DropSpamFilter, events.DropQueueFull:
		return c.mayUseLegacy()
	case events.DropMuted:
		return n <= c.counts.muted
	}
	return false
}

// contradicts reports whether err does not justify a drop for that reason.
func contradicts(reason events.DropReason, err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code, details := status.Status().Code, status.Status().Details
	switch reason {
	case events.DropRejected:
		if apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse) {
			return true // the page of a proxy
		}
		// RBAC may still grant the permission. The refusal of a webhook is final.
		return code != 400 && code != 422 && (code != 403 || !strings.Contains(err.Error(), "webhook"))
	case events.DropNamespaceGone:
		return !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) &&
			(code != 404 || details == nil || details.Kind != "namespaces")
	case events.DropTooOld, events.DropAbandoned:
		return false
	default:
		return true
	}
}
