// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

var examplePod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// exampleBroadcaster returns a started broadcaster that writes to sink, and a recorder.
func exampleBroadcaster(sink events.Sink, opts ...events.Option) (*events.Broadcaster, *events.Recorder) {
	broadcaster := events.NewBroadcaster(sink, append(opts, quiet)...)
	if err := broadcaster.Start(context.Background()); err != nil {
		log.Fatal(err)
	}
	return broadcaster, broadcaster.Recorder(scheme.Scheme, "example.com/my-controller")
}

// show prints the stored Events with their counts.
func show(sink *eventstest.Sink) {
	for _, s := range eventstest.SeriesOf(sink.Events()...) {
		fmt.Printf("%s %s: %s (x%d)\n", s.Type, s.Reason, s.Note, s.Count)
	}
}

func ExampleRecorder_Eventf() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink)

	pod := examplePod
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "disk-1"}}
	for attempt := range 1000 {
		recorder.Eventf(pod, volume, corev1.EventTypeWarning, "FailedMount", "Mounting", "attempt %d", attempt)
	}
	broadcaster.Shutdown()
	show(sink)
	// Output: Warning FailedMount: attempt 0 (x1000)
}

// A command or a Job does not need Start, because Flush writes the Events itself.
func ExampleBroadcaster_Flush_unstarted() {
	sink := eventstest.NewSink()
	broadcaster := events.NewBroadcaster(sink)
	recorder := broadcaster.Recorder(scheme.Scheme, "example.com/my-job")
	for range 3 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "BackedUp", "BackUp", "a volume is stored")
	}

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := broadcaster.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	show(sink)
	// Output: Normal BackedUp: a volume is stored (x3)
}

func ExampleBroadcaster_Drain() {
	sink := eventstest.NewSink()
	sink.Hold() // a server that hangs
	broadcaster, recorder := exampleBroadcaster(sink)
	for range 3 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	}

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	err := broadcaster.Drain(ctx)
	var abandoned *events.AbandonedError
	if errors.As(err, &abandoned) {
		fmt.Println("abandoned:", abandoned.Occurrences, "occurrences, series:", abandoned.Series)
	}
	fmt.Println("in time:", !errors.Is(err, context.DeadlineExceeded))
	// Output:
	// abandoned: 3 occurrences, series: 1
	// in time: false
}

func ExampleBroadcaster_Stats() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink)
	for range 100 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	}
	recorder.Eventf(nil, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "of no object")
	broadcaster.Shutdown()
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "too late")

	stats := broadcaster.Stats()
	fmt.Println("observed:", stats.Observed)
	fmt.Println("recorded:", stats.Recorded)
	fmt.Println("pending:", stats.Pending)
	fmt.Println("invalid:", stats.Dropped[events.DropInvalid])
	fmt.Println("stopped:", stats.Dropped[events.DropStopped])
	// Output:
	// observed: 102
	// recorded: 100
	// pending: 0
	// invalid: 1
	// stopped: 1
}

// The same four occurrences under each policy. With NotesDistinct(2) two notes have Events of their
// own, and occurrences with other notes are counted in the newer of these Events.
func ExampleWithNotePolicy() {
	for _, policy := range []events.NotePolicy{events.NotesFirst, events.NotesDistinct(2), events.NotesLatest} {
		sink := eventstest.NewSink()
		broadcaster, recorder := exampleBroadcaster(sink, events.WithNotePolicy(policy))
		for _, image := range []string{"a", "b", "c", "a"} {
			recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image %s is present", image)
		}
		broadcaster.Shutdown()
		fmt.Println(policy)
		show(sink)
	}
	// Output:
	// NotesFirst
	// Normal Pulled: image a is present (x4)
	// NotesDistinct(2)
	// Normal Pulled: image a is present (x2)
	// Normal Pulled: image b is present (x2)
	// NotesLatest
	// Normal Pulled: image a is present (x4)
}

// The notes of one reason name different GPUs, so each note has an Event of its own. The other
// reasons keep the default.
func ExampleWithNotePolicy_reasons() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink, events.WithNotePolicy(events.NotesDistinct(60), "GPUFailed"))
	for _, gpu := range []string{"0", "1"} {
		recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "GPUFailed", "Checking", "XID 79 on GPU %s", gpu)
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Checked", "Checking", "GPU %s was checked", gpu)
	}
	broadcaster.Shutdown()
	show(sink)
	// Output:
	// Warning GPUFailed: XID 79 on GPU 0 (x1)
	// Normal Checked: GPU 0 was checked (x2)
	// Warning GPUFailed: XID 79 on GPU 1 (x1)
}

// A component that is started three times has one Event with the sum of the counts. An adapter
// takes the option, too.
func ExampleWithSharedCounts() {
	sink := eventstest.NewSink()
	for _, pod := range []string{"web-1", "web-2", "web-3"} {
		broadcaster, recorder := exampleBroadcaster(sink, events.WithSharedCounts(), events.WithReportingInstance(pod))
		for range 2 {
			recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "BackOff", "Connecting", "no answer")
		}
		broadcaster.Shutdown()
	}
	show(sink)
	// Output: Warning BackOff: no answer (x6)
}

// A component that makes up a new reason for each occurrence creates only a limited number of
// Events. An adapter takes the option, too.
func ExampleWithMaxSeriesPerObject() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink, events.WithMaxSeriesPerObject(2))
	for attempt := range 10_000 {
		reason := fmt.Sprintf("Failed%d", attempt)
		recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, reason, "Fetching", "no answer")
	}
	broadcaster.Shutdown()
	for _, s := range eventstest.SeriesOf(sink.Events()...) {
		fmt.Printf("%s (x%d)\n", s.Reason, s.Count)
	}
	// Output:
	// Failed0 (x1)
	// Failed1 (x1)
	// TooManyEvents (x9998)
}

// mount is a component of one event: the usage of the package.
func mount(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod, took time.Duration) error {
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "disk-1"}}

	broadcaster := events.NewBroadcaster(sinks.EventsV1(client.EventsV1()))
	if err := broadcaster.Start(ctx); err != nil {
		return err // an option is invalid
	}
	defer broadcaster.Shutdown()
	recorder := broadcaster.Recorder(scheme.Scheme, "example.com/my-controller")
	recorder.Eventf(pod, volume, corev1.EventTypeWarning, "FailedMount", "Mounting", "after %v", took)
	return nil
}

// A component that records one Event: it makes a broadcaster from its client, starts it, records,
// and shuts it down.
func Example() {
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	if err := mount(context.Background(), client, examplePod, 3*time.Second); err != nil {
		fmt.Println(err)
	}
	for _, s := range eventstest.SeriesOf(client.Events()...) {
		fmt.Println(s)
	}
	// Output:
	// Warning FailedMount (Mounting) Pod default/web with PersistentVolume disk-1 x1: "after 3s"
}

// A watcher gets every occurrence with its own note, although all three are counted in one Event.
// It runs in a goroutine of its own.
func ExampleBroadcaster_StartEventWatcher() {
	broadcaster, recorder := exampleBroadcaster(eventstest.NewSink())
	stop, err := broadcaster.StartEventWatcher(func(object runtime.Object) {
		event := object.(*eventsv1.Event)
		fmt.Println(event.Reason, event.Note)
	})
	if err != nil {
		log.Fatal(err)
	}
	defer stop()

	for attempt := range 3 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "BackOff", "Pulling", "attempt %d", attempt)
	}
	broadcaster.Shutdown() // waits for the watcher
	// Output:
	// BackOff attempt 0
	// BackOff attempt 1
	// BackOff attempt 2
}
