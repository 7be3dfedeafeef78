// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"fmt"
	"time"

	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/series"
)

// ReasonTooManyEvents is the reason of the Event that counts what [WithObjectLimit] folds.
const ReasonTooManyEvents = series.OverflowReason

// WithObjectLimit limits how many different Events one object gets: a burst of them, and
// then one more in each interval. What goes beyond, whatever its reason, action, related
// object, note and field path, is counted in one Event about that object with the reason
// [ReasonTooManyEvents], for each type, reporting controller and instance. Repeats of what has an Event
// are never limited. Nothing is dropped: [Stats] counts what was folded as Folded, and
// watchers get it as it was recorded. An object is what has the same group, kind,
// namespace, name and UID; all recorders of the broadcaster share its limit. A selector sees
// what is folded twice: as it was recorded, and with the reason under which it is counted.
//
// It protects the cluster from a component with something random in its reasons or field
// paths. Both values must be more than 0. The default is no limit.
func WithObjectLimit(burst int, interval time.Duration) Option {
	return set(func(c *config) { c.limit = limit{burst, interval} }, "WithObjectLimit", burst, interval)
}

// limit is a burst, and one more in each interval. The zero value is none.
type limit struct {
	burst    int
	interval time.Duration
}

// String is as the arguments of an option are written in code.
func (l limit) String() string { return fmt.Sprintf("%d, %v", l.burst, l.interval) }

// check reports an invalid limit, and makes it none.
func (l *limit) check(p *problems) {
	if *l != (limit{}) && (l.burst <= 0 || l.interval <= 0) {
		p.add("WithObjectLimit(%v), want a burst and an interval of more than 0, or 0 for both for none", *l)
		*l = limit{}
	}
}

// logFolded logs what is counted in an overflow series, whose own Event cannot name all.
func (r *Recorder) logFolded(c *call) {
	r.b.log.Do(ReasonTooManyEvents, "", time.Minute, func() {
		r.logger.Error(nil, "An object has too many different Events; further ones are only counted, in one Event. "+
			"Find what varies in their reason, action, related object, note or field path", "advice", "object-limit",
			"limit", r.b.config.limit.String(), "object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name),
			"kind", c.Regarding.Kind, "reason", c.Reason, "action", c.Action, "fieldPath", c.Regarding.FieldPath)
	})
}
