// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2/textlogger"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// In tests of a component, what would be repaired in production can be an error.
func ExampleWithStrict() {
	for _, opts := range [][]events.Option{nil, {events.WithStrict()}} {
		broadcaster, recorder := exampleBroadcaster(eventstest.NewSink(), opts...)
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "", "an action is missing")
		broadcaster.Shutdown()
		stats := broadcaster.Stats()
		fmt.Println("recorded:", stats.Recorded, "repaired:", stats.Repaired[events.RepairAction],
			"invalid:", stats.Dropped[events.Invalid])
	}
	// Output:
	// recorded: 1 repaired: 1 invalid: 0
	// recorded: 0 repaired: 0 invalid: 1
}

// A cache of two series, and a server that does not answer: the third is dropped: it is counted, and the handler is called.
func ExampleWithMaxSeries() {
	sink := eventstest.NewSink()
	sink.Hold()
	tell := func(d events.Drop) { fmt.Println(d.Reason, "without", d.EventReason) }
	broadcaster, recorder := exampleBroadcaster(sink, events.WithMaxSeries(2), events.WithDropHandler(tell))
	for _, reason := range []string{"Pulling", "Pulled", "Created"} {
		recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, reason, "Start", "an image")
	}
	sink.Release()
	broadcaster.Shutdown()
	fmt.Println(len(sink.Events()), "Events")
	// Output:
	// CacheFull without Created
	// 2 Events
}

// Events about Nodes, PersistentVolumes and all else that is in no namespace go to "default", as client-go's do.
func ExampleWithClusterScopedNamespace() {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", UID: "1"}}
	for _, opts := range [][]events.Option{nil, {events.WithClusterScopedNamespace(metav1.NamespaceSystem)}} {
		sink := eventstest.NewSink()
		broadcaster, recorder := exampleBroadcaster(sink, opts...)
		recorder.Eventf(node, nil, corev1.EventTypeNormal, "Ready", "Registering", "the node is ready")
		broadcaster.Shutdown()
		fmt.Println(sink.Events()[0].Namespace)
	}
	// Output:
	// default
	// kube-system
}

// Who reported it: the controller that all its replicas share, and the instance, which is one of them.
func ExampleWithReportingInstance() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink, events.WithReportingInstance("my-controller-7d4b9-xk2lp"))
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	broadcaster.Shutdown()
	fmt.Println(sink.Events()[0].ReportingController, "by", sink.Events()[0].ReportingInstance)
	// Output: example.com/my-controller by my-controller-7d4b9-xk2lp
}

// A component with a clock of its own has its time in its Events. In tests a testing/synctest bubble does without.
func ExampleWithClock() {
	clock := clocktesting.NewFakeClock(time.Date(2026, time.November, 21, 9, 0, 0, 0, time.UTC))
	sink := eventstest.NewSink()
	broadcaster := events.NewBroadcaster(sink, events.WithClock(clock))
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/my-controller")
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present")
	if err := broadcaster.Flush(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(sink.Events()[0].EventTime.UTC().Format(time.RFC3339))
	// Output: 2026-11-21T09:00:00Z
}

// One recorder of many may keep notes apart, for callers to whom the note is what matters.
func ExampleRecorder_WithNotes() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink)
	distinct := recorder.WithNotes(events.NotesDistinct(10))
	for _, volume := range []string{"a", "b"} {
		distinct.Eventf(examplePod, nil, corev1.EventTypeNormal, "Mounted", "Mounting", "volume %s", volume)
	}
	broadcaster.Shutdown()
	show(sink)
	// Unordered output:
	// Normal Mounted: volume a (x1)
	// Normal Mounted: volume b (x1)
}

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

// A hot loop in the log: lines at 1, 2, 4, 8, … occurrences instead of a thousand.
func ExampleWithLogDoublings() {
	broadcaster, recorder := exampleBroadcaster(eventstest.NewSink(), events.WithLogDoublings())
	var log strings.Builder
	logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&log)))
	if _, err := broadcaster.StartLogging(logger); err != nil {
		fmt.Println(err)
	}
	for range 1000 {
		recorder.Eventf(examplePod, nil, corev1.EventTypeWarning, "BackOff", "Restarting", "back-off 10s")
	}
	broadcaster.Shutdown()
	for line := range strings.Lines(log.String()) {
		_, line, _ = strings.Cut(line, "] ")
		fmt.Println(line[:strings.Index(line, " object=")])
	}
	// Output:
	// "Event occurred" count=1
	// "Event occurred" count=2
	// "Event occurred" count=4
	// "Event occurred" count=8
	// "Event occurred" count=16
	// "Event occurred" count=32
	// "Event occurred" count=64
	// "Event occurred" count=128
	// "Event occurred" count=256
	// "Event occurred" count=512
}

// Labels of all Events of a component, by which kubectl get events -l and other clients select.
func ExampleWithLabels() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink, events.WithLabels(map[string]string{"app": "shop", "team": "blue"}))
	recorder.Eventf(examplePod, nil, corev1.EventTypeNormal, "Started", "Start", "the shop")
	broadcaster.Shutdown()
	fmt.Println(sink.Events()[0].Labels)
	// Output: map[app:shop team:blue]
}

// Labels of one part of a component, beside those of all its Events.
func ExampleRecorder_WithLabels() {
	sink := eventstest.NewSink()
	broadcaster, recorder := exampleBroadcaster(sink, events.WithLabels(map[string]string{"app": "shop", "team": "blue"}))

	backup := recorder.WithLabels(map[string]string{"team": "red"})
	backup.Eventf(examplePod, nil, corev1.EventTypeNormal, "Saved", "Save", "the shop")
	broadcaster.Shutdown()
	fmt.Println(sink.Events()[0].Labels)
	// Output: map[app:shop team:red]
}
