// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"slices"
	"testing"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// Caught: repeats that are not formatted; a handler that hears of refused ones; one event handed out twice.
func TestOccurrenceHandler(t *testing.T) {
	var heard []string
	b := events.NewBroadcaster(eventstest.NewSink(), quiet,
		events.WithOccurrenceHandler(func(e *eventsv1.Event) {
			heard = append(heard, fmt.Sprintf("%s %s: %s %v", e.Regarding.Name, e.Reason, e.Note, e.Annotations))
			e.Note = "mine"
			clear(e.Annotations)
		}))
	rec := newRecorder(b)
	for i := range 2 {
		rec.AnnotatedEventf(newPod("web"), nil, map[string]string{"i": fmt.Sprint(i)},
			"Normal", "Scaled", "Scale", "to %d", i)
	}
	rec.Eventf(nil, nil, "Normal", "Scaled", "Scale", "nobody")
	b.Shutdown()
	rec.Eventf(newPod("web"), nil, "Normal", "Late", "Scale", "after the end")

	want := []string{"web Scaled: to 0 map[i:0]", "web Scaled: to 1 map[i:1]", "web Late: after the end map[]"}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}

func TestOccurrenceHandlerThatPanics(t *testing.T) {
	sink := eventstest.NewSink()
	b := events.NewBroadcaster(sink, quiet, events.WithOccurrenceHandler(func(*eventsv1.Event) { panic("oops") }))
	record(newRecorder(b), 2, "web")
	flush(t, b)
	if n := len(sink.Events()); n != 1 {
		t.Errorf("%d Events, want 1", n)
	}
}
