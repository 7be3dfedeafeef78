// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/writer"
)

// store answers each write with its present error.
type store struct{ err error }

func (s *store) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return e, s.err
}

func (s *store) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, s.err
}

// An event is dropped at the third 403 only if RBAC is known to have allowed it after the first. A write that was under
// way when RBAC was revoked says nothing, however late its answer; nor does one of another verb.
//
// Caught: a proof that counts from the answer; one that holds for every verb.
func TestWhatProvesThatRBACAllows(t *testing.T) {
	c := config{clock: clock.RealClock{}, logger: &klog.Logger{}, mode: Auto}
	sink := &store{err: apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "web", errors.New("no"))}
	r := newRouter(discovery.NewProber(nil), &c, map[API]events.Sink{EventsV1: sink, CoreV1: sink})
	r.support.value, r.support.asked = discovery.Served, c.clock.Now()
	r.namespaces.ask = func(context.Context, string) (discovery.Access, error) {
		return discovery.Access{EventsV1: discovery.Allowed, CoreV1: discovery.Allowed}, nil
	}
	r.namespaces.learn(t.Context(), "shop") // not to be asked again for a minute

	event := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	refuse := func(want writer.Action) {
		t.Helper()
		_, err := r.Create(t.Context(), event)
		if got := writer.Classify(err).Action; got != want {
			t.Fatalf("the verdict on %v is %v, want %v", err, got, want)
		}
	}
	underWay := &write{event: event.DeepCopy(), verb: create, sent: r.namespaces.now()}
	refuse(writer.Forbidden)
	r.namespaces.written(underWay, EventsV1)
	r.namespaces.written(&write{event: event.DeepCopy(), verb: patch, sent: r.namespaces.now()}, EventsV1)
	r.namespaces.written(&write{event: event.DeepCopy(), verb: create, sent: r.namespaces.now()}, CoreV1)
	for range 5 {
		refuse(writer.Forbidden)
	}
	r.namespaces.written(&write{event: event.DeepCopy(), verb: create, sent: r.namespaces.now()}, EventsV1)
	refuse(writer.Drop)
}
