// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/eventconv"
)

var (
	coreGV   = corev1.SchemeGroupVersion
	eventsGV = eventsv1.SchemeGroupVersion
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

// about is a request about event through a group.
func about(via schema.GroupVersion, event *eventsv1.Event) Request {
	return Request{Via: via, Namespace: event.Namespace, Name: event.Name}
}

func strategic(body string) Patch { return Patch{types.StrategicMergePatchType, []byte(body)} }

func merging(body string) Patch { return Patch{types.MergePatchType, []byte(body)} }

// create sends event through events.k8s.io/v1.
func create(s *Store, event *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := s.Create(about(eventsGV, event), eventconv.ToCore(event))
	if err != nil {
		return nil, err
	}
	return eventconv.FromCore(stored), nil
}

// patch sends a strategic merge patch of event through events.k8s.io/v1.
func patch(s *Store, event *eventsv1.Event, body string) (*eventsv1.Event, error) {
	stored, err := s.Patch(about(eventsGV, event), strategic(body))
	if err != nil {
		return nil, err
	}
	return eventconv.FromCore(stored), nil
}

func mustCreate(t *testing.T, s *Store, event *eventsv1.Event) *eventsv1.Event {
	t.Helper()
	stored, err := create(s, event)
	if err != nil {
		t.Fatalf("create %s = %v", event.Name, err)
	}
	return stored
}

func mustPatch(t *testing.T, s *Store, event *eventsv1.Event, body string) *eventsv1.Event {
	t.Helper()
	stored, err := patch(s, event, body)
	if err != nil {
		t.Fatalf("patch %s, %s = %v", event.Name, body, err)
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
