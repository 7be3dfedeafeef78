// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var moment = metav1.NewMicroTime(time.Date(2026, 11, 20, 11, 25, 19, 80374000, time.UTC))

const secondOccurrence = `{"series":{"count":2,"lastObservedTime":"2026-11-20T11:25:24.080374Z"}}`

// newEvent returns an Event about pod web that every rule accepts.
func newEvent(name string) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "default", Name: name},
		EventTime:           moment,
		ReportingController: "example.com/controller",
		ReportingInstance:   "controller-1",
		Action:              "Killing",
		Reason:              "Killing",
		Type:                corev1.EventTypeNormal,
		Note:                "stopping",
		Regarding:           corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
}

func in(namespace string, event *eventsv1.Event) *eventsv1.Event {
	event.Namespace, event.Regarding.Namespace = namespace, namespace
	return event
}

// recorder has the methods that Sink and the clients of the clientset have in common.
type recorder interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error)
}

var _ recorder = (*Sink)(nil)

func mustCreate(t *testing.T, sink recorder, event *eventsv1.Event) *eventsv1.Event {
	t.Helper()
	stored, err := sink.Create(t.Context(), event)
	if err != nil {
		t.Fatalf("Create(%s) = %v", event.Name, err)
	}
	return stored
}

func mustPatch(t *testing.T, sink recorder, event *eventsv1.Event, patch string) *eventsv1.Event {
	t.Helper()
	stored, err := sink.Patch(t.Context(), event, []byte(patch))
	if err != nil {
		t.Fatalf("Patch(%s, %s) = %v", event.Name, patch, err)
	}
	return stored
}

func checkStatus(t *testing.T, err error, code int32, is func(error) bool) {
	t.Helper()
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		t.Fatalf("error %v is a %T, want a Status", err, err)
	}
	if got := status.Status().Code; got != code || is != nil && !is(err) {
		t.Errorf("error %v with code %d, want %d", err, got, code)
	}
}
