// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/timing"
)

// ReasonTooManyEvents is the reason of the Event that counts the occurrences beyond the limit of
// [WithMaxSeriesPerObject].
const ReasonTooManyEvents = series.OverflowReason

// WithMaxSeriesPerObject limits the number of series that one object may have at a time. It
// protects the cluster from a component that puts random text into its reasons, actions or field
// paths. The default is 100. The maximum is 65535, which is practically no limit. If you use the
// policy [NotesDistinct], set the limit above the n of the policy, because each different note has
// its own series.
//
// An occurrence beyond the limit is not dropped. Whatever its reason, action, note and field path
// are, it is counted in an Event about the same object with the reason [ReasonTooManyEvents]. There
// is one such Event for each type, reporting controller and reporting instance. While the object
// has such an Event, every occurrence that would start a new series is counted in that Event.
// Occurrences of existing series are not affected. [Stats.Overflowed] is the number of occurrences
// beyond the limit. Watchers receive these occurrences as they were recorded.
//
// A series that has had no occurrence for the finish interval ends, and no longer counts against
// the limit. Series with a related object neither count against the limit nor are limited, because
// a component may legitimately record one Event for each related object.
//
// All recorders of a broadcaster share the limit. Two references are to the same object if they
// have the same group, kind, namespace, name and UID. The broadcaster counts by a hash, so two
// different objects share one limit with a probability of 1 in 32768.
//
// If [Broadcaster.SetSelector] has set a selector, an occurrence beyond the limit is dropped unless
// the selector matches it twice: as it was recorded, and with the reason [ReasonTooManyEvents].
func WithMaxSeriesPerObject(n int) Option {
	return set(func(c *options.Config) { c.MaxSeriesPerObject = n }, "WithMaxSeriesPerObject", n)
}

// logOverflowed logs an occurrence beyond the limit of its object, at most once a minute. The log
// line is necessary because the Event that counts the occurrence does not contain the reason, the
// action and the note of the occurrence.
func (r *Recorder) logOverflowed(c *call) {
	r.b.engine.Log().Do(ReasonTooManyEvents, "", timing.LogEvery, func() {
		r.logger.Error(nil, "An object has too many different Events; further ones are only counted, in one Event. "+
			"Find what varies in their reason, action, note or field path", "advice", "object-limit",
			"limit", r.b.engine.Config().MaxSeriesPerObject,
			"object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name),
			"kind", c.Regarding.Kind, "reason", c.Reason, "action", c.Action, "fieldPath", c.Regarding.FieldPath)
	})
}
