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
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// acknowledge counts what the component was just answered about r.
func (w *world) acknowledge(r *apiserver.Request) {
	if r.Resource() != "events" {
		return
	}
	outcome := r.Outcome()
	w.recordOutcome(r)
	if !w.history(r).refused.IsZero() || outcome == "403" {
		w.rejected[r.Component()] = true
	}
	if r.Event() == nil {
		return // package legacy also patches events that were never created
	}
	// Package legacy creates an Event again that another occurrence may have created again meanwhile. Then it patches
	// it.
	ours := !r.Legacy() || w.history(r).mayExist
	stored := outcome == "200" || outcome == "201" ||
		outcome == "409" && r.Verb() == "create" && ours && r.Unique()
	if !stored {
		return
	}
	var more int64 = 1 // each write of package legacy is one occurrence
	if !r.Legacy() {
		key := keyOf(r)
		more = max(int64(r.Count())-w.acked[key], 0)
		w.acked[key] += more
	}
	b := w.component(r.Component()).counts
	b.acked += more
	b.ackedIn[b.bucketOfRequest(r)] += more
	if r.Event().Reason == events.ReasonTooManyEvents {
		b.ackedFolded += more
	}
}

// bucketOfRequest returns the bucket of a request about a known event.
func (b *counts) bucketOfRequest(r *apiserver.Request) bucket {
	event := r.Event()
	return b.bucketOf(&event.InvolvedObject, event.Type, event.Reason)
}

// keyOf returns what identifies the series of r: the event's name, or the share under continuity, where a series may
// write another event when the one before has expired.
func keyOf(r *apiserver.Request) types.NamespacedName {
	return types.NamespacedName{Namespace: r.Namespace(), Name: cmp.Or(r.Share(), r.Name())}
}

// checkStored compares the counts of all components with what the server stores, after all components have ended.
func (w *world) checkStored() {
	beyond := map[string]int64{} // what the server stores and the component does not know of
	counting := map[types.NamespacedName]int{}
	for _, o := range w.server.Objects() {
		w.checkLabels(&o)
		event := types.NamespacedName{Namespace: o.Namespace, Name: o.Name}
		if counting[event]++; counting[event] == 2 {
			w.coverage.add("continuity", "shared")
		}
		if o.Legacy {
			continue // client-go's correlator decides about these counts
		}
		if o.Count < o.MaxAcked {
			w.fail("%s has %d acknowledged of an event about %s, the server has %d",
				o.Component, o.MaxAcked, o.Event.InvolvedObject.Name, o.Count)
		}
		if o.Live || !w.component(o.Component).config.Continues { // else it expired unknown, and is counted again
			beyond[o.Component] += int64(max(o.Count-o.MaxAcked, 0))
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
func (w *world) checkLabels(o *apiserver.Object) {
	want := maps.Clone(w.component(o.Component).labels)
	if want != nil {
		shape := "new"
		if o.Event.Labels[recorderLabel] == "old" {
			shape = "old"
		}
		want[recorderLabel] = shape
		w.coverage["labels/"+shape]++
	}
	if !maps.Equal(o.Event.Labels, want) {
		w.fail("an event of %s has the labels %v, want %v", o.Component, o.Event.Labels, want)
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
	if c.verdicts != nil {
		c.verdicts.addTo(w.coverage)
	}
	w.coverage["occurrences/acknowledged"] += c.counts.acked
	w.coverage["occurrences/folded"] += c.counts.ackedFolded
	w.coverage["occurrences/unconfirmed"] += c.counts.last.Unconfirmed
}

func (b bucket) compare(other bucket) int {
	return cmp.Or(strings.Compare(b.namespace, other.namespace), strings.Compare(b.name, other.name),
		strings.Compare(b.eventType, other.eventType), strings.Compare(b.reason, other.reason))
}
