// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// book enters what the component was just told about r.
func (w *world) book(r *apiserver.Request) {
	event := r.Event()
	outcome := r.Outcome()
	if event == nil {
		return
	}
	// Package legacy makes an Event anew that another occurrence may have made anew meanwhile: then it is patched.
	ours := !r.Legacy() || w.history(r).again
	stored := outcome == "200" || outcome == "201" || outcome == "409" && r.Verb() == "create" && ours
	w.remember(r)
	if !stored {
		if !w.history(r).refused.IsZero() || outcome == "403" {
			w.rejected[r.Component()] = true
		}
		return
	}
	var more int64 = 1 // of the old style each write is an occurrence
	if !r.Legacy() {
		key := keyOf(r)
		more = max(int64(r.Count())-w.acked[key], 0)
		w.acked[key] += more
	}
	b := w.component(r.Component()).books
	b.acked += more
	b.ackedIn[bucketOfRequest(r)] += more
}

// bucketOfRequest is that of an event that is known.
func bucketOfRequest(r *apiserver.Request) bucket {
	event := r.Event()
	return bucketOf(&event.InvolvedObject, event.Type, event.Reason)
}

func keyOf(r *apiserver.Request) types.NamespacedName {
	return types.NamespacedName{Namespace: r.Namespace(), Name: r.Name()}
}

// checkLedger holds the books of all components against what the server has,
// once everything is over.
func (w *world) checkLedger() {
	beyond := map[string]int64{} // what the server has and the component does not know of
	for _, o := range w.server.Objects() {
		if o.Legacy {
			continue // client-go's correlator says what it likes
		}
		if o.Count < o.MaxAcked {
			w.fail("%s was told of %d of an event about %s, the server has %d",
				o.Component, o.MaxAcked, o.Event.InvolvedObject.Name, o.Count)
		}
		beyond[o.Component] += int64(max(o.Count-o.MaxAcked, 0))
	}
	for _, c := range w.all {
		if unconfirmed := c.books.last.Unconfirmed; beyond[c.name] > unconfirmed {
			w.fail("the server has %d more of %s than it recorded, %d are unconfirmed",
				beyond[c.name], c.name, unconfirmed)
		}
		w.checkBuckets(c)
	}
}

// checkBuckets: what was recorded is on the server or dropped for a reason.
func (w *world) checkBuckets(c *component) {
	for _, of := range slices.SortedFunc(maps.Keys(c.books.emitted), bucket.compare) {
		emitted, dropped, acked := c.books.emitted[of], c.books.droppedIn(of), c.books.ackedIn[of]
		if emitted != acked+dropped {
			w.fail("of %d of %v of %s the server has %d and %d were dropped", emitted, of, c.name, acked, dropped)
		}
	}
	for reason, n := range c.books.last.Dropped {
		w.census["drop/"+string(reason)] += n
	}
	if c.judged != nil {
		c.judged.addTo(w.census)
	}
	w.census["occurrences/acknowledged"] += c.books.acked
	w.census["occurrences/unconfirmed"] += c.books.last.Unconfirmed
}

func (b bucket) compare(other bucket) int {
	return cmp.Or(strings.Compare(b.namespace, other.namespace), strings.Compare(b.name, other.name),
		strings.Compare(b.kind, other.kind), strings.Compare(b.reason, other.reason))
}
