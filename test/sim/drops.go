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
	if s.Dropped[events.Muted] != c.counts.muted && !c.ending {
		w.fail("%s has muted %d, want %d by its selectors", c.name, s.Dropped[events.Muted], c.counts.muted)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
		if n := s.Dropped[reason]; n > 0 && !w.isAllowedDrop(c, reason, n) {
			w.fail("%s dropped %d as %s, which is not allowed", c.name, n, reason)
		}
	}
}

func (w *world) isAllowedDrop(c *component, reason events.DropReason, n int64) bool {
	switch reason {
	case events.Invalid:
		return n <= c.counts.emitted[invalid]
	case events.Stopped, events.Abandoned:
		return c.ending
	case events.CacheFull:
		return c.config.MaxSeries > 0
	case events.Rejected:
		return w.rejected[c.name]
	case events.NamespaceGone:
		return w.inactive
	case events.TooOld:
		return time.Since(w.began) >= c.retryFor()
	case events.Filtered:
		return c.config.Filtered || c.config.Shape == viaLegacy
	case events.SpamFilter, events.QueueFull:
		return c.mayUseLegacy()
	case events.Muted:
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
	case events.Rejected:
		if apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse) {
			return true // the page of a proxy
		}
		// RBAC may still grant the permission. The refusal of a webhook is final.
		return code != 400 && code != 422 && (code != 403 || !strings.Contains(err.Error(), "webhook"))
	case events.NamespaceGone:
		return !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) &&
			(code != 404 || details == nil || details.Kind != "namespaces")
	case events.TooOld, events.Abandoned:
		return false
	default:
		return true
	}
}
