// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/timing"
)

// ReasonTooManyEvents is the reason of the Event that counts what is beyond [WithMaxSeriesPerObject].
const ReasonTooManyEvents = series.OverflowReason

// WithMaxSeriesPerObject limits how many different Events one object has at a time: 100 by
// default, and 65535 at most, which is as good as no limit. An Event counts until its series
// ends, the finish interval after its last occurrence. Events with a related object are
// neither counted nor limited, since there are as many as related objects. What goes beyond,
// whatever its reason, action, note and field path, is counted in one Event about that object
// with the reason [ReasonTooManyEvents], for each type, reporting controller and instance.
// While the object has such an Event, every further new Event is counted there. Repeats of
// what has an Event are never limited. Nothing is dropped: [Stats] counts what overflowed as
// Overflowed, and watchers get it as it was recorded. An object is what has the same group, kind,
// namespace, name and UID; all recorders of the broadcaster share its limit. Two objects
// share one limit with odds of 1 in 32768. A selector sees what overflows twice: as it was
// recorded, and with the reason under which it is counted.
//
// It protects the cluster from a component with something random in its reasons or field
// paths. Raise it above the n of NotesDistinct, whose notes have an Event each.
func WithMaxSeriesPerObject(n int) Option {
	return set(func(c *options.Config) { c.MaxSeriesPerObject = n }, "WithMaxSeriesPerObject", n)
}

// logOverflowed logs what is counted in an overflow series, whose own Event cannot name all.
func (r *Recorder) logOverflowed(c *call) {
	r.b.engine.Log().Do(ReasonTooManyEvents, "", timing.LogEvery, func() {
		r.logger.Error(nil, "An object has too many different Events; further ones are only counted, in one Event. "+
			"Find what varies in their reason, action, note or field path", "advice", "object-limit",
			"limit", r.b.engine.Config().MaxSeriesPerObject,
			"object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name),
			"kind", c.Regarding.Kind, "reason", c.Reason, "action", c.Action, "fieldPath", c.Regarding.FieldPath)
	})
}
