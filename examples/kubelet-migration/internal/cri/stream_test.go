// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// received empties a stream and reports whether it is still open.
func received(events <-chan Event) (got []EventType, open bool) {
	synctest.Wait()
	for {
		select {
		case event, ok := <-events:
			if !ok {
				return got, false
			}
			got = append(got, event.Type)
		default:
			return got, true
		}
	}
}

func watch(t *testing.T, r *Runtime) <-chan Event {
	t.Helper()
	events, err := r.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func TestStreamTellsTheLifeOfAContainer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, id := newPod(t, Image{Name: "app"})
		defer r.Close()
		events := watch(t, r)
		second := start(t, r, "app")
		if err := r.StopContainer(t.Context(), uid, second); err != nil {
			t.Fatal(err)
		}
		r.RemoveContainer(uid, second)
		r.RemovePod(uid)
		got, _ := received(events)
		want := []EventType{ContainerCreated, ContainerStarted, ContainerStopped, ContainerDeleted, ContainerDeleted}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events after %s (-want +got):\n%s", id, diff)
		}
	})
}

func TestEventCarriesThePodJustAfterTheChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, first := newPod(t, Image{Name: "app"})
		defer r.Close()
		events := watch(t, r)
		if err := r.StopContainer(t.Context(), uid, first); err != nil {
			t.Fatal(err)
		}
		stoppedAt := time.Now()
		start(t, r, "app") // changes the pod again, not what was sent
		event := <-events
		if c := event.Status.Latest("main"); c == nil || c.ID != first || c.State != Exited {
			t.Errorf("status in the event: %+v, want %s exited", event.Status, first)
		}
		if c := event.Pod.Find(first); c == nil || c.State != Exited || !event.Pod.At.Equal(stoppedAt) {
			t.Errorf("pod in the event: %+v, want %s exited at %v", event.Pod, first, stoppedAt)
		}
	})
}

func TestCutStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newPod(t, Image{Name: "app"})
		defer r.Close()
		events := watch(t, r)
		r.CutStream()
		if _, open := received(events); open {
			t.Error("the stream is open after the cut")
		}
		if _, err := r.Watch(t.Context()); !errors.Is(err, ErrStream) {
			t.Errorf("Watch after the cut: %v, want ErrStream", err)
		}
		r.RestoreStream()
		start(t, r, "app")
		watch(t, r)
	})
}

func TestStreamEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New()
		ctx, cancel := context.WithCancel(t.Context())
		events, err := r.Watch(ctx)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, open := received(events); open {
			t.Error("the stream is open after its context ended")
		}
		r.CutStream() // nothing left to end
	})
}

func TestSlowReceiverLosesTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newPod(t, Image{Name: "app"})
		defer r.Close()
		events := watch(t, r)
		for range streamSize/2 + 1 { // two events each
			start(t, r, "app")
		}
		got, open := received(events)
		if open || len(got) != streamSize {
			t.Errorf("%d events, open=%v, want the stream to end after %d", len(got), open, streamSize)
		}
	})
}
