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

// requestID is the key of the ID of a request in a context.
type requestID struct{}

// Each Event has the ID of its request as an annotation. The Event of a series has the ID of the
// newest request.
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

// totals is a sink that counts occurrences by reason. It stores no Events, so it returns none.
type totals struct {
	// mu guards byReason, because a broadcaster writes from several goroutines.
	mu       sync.Mutex
	byReason map[string]int64
}

// Create gets the first occurrence of a series, and further ones if they were recorded before the
// call.
func (t *totals) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, t.add(ctx, event)
}

// Patch gets the whole Event with its new count. This sink does not need the patch.
func (t *totals) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return nil, t.add(ctx, event)
}

func (t *totals) add(ctx context.Context, event *eventsv1.Event) error {
	if event.Type == corev1.EventTypeNormal {
		return events.ErrFiltered // this sink wants only Warnings
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	write, _ := events.WriteFromContext(ctx)
	// Delta is the number of occurrences since the last write. event.Series.Count is the total.
	t.byReason[event.Reason] += write.Delta
	return nil
}

// A sink that a component has written itself. eventstest.TestSink checks whether it meets the
// requirements of Sink.
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

// deltas is a sink that prints how many occurrences each write adds.
type deltas struct{}

func (deltas) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	write, _ := events.WriteFromContext(ctx)
	fmt.Printf("%s: %d more, %d in all\n", event.Reason, write.Delta, write.Total)
	return nil, nil
}

func (d deltas) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return d.Create(ctx, event)
}

// The sink prints how many occurrences each write adds, and how many there are then.
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
