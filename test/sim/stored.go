// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/events"
)

// acknowledge counts the occurrences that the answer to r has acknowledged.
func (w *world) acknowledge(r *request) {
	if r.resource != "events" {
		return
	}
	outcome := r.outcome
	if isRefusal(outcome) || outcome == "403" {
		w.rejected[r.component] = true
	}
	// Package legacy also patches events that were never created.
	if r.stored == nil {
		return
	}
	w.recordOutcome(r)
	// Package legacy creates an Event again if it has expired. If another occurrence has created it
	// again before, package legacy patches it.
	ours := !r.legacy || r.stored.writes.mayExist
	stored := outcome == "200" || outcome == "201" ||
		outcome == "409" && r.verb == "create" && ours && r.provesItself()
	if !stored {
		return
	}
	// Each write of package legacy is about one occurrence.
	var more int64 = 1
	if !r.legacy {
		more = max(int64(r.count)-r.stored.counted, 0)
		r.stored.counted += more
	}
	b := w.component(r.component).counts
	b.acked += more
	b.ackedIn[b.bucketOfRequest(r)] += more
	if r.about().Reason == events.ReasonTooManyEvents {
		b.ackedOverflowed += more
	}
}

// bucketOfRequest returns the bucket of a request about a known event.
func (b *counts) bucketOfRequest(r *request) bucket {
	event := r.about()
	return b.bucketOf(&event.InvolvedObject, event.Type, event.Reason)
}

// checkStored compares the counts of all components with the counts on the server, after all
// components have ended.
func (w *world) checkStored() {
	// The number of stored occurrences that were not acknowledged, by component.
	beyond := map[string]int64{}
	counting := map[types.NamespacedName]int{}
	for _, o := range w.server.storedEvents() {
		w.checkLabels(o)
		event := types.NamespacedName{Namespace: o.namespace, Name: o.name}
		if counting[event]++; counting[event] == 2 {
			w.coverage.add("shared counts", "shared")
		}
		// client-go's correlator decides about these counts.
		if o.legacy {
			continue
		}
		if o.count < o.maxAcked {
			w.fail("%s has %d acknowledged of an event about %s, the server has %d",
				o.component, o.maxAcked, o.event.InvolvedObject.Name, o.count)
		}
		// A shared event that expired before its writer knew that it was stored is counted again in
		// the next event.
		if o.live || !w.component(o.component).config.SharedCounts {
			beyond[o.component] += int64(max(o.count-o.maxAcked, 0))
		}
	}
	for _, c := range w.all {
		if unconfirmed := c.counts.last.Unconfirmed; beyond[c.name] > unconfirmed {
			w.fail("the server has %d more of %s than it recorded, %d are unconfirmed",
				beyond[c.name], c.name, unconfirmed)
		}
		w.checkAccounts(c)
	}
}

// checkLabels checks that an event has the labels of its component, and of one of its recorders.
func (w *world) checkLabels(o *entry) {
	want := maps.Clone(w.component(o.component).labels)
	if want != nil {
		shape := "new"
		if o.event.Labels[recorderLabel] == "old" {
			shape = "old"
		}
		want[recorderLabel] = shape
		w.coverage["labels/"+shape]++
	}
	if !maps.Equal(o.event.Labels, want) {
		w.fail("an event of %s has the labels %v, want %v", o.component, o.event.Labels, want)
	}
}

// checkAccounts checks that every occurrence is on the server or dropped.
func (w *world) checkAccounts(c *component) {
	for _, of := range slices.SortedFunc(maps.Keys(c.counts.emitted), bucket.compare) {
		emitted, dropped, acked := c.counts.emitted[of], c.counts.droppedIn(of), c.counts.ackedIn[of]
		if emitted != acked+dropped {
			w.fail("of %d of %v of %s the server has %d and %d were dropped", emitted, of, c.name, acked, dropped)
		}
	}
	for reason, n := range c.counts.last.Dropped {
		w.coverage["drop/"+string(reason)] += n
	}
	w.coverage["occurrences/acknowledged"] += c.counts.acked
	w.coverage["occurrences/overflowed"] += c.counts.ackedOverflowed
	w.coverage["occurrences/unconfirmed"] += c.counts.last.Unconfirmed
}

func (b bucket) compare(other bucket) int {
	return cmp.Or(strings.Compare(b.namespace, other.namespace), strings.Compare(b.name, other.name),
		strings.Compare(b.eventType, other.eventType), strings.Compare(b.reason, other.reason))
}
