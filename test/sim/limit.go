// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/events"
)

// madeUpReason returns a reason that no other occurrence has.
func (w *world) madeUpReason() string { return fmt.Sprintf("Reason%d", w.emitted) }

// partOf returns a reference to a part of an object that no other occurrence has.
func (w *world) partOf(object int) *corev1.ObjectReference {
	ref := w.reference(object)
	ref.Kind, ref.FieldPath = kindOf(ref), fmt.Sprintf("spec.containers{c%d}", w.emitted)
	return ref
}

// created has the Events that a component has sent for one object.
type created struct {
	// known has the series of these Events.
	known map[string]bool
	// own has the time at which the newest Event of each key began.
	own map[string]time.Time
	// overflow has the number of Events of overflow series by type.
	overflow map[string]int
}

// checkLimit checks that no object gets more Events than the limit of the component allows. Events
// with a related object do not count. A series lives for at least the finish interval, so all
// series that began within one finish interval exist at its end. The number of overflow series is
// limited by the time since the component began.
func (w *world) checkLimit(c *component, r *request) {
	event := r.about()
	if c.config.Limit == 0 || r.verb != "create" || r.legacy || event == nil || event.Related != nil {
		return
	}
	uid := event.InvolvedObject.UID
	if c.created[uid] == nil {
		c.created[uid] = &created{known: map[string]bool{}, own: map[string]time.Time{}, overflow: map[string]int{}}
	}
	of := c.created[uid]
	series := r.name
	// With shared counts, a series may try several names.
	if c.config.SharedCounts {
		series = fmt.Sprint(event.EventTime, event.Type, event.Reason, event.InvolvedObject.FieldPath)
	}
	if of.known[series] {
		return
	}
	of.known[series] = true
	// If a series is evicted, another one of the object may begin.
	if c.config.MaxSeries > 0 {
		return
	}
	// A series that the server refuses is replaced at its next try, if the server may have more
	// than is recorded.
	lives := 1 + int(time.Since(c.began)/min(c.config.finish(), c.config.retryAfterRefusal()))
	if event.Reason != events.ReasonTooManyEvents {
		key := fmt.Sprint(event.Type, event.Reason, event.Action, event.InvolvedObject.FieldPath)
		most := c.config.Limit
		// Each note has a series of its own. A series that replaces a refused one may have another
		// note.
		if notes := c.config.Notes; notes != events.NotesFirst && notes != events.NotesLatest {
			key += event.Message
			most *= 1 + int(c.config.finish()/c.config.retryAfterRefusal())
		}
		began, alive := event.EventTime.Time, 0
		of.own[key] = began
		for _, other := range of.own {
			if age := began.Sub(other); age >= 0 && age < c.config.finish() {
				alive++
			}
		}
		if alive > most {
			w.fail("limit: %s has %d Events about %s at a time, at most %d: %s", c.name, alive, uid, most, r)
		}
		return
	}
	of.overflow[event.Type]++
	if n := of.overflow[event.Type]; n > lives {
		w.fail("limit: %s sends %d Events that count the others about %s, at most %d: %s", c.name, n, uid, lives, r)
	}
}

// checkOverflowed compares Stats.Overflowed with the occurrences of overflow series that were
// acknowledged or dropped.
func (w *world) checkOverflowed(c *component, s *events.Stats) {
	b := c.counts
	known := b.ackedOverflowed + b.droppedOverflowed()
	if most := known + s.Pending + dropped(s.Dropped); s.Overflowed < known || s.Overflowed > most || s.Overflowed > 0 && c.config.Limit == 0 {
		w.fail("limit: %s has overflowed %d, want %d to %d of a limit of %d", c.name, s.Overflowed, known, most, c.config.Limit)
	}
}

// bucketOf returns the bucket of an occurrence. With a limit per object the bucket has no reason,
// because the occurrence may be counted in an overflow series, which has another reason.
func (b *counts) bucketOf(regarding *corev1.ObjectReference, eventType, reason string) bucket {
	if b.limited {
		reason = ""
	}
	return bucketOf(regarding, eventType, reason)
}

func (b *counts) droppedOverflowed() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.overflowedDrops
}

// objects has the Events of a component by the UID of the object.
type objects = map[types.UID]*created
