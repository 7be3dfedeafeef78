// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
)

// t stands in for a test's *testing.T, which an example has not: it prints what the test would report.
var t = printer{}

type printer struct{ testing.TB }

func (printer) Helper()           {}
func (printer) Cleanup(func())    {}
func (printer) Log(...any)        {}
func (printer) Error(args ...any) { fmt.Println(args...) }

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func (printer) Name() string { return "Example" }

func (printer) Context() context.Context { return context.Background() }

// deployment is what the examples' Events regard.
var deployment = &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}

// scale is code under test: it records Events about the deployment.
func scale(recorder clientevents.EventRecorder) {
	recorder.Eventf(deployment, nil, "Normal", "Scaled", "Scale", "from %d to %d replicas", 1, 3)
	for range 3 {
		recorder.Eventf(deployment, nil, "Warning", "ScaleFailed", "Scale", "etcd is down")
	}
}

// evicted is an Event about pod web.
func evicted() *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "default", Name: "web.17ab"},
		EventTime:           metav1.NowMicro(),
		ReportingController: "example.com/evictor",
		ReportingInstance:   "evictor-0",
		Action:              "Evicting",
		Reason:              "Evicted",
		Type:                corev1.EventTypeNormal,
		Note:                "the node is short of memory",
		Regarding:           corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
}

// secondTime is the patch for another occurrence of evicted.
var secondTime = []byte(`{"series":{"count":2,"lastObservedTime":"2026-11-20T11:25:24.080374Z"}}`)

// tell is code under test: it creates an Event.
func tell(ctx context.Context, client kubernetes.Interface, event *eventsv1.Event) error {
	_, err := client.EventsV1().Events(event.Namespace).Create(ctx, event, metav1.CreateOptions{})
	return err
}
