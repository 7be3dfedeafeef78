// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// Each request is reported once, with its place in the series of tries, until the handler is taken away.
func TestOnRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.SetLatency(time.Second)
		b, rec := start(t, sink)
		var mu sync.Mutex // workers call
		var got, other []events.Request
		add := func(to *[]events.Request) func(events.Request) {
			return func(r events.Request) {
				mu.Lock()
				defer mu.Unlock()
				*to = append(*to, r)
			}
		}
		stop := b.OnRequest(add(&got))
		b.OnRequest(func(events.Request) { panic("of the handler") })
		b.OnRequest(add(&other))
		sink.FailNext(1, errForbidden)
		rec.Eventf(newPod("a"), nil, "Normal", "Started", "Start", "")
		time.Sleep(time.Minute)
		sink.FailNext(1, errors.New("connection reset"))
		rec.Eventf(newPod("a"), nil, "Normal", "Started", "Start", "")
		time.Sleep(time.Minute)
		stop()
		rec.Eventf(newPod("b"), nil, "Normal", "Started", "Start", "")
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		second := time.Second
		want := []events.Request{
			{Operation: "create", Code: 403, Duration: second, Attempt: 1},
			{Operation: "create", Code: 201, Duration: second, Attempt: 2},
			{Operation: "patch", Code: 0, Duration: second, Attempt: 1},
			{Operation: "patch", Code: 200, Duration: second, Attempt: 2},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if len(other) != 5 {
			t.Errorf("another handler heard of %d requests, want 5", len(other))
		}
	})
}

// The API is known of the SDK's own sinks.
func TestOnRequestKnowsTheAPI(t *testing.T) {
	client := eventstest.NewClientset()
	for want, sink := range map[string]events.Sink{
		"events.k8s.io/v1": sinks.EventsV1(client.EventsV1()), "v1": sinks.CoreV1(client.CoreV1()), "": sinks.Discard,
	} {
		b, rec := start(t, sink)
		got := make(chan string, 1)
		b.OnRequest(func(r events.Request) { got <- r.API })
		rec.Eventf(newPod("a"), nil, "Normal", "Started", "Start", "")
		flush(t, b)
		if api := <-got; api != want {
			t.Errorf("%q, want %q", api, want)
		}
	}
}

// Who calls a sink that is no broadcaster asks for no write.
func TestWriteFromContextOfNobody(t *testing.T) {
	if w, ok := events.WriteFromContext(context.Background()); ok || w != (events.Write{}) {
		t.Errorf("%+v, %v", w, ok)
	}
}

// The oldest is that of the series that waits longest, and since its last write at most.
func TestOldestPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		check := func(want time.Time) {
			t.Helper()
			if got := b.Stats().OldestPending; !got.Equal(want) {
				t.Errorf("pending since %v, want %v", got, want)
			}
		}
		check(time.Time{})
		began := time.Now()
		sink.FailNext(-1, errForbidden)
		for _, name := range []string{"a", "a", "b"} {
			rec.Eventf(newPod(name), nil, "Normal", "Started", "Start", "")
			check(began)
			time.Sleep(time.Minute)
		}
		check(began)
		sink.Heal()
		time.Sleep(time.Minute)
		check(time.Time{})
		for range 3 { // the first makes it a series and is written at once
			rec.Eventf(newPod("b"), nil, "Normal", "Started", "Start", "")
			time.Sleep(time.Second)
		}
		check(time.Now().Add(-2 * time.Second))
	})
}
