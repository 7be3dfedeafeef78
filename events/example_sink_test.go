// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
)

// totals is a sink that counts occurrences by reason. It stores no Events, so it has nothing to answer.
type totals struct {
	mu       sync.Mutex // several writes may be under way at a time
	byReason map[string]int64
}

// Create takes the first occurrence, and those that came before it could be written.
func (t *totals) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, t.add(ctx, event)
}

// Patch gets the whole event with its new count, and the patch, which this sink does not need.
func (t *totals) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return nil, t.add(ctx, event)
}

func (t *totals) add(ctx context.Context, event *eventsv1.Event) error {
	if event.Type == corev1.EventTypeNormal {
		return events.ErrFiltered // not wanted
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	write, _ := events.WriteFromContext(ctx)
	t.byReason[event.Reason] += write.Delta // event.Series.Count is the total
	return nil
}

// A sink of one's own. eventstest.TestSink tells whether it keeps the contract.
func ExampleSink() {
	sink := &totals{byReason: map[string]int64{}}
	broadcaster, recorder := exampleBroadcaster(sink)
	for range 5 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "BackOff", "Restarting", "the container crashes")
	}
	broadcaster.Shutdown()
	fmt.Println(sink.byReason)
	// Output: map[BackOff:5]
}

// deltas prints what each write adds.
type deltas struct{}

func (deltas) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	write, _ := events.WriteFromContext(ctx)
	fmt.Printf("%s: %d more, %d in all\n", event.Reason, write.Delta, write.Total)
	return nil, nil
}

func (d deltas) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return d.Create(ctx, event)
}

// What a write adds to the count that is recorded.
func ExampleWriteFromContext() {
	broadcaster := events.NewBroadcaster(deltas{}) // not started: only Flush writes
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/my-controller")
	recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "BackOff", "Restarting", "the container crashes")
	_ = broadcaster.Flush(context.Background())
	for range 4 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "BackOff", "Restarting", "the container crashes")
	}
	_ = broadcaster.Flush(context.Background())
	// Output:
	// BackOff: 1 more, 1 in all
	// BackOff: 4 more, 5 in all
}

// batch is a sink that sends what it has taken in one piece.
type batch struct {
	mu    sync.Mutex
	notes []string
}

func (b *batch) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, event.Note)
	return nil, nil
}

func (b *batch) Patch(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) {
	return nil, nil
}

// Flush sends the batch. A real one stops when ctx ends.
func (b *batch) Flush(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	fmt.Printf("%q\n", b.notes)
	b.notes = nil
	return nil
}

// A sink that buffers is flushed at the end.
func ExampleFlusher() {
	broadcaster, recorder := exampleBroadcaster(&batch{})
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	broadcaster.Shutdown()
	// Output: ["image is present"]
}

// A sink need not take everything: what it does not want is counted, and neither retried nor logged.
func Example_errFiltered() {
	broadcaster, recorder := exampleBroadcaster(&totals{byReason: map[string]int64{}})
	for range 5 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	}
	broadcaster.Shutdown()
	fmt.Println(broadcaster.Stats().Dropped[events.Filtered])
	// Output: 5
}
