// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
)

// bucket identifies occurrences by what the driver, the drop handler and the server all know of them. Several series
// may share a bucket.
type bucket struct{ namespace, name, eventType, reason string }

// eventNamespace returns the namespace of the events.
func (b bucket) eventNamespace() string { return cmp.Or(b.namespace, metav1.NamespaceDefault) }

// invalid is the bucket of all occurrences that cannot be recorded.
var invalid = bucket{eventType: "invalid"}

func bucketOf(regarding *corev1.ObjectReference, eventType, reason string) bucket {
	if regarding.Name == "" || eventType == unknownType {
		return invalid
	}
	return bucket{regarding.Namespace, regarding.Name, eventType, reason}
}

// unknownType is an event type that no API accepts.
const unknownType = "Info"

// counts are what the driver itself counts for one component, to compare with its Stats.
type counts struct {
	observed   int64 // calls that returned
	acked      int64 // occurrences that the server acknowledged to the component
	unselected int64 // calls that the selector does not select
	emitted    map[bucket]int64
	ackedIn    map[bucket]int64
	last       events.Stats // at the last check

	limited         bool  // there is a limit per object
	ackedOverflowed int64 // of acked, in the Events that count what is beyond it

	watching int64 // occurrences that a watcher has to see
	watched  atomic.Int64

	mu              sync.Mutex // guards what the drop handler fills in
	dropped         map[bucket]int64
	reasons         map[events.DropReason]int64
	overflowedDrops int64
	drops           map[string]int // how often something was dropped, by namespace
	contradictory   []string       // drops whose reason the answer does not justify
}

func newCounts(limited bool) *counts {
	return &counts{
		limited: limited,
		emitted: map[bucket]int64{}, ackedIn: map[bucket]int64{},
		dropped: map[bucket]int64{}, reasons: map[events.DropReason]int64{}, drops: map[string]int{},
	}
}

// drop is the component's drop handler.
func (b *counts) drop(d events.Drop) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := b.bucketOf(&d.Regarding, d.Type, d.EventReason)
	b.dropped[of] += d.Occurrences
	b.drops[of.eventNamespace()]++
	if d.EventReason == events.ReasonTooManyEvents {
		b.overflowedDrops += d.Occurrences
	}
	b.reasons[d.Reason] += d.Occurrences
	if contradicts(d.Reason, d.Err) {
		b.contradictory = append(b.contradictory, fmt.Sprintf("dropped as %s: %v", d.Reason, d.Err))
	}
}

// droppedFor returns how many drops with that reason the handler was called for.
func (b *counts) droppedFor(reason events.DropReason) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reasons[reason]
}

func (b *counts) droppedIn(of bucket) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped[of]
}

// dropsIn returns how often something was dropped in a namespace.
func (b *counts) dropsIn(namespace string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.drops[namespace]
}

// contradictions returns the drops whose reason the answer does not justify.
func (b *counts) contradictions() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.contradictory
}
