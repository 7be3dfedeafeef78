// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/timing"
)

// ReasonTooManyEvents is the reason of the Event in which the occurrences beyond the limit of
// [WithMaxSeriesPerObject] are counted.
const ReasonTooManyEvents = series.OverflowReason

// WithMaxSeriesPerObject limits the number of series that one object may have at a time. It
// protects the cluster from a component that puts a random text into its reasons, actions or field
// paths. The default is 100. The highest limit is 65535, which is as good as none. If you use
// [NotesDistinct], set the limit above its n, because each different note has a series of its own.
//
// An occurrence beyond the limit is not dropped. It is counted in an Event about the same object
// with the reason [ReasonTooManyEvents], whatever its own reason, action, note and field path are.
// There is one such Event for each type, reporting controller and reporting instance. While the
// object has one, every occurrence that would begin a new series is counted there. Occurrences of
// the series that the object already has are not affected. [Stats.Overflowed] has the number of
// occurrences beyond the limit. Watchers get them as they were recorded.
//
// A series ends after the finish interval without an occurrence, and then no longer counts against
// the limit. Series with a related object neither count against the limit nor are limited, because
// a component may well record one Event for each related object.
//
// All recorders of a broadcaster share the limit. Two references are to the same object if they
// agree in group, kind, namespace, name and UID. Two different objects share one limit with a
// probability of 1 in 32768, because the broadcaster counts by a hash.
//
// If [Broadcaster.SetSelector] has set a selector, it must select an occurrence beyond the limit
// twice, otherwise the occurrence is dropped: as it was recorded, and with the reason under which
// it is counted.
func WithMaxSeriesPerObject(n int) Option {
	return set(func(c *options.Config) { c.MaxSeriesPerObject = n }, "WithMaxSeriesPerObject", n)
}

// logOverflowed logs an occurrence beyond the limit of its object, once a minute, because the Event
// in which it is counted does not have its texts.
func (r *Recorder) logOverflowed(c *call) {
	r.b.engine.Log().Do(ReasonTooManyEvents, "", timing.LogEvery, func() {
		r.logger.Error(nil, "An object has too many different Events; further ones are only counted, in one Event. "+
			"Find what varies in their reason, action, note or field path", "advice", "object-limit",
			"limit", r.b.engine.Config().MaxSeriesPerObject,
			"object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name),
			"kind", c.Regarding.Kind, "reason", c.Reason, "action", c.Action, "fieldPath", c.Regarding.FieldPath)
	})
}
