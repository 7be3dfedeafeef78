// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"context"
	"fmt"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
)

// Watch counts exactly how often containers crash, even if the connection breaks.
func ExampleWatch() {
	client := eventstest.NewClientset() // a real one has the same methods
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	crash(ctx, client, 5)

	tracker := eventview.NewTracker(time.Now(), 0)
	options := metav1.ListOptions{FieldSelector: "type=Warning"}
	for change, err := range eventview.Watch(ctx, client.EventsV1().Events(""), options, tracker) {
		if err != nil {
			log.Print(err) // it is tried again
			continue
		}
		fmt.Printf("%s: %d new, %d earlier\n", change.Reason, change.Delta.New, change.Delta.Earlier)
		if change.Delta.New > 0 {
			break
		}
		crash(ctx, client, 3)
	}
	// Output:
	// BackOff: 0 new, 5 earlier
	// BackOff: 3 new, 0 earlier
}

// crash records n crashes of a container.
func crash(ctx context.Context, client *eventstest.Clientset, n int) {
	a := adapter.New(ctx, client, adapter.WithMode(adapter.ModeEventsV1), events.WithSharedCounts())
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	for range n {
		a.Recorder("example.com/crashes").Eventf(pod, nil, "Warning", "BackOff", "Restart", "the container crashed")
	}
	if err := a.Flush(ctx); err != nil {
		log.Fatal(err)
	}
}

// With an informer, which keeps all Events in memory, a Tracker computes how many occurrences each
// notification adds.
func ExampleTracker() {
	client := eventstest.NewClientset()
	ctx, cancel := context.WithCancel(context.Background())
	crash(ctx, client, 5)

	tracker := eventview.NewTracker(time.Now(), 0)
	told := make(chan string)
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Events().Informer()
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, isInInitialList bool) {
			event := eventview.FromCoreV1(object.(*corev1.Event))
			note := tracker.Observe
			if isInInitialList {
				note = tracker.Seed
			}
			told <- fmt.Sprintf("%s: %+v", event.Reason, note(&event))
		},
		UpdateFunc: func(_, object any) {
			event := eventview.FromCoreV1(object.(*corev1.Event))
			told <- fmt.Sprintf("%s: %+v", event.Reason, tracker.Observe(&event))
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	factory.Start(ctx.Done())
	fmt.Println(<-told)
	crash(ctx, client, 3)
	fmt.Println(<-told)
	cancel()
	factory.Shutdown()
	// Output:
	// BackOff: {New:0 Earlier:5}
	// BackOff: {New:3 Earlier:0}
}

// A view has the newest time and the count of one Event, whichever component wrote it.
func ExampleFromCoreV1() {
	old := &corev1.Event{Reason: "BackOff", Count: 70, FirstTimestamp: metav1.NewTime(at(0)), LastTimestamp: metav1.NewTime(at(50))}
	new := &corev1.Event{Reason: "BackOff", EventTime: micro(0), Series: &corev1.EventSeries{Count: 70, LastObservedTime: micro(50)}}
	for _, event := range []*corev1.Event{old, new} {
		view := eventview.FromCoreV1(event)
		fmt.Println(view.Reason, view.Count, view.Last.Format(time.TimeOnly))
	}
	// Output:
	// BackOff 70 12:50:00
	// BackOff 70 12:50:00
}

func ExampleDigest() {
	fmt.Print(eventview.Digest(sample(), 280, at(60)))
	// Output:
	// Warning FailedScheduling x3000 of 30 Pods in 52m, last 7m6s ago: Pod default/db-29: no node fits
	// Warning BackOff x70 in 50m, last 12m ago: Pod default/web: the container crashed
	// left out: 2 Events in 2 groups, 2 occurrences, 0 of them Warnings
}
