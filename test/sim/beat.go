// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"time"
)

// beat is something that goes on while other things happen: the same occurrence
// again and again, as a loop in a component makes it.
type beat struct {
	slot, object, happening int
	how                     style
	every                   time.Duration
	due                     time.Time
	left                    int
}

// beginBeat is the step.
func (w *world) beginBeat(args []int) {
	every := time.Duration(max(args[3], 1)) * time.Second
	w.beats = append(w.beats, &beat{
		slot: args[0] % len(w.slots), object: args[1], left: args[2], every: every,
		due: time.Now().Add(every), happening: args[4], how: style(args[5]),
	})
}

// nextBeat is the one that is due first.
func (w *world) nextBeat() *beat {
	w.beats = slices.DeleteFunc(w.beats, func(b *beat) bool { return b.left <= 0 })
	if len(w.beats) == 0 {
		return nil
	}
	return slices.MinFunc(w.beats, func(a, b *beat) int { return a.due.Compare(b.due) })
}

// beatOnce records one occurrence. The next one is a little late, so that no two
// beats stay in step.
func (w *world) beatOnce(b *beat) {
	b.left--
	if w.slots[b.slot].over {
		b.left = 0
	}
	b.due = time.Now().Add(b.every + time.Microsecond)
	w.record(w.slots[b.slot], b.object, b.happening, b.how)
	w.count(b.how, 1)
}
