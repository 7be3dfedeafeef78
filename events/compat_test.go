// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/fields"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
)

// The names are client-go's own types, so that values pass between code that is migrated and code that is not.
// test/compat/dropin has whole components.
var (
	_ clientevents.EventBroadcaster    = (events.EventBroadcaster)(nil)
	_ clientevents.EventRecorder       = (events.EventRecorder)(nil)
	_ clientevents.EventRecorderLogger = (events.EventRecorderLogger)(nil)
	_ events.EventBroadcaster          = (*events.Broadcaster)(nil)
	_ events.Sink                      = (clientevents.EventSink)(nil)
	_ *clientevents.FakeRecorder       = (*events.FakeRecorder)(nil)
	_ clientevents.EventSinkImpl       = events.EventSinkImpl{}
	_ events.EventBroadcasterAdapter   = (clientevents.EventBroadcasterAdapter)(nil)
)

func TestGetFieldSelectorIsThatOfClientGo(t *testing.T) {
	v1, pod := eventsv1.SchemeGroupVersion, corev1.SchemeGroupVersion.WithKind("Pod")
	want, _ := clientevents.GetFieldSelector(v1, pod, "web", "1")
	got, err := events.GetFieldSelector(v1, pod, "web", "1")
	if err != nil {
		t.Fatal(err)
	}
	terms := func(s fields.Selector) []string { return slices.Sorted(strings.SplitSeq(s.String(), ",")) } // from a map
	if !slices.Equal(terms(got), terms(want)) {
		t.Errorf("%v, want %v", got, want)
	}
}

// An EventSinkImpl without a client has no sink to write to: Start says so instead of a worker that crashes.
func TestEventSinkImplWithoutAClient(t *testing.T) {
	for _, sink := range []*events.EventSinkImpl{nil, {}} {
		b := events.NewBroadcaster(sink, quiet)
		if err := b.Start(t.Context()); err == nil {
			t.Error("Start: no error")
		}
		record(newRecorder(b), 1, "web")
		b.Shutdown()
	}
}
