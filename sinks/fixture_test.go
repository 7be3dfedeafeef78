// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

var moment = time.Date(2026, 11, 20, 11, 25, 19, 80374000, time.UTC)

// newEvent returns a valid Event.
func newEvent(name string) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "default", Name: name},
		EventTime:           metav1.NewMicroTime(moment),
		ReportingController: "example.com/controller",
		ReportingInstance:   "controller-1",
		Action:              "Kill",
		Reason:              "Killing",
		Type:                corev1.EventTypeNormal,
		Note:                "stopping",
		Regarding:           corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"},
		Related:             &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node"},
	}
}

// counted returns the Event with another occurrence n seconds later, and the patch for it.
func counted(name string, n int32) (*eventsv1.Event, []byte) {
	e := newEvent(name)
	last := metav1.NewMicroTime(moment.Add(time.Duration(n) * time.Second))
	e.Series = &eventsv1.EventSeries{Count: n, LastObservedTime: last}
	return e, fmt.Appendf(nil, `{"series":{"count":%d,"lastObservedTime":%q}}`,
		n, last.UTC().Format(metav1.RFC3339Micro))
}

// start returns a started broadcaster over sink and its recorder, and shuts it down at the end of
// the test.
func start(t testing.TB, sink events.Sink, logger klog.Logger) (*events.Broadcaster, *events.Recorder) {
	t.Helper()
	b := events.NewBroadcaster(sink, events.WithLogger(logger))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Shutdown)
	return b, b.Recorder(scheme.Scheme, "example.com/test")
}

// emit records an occurrence n times.
func emit(rec events.EventRecorder, n int, eventtype, name string) {
	for range n {
		rec.Eventf(fixture.Pod("default", name), nil, eventtype, "Killing", "Kill", "stopping %s", name)
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
