// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
)

// drainTimeout is the default.
const drainTimeout = 5 * time.Second

// A component works until its context ends, says so, and shuts down last. It loses nothing, also when the server was
// away until then.
//
// Caught: an end of the context that ends admission; one that leaves the gates closed.
func TestWhatIsSaidAfterTheContextIsWritten(t *testing.T) {
	for name, answer := range map[string]error{"healthy": nil, "the server was away": unavailable()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour/2)
				defer cancel()
				sink := &server{script: func(sinkCall) error { return answer }}
				var b *Broadcaster
				func() {
					var recorder EventRecorder
					b, recorder = recordTo(sink, WithContext(ctx))
					defer b.Shutdown()
					recorder.Event(pod("a"), "Normal", "Working", "m")
					time.Sleep(time.Hour/2 - 1)
					sink.answer(nil)
					<-ctx.Done()
					synctest.Wait()
					checkStats(t, b.Stats(), map[string]int64{"Recorded": 1})
					time.Sleep(drainTimeout - time.Second)
					recorder.Event(pod("a"), "Normal", "Stopped", "m")
				}()
				checkStats(t, b.Stats(), map[string]int64{"Observed": 2, "Recorded": 2})
			})
		})
	}
}

// If nobody calls Drain or Shutdown, the broadcaster ends all the same, a drain timeout after its context: the bubble
// fails if a goroutine is left. What comes then is dropped, and the log says so with the number, each time that has doubled.
//
// Caught: a guard that waits for ever; a line for each drop, or none.
func TestNobodyCallsShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out buffer
		ctx, cancel := context.WithCancel(t.Context())
		b, recorder := recordTo(&server{}, WithContext(ctx), events.WithLogger(loggerTo(&out, 0)))
		b.StartStructuredLogging(9)
		cancel()
		time.Sleep(drainTimeout - 1)
		recorder.Event(pod("a"), "Normal", "Started", "in time")
		time.Sleep(2)
		synctest.Wait()
		for range 100 {
			recorder.Event(pod("a"), "Normal", "Started", "late")
		}
		time.Sleep(time.Minute)
		recorder.Event(pod("a"), "Normal", "Started", "late")
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 1, "Stopped": 101})
		got := out.String()
		if strings.Count(got, "the broadcaster is shut down") != 7 || strings.Count(got, "\n") != 7 ||
			!strings.Contains(got, "dropped=1\n") || !strings.Contains(got, "dropped=64\n") {
			t.Errorf("logged %s", got)
		}
	})
}

// A server that does not answer costs what WithDrainTimeout says, twice: one for who might call Shutdown, one for it.
func TestNobodyCallsShutdownOfASickServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		sink := &server{script: func(sinkCall) error { return unavailable() }}
		b, recorder := recordTo(sink, WithContext(ctx))
		recorder.Event(pod("a"), "Normal", "Started", "m")
		cancel()
		time.Sleep(2*drainTimeout - 1)
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Pending": 1})
		time.Sleep(1)
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Abandoned": 1})
		if err := b.Drain(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Drain() = %v, want what the first drain returned", err)
		}
	})
}
