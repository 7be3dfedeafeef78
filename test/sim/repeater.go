// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"time"
)

// repeater records the same occurrence again and again while other steps run, as a loop in a component does.
type repeater struct {
	slot, object, happening int
	how                     style
	every                   time.Duration
	due                     time.Time
	left                    int
}

// startRepeater is the step that adds a repeater.
func (w *world) startRepeater(args []int) {
	every := time.Duration(max(args[3], 1)) * time.Second
	w.repeaters = append(w.repeaters, &repeater{
		slot: args[0] % len(w.slots), object: args[1], left: args[2], every: every,
		due: time.Now().Add(every), happening: args[4], how: style(args[5]),
	})
}

// hotLoop is the step in which a component records more than 10,000 occurrences of one series within a second, as a loop
// without a pause does.
func (w *world) hotLoop(args []int) {
	c, object, n, happening := w.slot(args[0]), args[1], args[2], args[3]
	const chunks = 20
	for range chunks {
		for range n / chunks {
			w.record(c, object, happening, plain)
		}
		w.count(plain, n/chunks)
		w.pass(time.Second / (2 * chunks))
		if len(w.violations) > 0 {
			return
		}
	}
}

// nextRepeater returns the repeater that is due first.
func (w *world) nextRepeater() *repeater {
	w.repeaters = slices.DeleteFunc(w.repeaters, func(b *repeater) bool { return b.left <= 0 })
	if len(w.repeaters) == 0 {
		return nil
	}
	return slices.MinFunc(w.repeaters, func(a, b *repeater) int { return a.due.Compare(b.due) })
}

// repeatOnce records one occurrence. The next one is a little late, so that no two repeaters stay synchronous.
func (w *world) repeatOnce(b *repeater) {
	b.left--
	if w.slots[b.slot].over {
		b.left = 0
	}
	b.due = time.Now().Add(b.every + time.Microsecond)
	w.record(w.slots[b.slot], b.object, b.happening, b.how)
	w.count(b.how, 1)
}
