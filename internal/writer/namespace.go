// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// namespace is what waits in one namespace, and how its last writes went:
//
//	new ──good answer──▶ healthy ──bad answer──▶ in doubt ──another, or none within a second──▶ failing
//	                        ▲                       │                                             │
//	                        └──────good answer──────┴─────────────────────────────────────────────┘
//
// A healthy one may have half of the window. One that is new or in doubt has one write at a
// time. So has one that is failing, but beside the window and after a back-off.
type namespace[T any] struct {
	name     string
	items    [request.Classes]fifo[T]
	waiting  int // in all of them
	underway int
	healthy  bool
	failing  bool
	inDoubt  bool                    // one bad answer may be about the item alone
	gate     gate                    // closed while it is failing, or when the server asked to wait
	creates  time.Time               // until when only patches pass, because it is being deleted
	served   [request.Classes]uint64 // the last of its writes, by class
	in       uint                    // the heaps of ready that have it, as bits
	places   [places]int32           // in them
	wakeAt   time.Time               // while it is delayed
}

// The places of a namespace in the heaps of ready.
const (
	oldest  = 0                                // and one for each class
	turns   = oldest + int(request.Classes)    // and one for each class
	probes  = turns + int(request.Classes)     // of those that are failing
	delayed = turns + int(request.Classes) + 1 // of those that wait for a time
	places  = delayed + 1
)

// idle reports whether nothing waits in the namespace or is under way.
func (ns *namespace[T]) idle() bool { return ns.waiting == 0 && ns.underway == 0 }

// forgettable reports whether nothing would be forgotten with the namespace: one that goes
// on failing must not begin with short waits again.
func (ns *namespace[T]) forgettable(now time.Time) bool {
	return ns.idle() && ns.gate.admits(now.Add(-longestWait)) && ns.admitsCreates(now)
}

func (ns *namespace[T]) admitsCreates(now time.Time) bool { return !now.Before(ns.creates) }

// share is how many writes the namespace may have under way.
func (ns *namespace[T]) share(limit int) int {
	if ns.healthy {
		return max(1, limit/2)
	}
	return 1
}

// admits reports whether a write of class may begin, as far as the namespace is concerned.
func (ns *namespace[T]) admits(class request.Class, now time.Time) bool {
	return ns.items[class].len() > 0 && (class.Op() != request.Create || ns.admitsCreates(now))
}

// probe returns the class of the next write while the namespace is failing, and whether the
// newest item of it is to be taken. What has not failed comes first, and of that the newest,
// since those before it may be what fails. What has failed takes turns.
func (ns *namespace[T]) probe(now time.Time) (class request.Class, newest bool) {
	failed := request.NoWrite
	for c := request.FirstWarning; c < request.Classes; c++ {
		items := &ns.items[c]
		switch {
		case !ns.admits(c, now):
		case !c.HasFailed() && (class == request.NoWrite || items.last().number > ns.items[class].last().number):
			class = c
		case c.HasFailed() && (failed == request.NoWrite || items.first().number < ns.items[failed].first().number):
			failed = c
		}
	}
	if class == request.NoWrite {
		return failed, false
	}
	return class, true
}

// drainCreates takes out all that waits for a Create.
func (ns *namespace[T]) drainCreates() (items []T) {
	for _, class := range []request.Class{request.FirstWarning, request.FirstNormal, request.FailedCreate} {
		for ns.items[class].len() > 0 {
			items = append(items, ns.items[class].pop(false).item)
		}
	}
	ns.waiting -= len(items)
	return items
}

// purge removes the items for which gone returns true.
func (ns *namespace[T]) purge(gone func(T) bool) {
	for class := range ns.items {
		items := &ns.items[class]
		for range items.len() {
			if e := items.pop(false); !gone(e.item) {
				items.push(e)
			} else {
				ns.waiting--
			}
		}
	}
}
