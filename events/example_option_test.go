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
	"github.com/eventseries/eventseries/events/eventstest"
)

// requestID is the key of what a component keeps in its contexts.
type requestID struct{}

// An Event says which request it belongs to. In a series it is the newest one.
func ExampleWithContextAnnotations() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink, events.WithContextAnnotations(
		func(ctx context.Context) map[string]string {
			id, _ := ctx.Value(requestID{}).(string)
			return map[string]string{"example.com/request": id}
		}))
	for _, id := range []string{"41", "42"} {
		ctx := context.WithValue(context.Background(), requestID{}, id)
		recorder.WithContext(ctx).
			Eventf(examplePod, nil, corev1.EventTypeNormal, "Resized", "Resizing", "to 2 CPUs")
	}
	broadcaster.Shutdown()
	fmt.Println(sink.Events()[0].Annotations["example.com/request"], "of", sink.Events()[0].Series.Count)
	// Output: 42 of 2
}

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
	recorder := broadcaster.Recorder(scheme.Scheme, "example.com/my-controller")
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
