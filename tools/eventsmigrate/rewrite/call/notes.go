// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// noted is a call with its reason and its note: a constant, or "" if the note is made at run time.
type noted struct {
	file         *plan.File
	call         call
	reason, note string
}

// record notes a call whose note becomes a part of an Event, unless the SDK's recorder keeps notes apart. A wrapper's call
// hands on the note of its callers, which are noted themselves.
func (f *file) record(c call) {
	if names, ok := f.forwarding(c.function); f.Target == api.SDK || f.IsTest() || ok && f.mentions(c.note, c.function, names.note) {
		return
	}
	n := noted{file: f.File, call: c, reason: cmp.Or(f.constantText(c.reason), f.Text(c.reason))}
	if c.note == c.Args[len(c.Args)-1] {
		n.note = f.constantText(c.note)
	}
	f.noted = append(f.noted, n)
}

// MergedNotes counts the calls of which only the first note is shown: those that make it at run time, and those with
// another one under the same reason.
func (p *Package) MergedNotes() {
	last := map[string]string{}
	several := map[string]bool{}
	for _, n := range p.noted {
		note, seen := last[n.reason]
		last[n.reason] = n.note
		several[n.reason] = several[n.reason] || n.note == "" || seen && note != n.note
	}
	var calls []noted
	for _, n := range p.noted {
		if several[n.reason] {
			calls = append(calls, n)
		}
	}
	if len(calls) > 0 {
		calls[0].file.Leave(calls[0].call, plan.Notes, "calls of this package whose notes may differ under one reason: %d. "+
			"For an object, a reason and an action only the first note is shown", len(calls))
	}
}
