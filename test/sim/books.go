// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
)

// bucket is what the driver, the drop handler and the server all know of an
// occurrence. Several series may share one.
type bucket struct{ namespace, name, kind, reason string }

// invalid is the bucket of all that cannot be recorded.
var invalid = bucket{kind: "invalid"}

func bucketOf(regarding *corev1.ObjectReference, kind, reason string) bucket {
	if regarding.Name == "" || kind == unheardOf {
		return invalid
	}
	return bucket{regarding.Namespace, regarding.Name, kind, reason}
}

// unheardOf is an event type that no API takes.
const unheardOf = "Info"

// books are what the driver itself knows of one component.
type books struct {
	observed int64 // calls that returned
	acked    int64 // occurrences that the server told the component it has
	emitted  map[bucket]int64
	ackedIn  map[bucket]int64
	last     events.Stats // at the last check

	watching int64 // occurrences that a watcher had to see
	watched  atomic.Int64

	mu      sync.Mutex // guards what the drop handler fills in
	dropped map[bucket]int64
	reasons map[events.DropReason]int64
	absurd  []string // drops that the answer does not bear out
}

func newBooks() *books {
	return &books{
		emitted: map[bucket]int64{}, ackedIn: map[bucket]int64{},
		dropped: map[bucket]int64{}, reasons: map[events.DropReason]int64{},
	}
}

// drop is the component's drop handler.
func (b *books) drop(d events.Drop) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dropped[bucketOf(&d.Regarding, d.Type, d.EventReason)] += d.Occurrences
	b.reasons[d.Reason] += d.Occurrences
	if contradicts(d.Reason, d.Err) {
		b.absurd = append(b.absurd, fmt.Sprintf("dropped as %s: %v", d.Reason, d.Err))
	}
}

// droppedFor returns what the handler was told for a reason.
func (b *books) droppedFor(reason events.DropReason) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reasons[reason]
}

func (b *books) droppedIn(of bucket) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped[of]
}

// absurdities returns what contradicts itself.
func (b *books) absurdities() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.absurd
}
