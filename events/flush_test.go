// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

func TestFlushWritesWhatIsUnwritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		b, rec := start(t, sink)
		for range 3 {
			record(rec, 1, "web")
			flush(t, b)
			time.Sleep(time.Second)
		}
		record(rec, 1, "web") // not doubled: it would wait
		synctest.Wait()
		flush(t, b)
		sink.check(t, "@0s create web", "@1s patch web count=2 last=@1s", "@2s patch web count=3 last=@2s",
			"@3s patch web count=4 last=@3s")
		began := time.Now()
		flush(t, b) // nothing to do
		if took := time.Since(began); took != 0 || len(sink.Calls()) != 4 {
			t.Errorf("an empty flush took %v and made %d calls in all", took, len(sink.Calls()))
		}
	})
}

// What is recorded during a flush is not waited for: a hot loop cannot hold it up.
func TestFlushIsNotHeldUpByLaterOccurrences(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.SetLatency(time.Second)
		b, rec := start(t, sink)
		ctx, stop := context.WithCancel(t.Context())
		var loop sync.WaitGroup
		loop.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				record(rec, 1, "web")
				record(rec, 1, fmt.Sprint("web-", i%100))
				time.Sleep(10 * time.Millisecond)
			}
		})
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		flush(t, b)
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("Flush took %v", took)
		}
		stop()
		loop.Wait()
	})
}

// If ctx ends first the error says how much is unwritten; nothing is dropped.
func TestFlushTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.Hold()
		b, rec := start(t, sink)
		record(rec, 2, "web")
		record(rec, 1, "other")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := b.Flush(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "2 series") {
			t.Errorf("Flush: %v, want 2 series and the context's error", err)
		}
		checkDropped(t, b, nil)
		sink.Release()
		flush(t, b)
		if s := b.Stats(); s.Recorded != 3 {
			t.Errorf("recorded %d, want 3", s.Recorded)
		}
	})
}

// With nothing to write, a context that has ended is no reason for an error.
func TestFlushOfNothingWithADeadContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, eventstest.NewSink())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 50 { // a select would choose at random
			if err := b.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A drop ends the wait as a write does.
func TestFlushReturnsWhenDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.FailNext(-1, errInvalid)
		b, rec := start(t, sink)
		record(rec, 2, "web")
		flush(t, b)
		checkDropped(t, b, map[events.DropReason]int64{events.Rejected: 2})
	})
}

// Flush waits behind a gate: it does not hammer a server that asked for time.
func TestFlushDoesNotClearGates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		sink.FailNext(1, errOverloaded)
		b, rec := start(t, sink)
		record(rec, 1, "web")
		flush(t, b)
		if calls := sink.calls(); len(calls) != 2 || calls[1] < time.Second {
			t.Errorf("calls at %v, want the second after the server's Retry-After of 1 s", calls)
		}
	})
}

// After Drain there is nothing to flush.
func TestFlushAfterDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink())
		record(rec, 2, "web")
		b.Shutdown()
		flush(t, b)
	})
}

// A flush that waits when Drain gives up returns: all is dropped.
func TestFlushDuringDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.Hold()
		b, rec := start(t, sink)
		record(rec, 2, "web")
		var flushed sync.WaitGroup
		flushed.Go(func() { flush(t, b) })
		synctest.Wait()
		drain(t, b, time.Second)
		flushed.Wait()
	})
}

func TestFlushConcurrentSafe(t *testing.T) {
	sink := eventstest.NewSink()
	b, rec := start(t, sink)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 20 {
				record(rec, 3, fmt.Sprint("web-", i))
				flush(t, b)
			}
		})
	}
	all.Wait()
	if s := b.Stats(); s.Recorded != 240 || s.Pending != 0 {
		t.Errorf("%+v, want all 240 recorded", s)
	}
}
