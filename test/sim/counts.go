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

// bucket has the fields of an occurrence that the driver, the drop handler and the server all know.
// Several series may be in one bucket.
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

// counts has the driver's own counts for one component, which are compared with its Stats.
type counts struct {
	// observed is the number of calls that returned.
	observed int64
	// acked is the number of occurrences that the server has acknowledged to the component.
	acked int64
	// unselected is the number of calls that the selector does not select.
	unselected int64
	// emitted and ackedIn have the calls and the acknowledged occurrences by bucket.
	emitted map[bucket]int64
	ackedIn map[bucket]int64
	// last has the Stats of the last check.
	last events.Stats

	// limited is true if there is a limit per object.
	limited bool
	// ackedOverflowed is the part of acked that was counted in overflow series.
	ackedOverflowed int64

	// watching is the number of occurrences that a watcher must get, and watched the number that it
	// has got.
	watching int64
	watched  atomic.Int64

	// mu guards the fields below, which the drop handler changes.
	mu sync.Mutex
	// dropped, reasons and overflowedDrops have dropped occurrences by bucket, by reason, and of
	// overflow series.
	dropped         map[bucket]int64
	reasons         map[events.DropReason]int64
	overflowedDrops int64
	// drops has the number of calls of the drop handler by namespace.
	drops map[string]int
	// contradictory has the drops whose reason does not follow from the answer of the server.
	contradictory []string
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

// droppedFor returns the number of occurrences that were passed to the drop handler with a reason.
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

// dropsIn returns the number of calls of the drop handler for a namespace.
func (b *counts) dropsIn(namespace string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.drops[namespace]
}

// contradictions returns the drops whose reason does not follow from the answer of the server.
func (b *counts) contradictions() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.contradictory
}
