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
	if s.Dropped[events.DropUnselected] != c.counts.unselected && !c.ending {
		w.fail("%s has not selected %d, want %d by its selectors",
			c.name, s.Dropped[events.DropUnselected], c.counts.unselected)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
		if n := s.Dropped[reason]; n > 0 && !w.isAllowedDrop(c, reason, n) {
			w.fail("%s dropped %d as %s, which is not allowed", c.name, n, reason)
		}
	}
}

// mayDrop has a function for each reason that scripts can cause. It reports whether a component may
// have dropped n occurrences for that reason. Runs of some hundred seeds cause all of these
// reasons.
var mayDrop = map[events.DropReason]func(w *world, c *component, n int64) bool{
	events.DropInvalid:       func(_ *world, c *component, n int64) bool { return n <= c.counts.emitted[invalid] },
	events.DropStopped:       func(_ *world, c *component, _ int64) bool { return c.ending },
	events.DropAbandoned:     func(_ *world, c *component, _ int64) bool { return c.ending },
	events.DropCacheFull:     func(_ *world, c *component, _ int64) bool { return c.config.MaxSeries > 0 },
	events.DropRejected:      func(w *world, c *component, _ int64) bool { return w.rejected[c.name] },
	events.DropNamespaceGone: func(w *world, _ *component, _ int64) bool { return w.inactive },
	events.DropTooOld: func(w *world, c *component, _ int64) bool {
		return time.Since(w.began) >= c.retryFor()
	},
	events.DropFiltered: func(_ *world, c *component, _ int64) bool {
		return c.config.Filtered || c.config.Shape == viaLegacy
	},
	events.DropSpamFilter: func(_ *world, c *component, _ int64) bool { return c.mayUseLegacy() },
	events.DropQueueFull:  func(_ *world, c *component, _ int64) bool { return c.mayUseLegacy() },
	events.DropUnselected: func(_ *world, c *component, n int64) bool { return n <= c.counts.unselected },
}

func (w *world) isAllowedDrop(c *component, reason events.DropReason, n int64) bool {
	may := mayDrop[reason]
	return may != nil && may(w, c, n)
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
			// It is the page of a proxy.
			return true
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
