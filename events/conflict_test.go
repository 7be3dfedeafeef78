// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

// contested is a store in which somebody else writes between any two of our requests.
type contested struct{ *eventstest.Sink }

func (c contested) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	if string(patch) != "{}" {
		c.FailNext(1, errConflict)
	}
	return c.Sink.Patch(ctx, e, patch)
}

// Caught: a judge that lets every conflict be resent at once.
func TestOneConflictAfterAnotherIsBackedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := contested{eventstest.NewSink()}
		sink.SetLatency(10 * time.Millisecond) // or a loop without a gate would stop the bubble's time
		b, rec := start(t, sink)
		record(rec, 1, "web")
		flush(t, b)
		record(rec, 1, "web")
		time.Sleep(10 * time.Minute)
		if n := len(sink.Calls()); n < 10 || n > 200 {
			t.Errorf("%d requests in ten minutes", n)
		}
		if s := b.Stats(); s.Pending != 1 || s.Recorded != 1 {
			t.Errorf("%d pending, %d recorded, want one of each", s.Pending, s.Recorded)
		}
	})
}

// A patch that timed out may arrive after its successors. None of ours lowers the count then.
// Caught: a patch without a resourceVersion after the conflict.
func TestI3LatePatchesDoNotLowerTheCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &mail{Sink: eventstest.NewSink()}
		b, rec := start(t, sink)
		record(rec, 1, "web")
		flush(t, b)
		sink.LoseNext(1, errTimeout) // the next patch conflicts with this one
		sink.letters = nil
		for range 20 {
			record(rec, 10, "web")
			flush(t, b)
			sink.LoseNext(1, errTimeout)
		}
		sink.Heal()
		record(rec, 1, "web")
		flush(t, b)
		want := count(&sink.Events()[0])
		for _, late := range sink.letters {
			_, _ = sink.Sink.Patch(t.Context(), late.event, late.patch)
		}
		if got := count(&sink.Events()[0]); got != want {
			t.Errorf("count %d once all patches arrived a second time, want %d", got, want)
		}
	})
}

// mail keeps every patch.
type mail struct {
	*eventstest.Sink
	mu      sync.Mutex
	letters []letter
}

type letter struct {
	event *eventsv1.Event
	patch []byte
}

func (m *mail) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	m.mu.Lock()
	m.letters = append(m.letters, letter{e, patch})
	m.mu.Unlock()
	return m.Sink.Patch(ctx, e, patch)
}
