// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
)

// Work is charged to the last microsecond, also what goes on after the calls;
// looking whether there is any is not.
//
// Caught: pauses that were charged; a settle that ended at the first quiet look.
func TestPausesAreNotCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), time.Duration(0)
		p := newPauses(&contender.Contender{Sink: &contender.Sink{}})
		p.alive = func() int { return p.goroutines }
		p.cpu = func() time.Duration { // a millisecond a look for five looks but one, then what a look takes
			looks := time.Since(start) / look
			busy := min(looks, 5)
			if looks >= 2 {
				busy-- // the second look
			}
			return calls + busy*time.Millisecond + (looks-busy)*10*time.Microsecond
		}
		p.pause()
		if got, want := time.Since(start), 7*look; got != want {
			t.Errorf("the pause took %v, want %v", got, want)
		}
		calls += 7 * time.Millisecond
		p.pause()
		calls += 2 * time.Millisecond
		p.settle()
		if got, want := p.cost(0), 13*time.Millisecond; got != want {
			t.Errorf("charged %v, want %v", got, want)
		}
	})
}

// Caught: a pause that ended while a peer's goroutine slept in the sink.
func TestPausesWaitForGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		p := newPauses(&contender.Contender{Sink: &contender.Sink{}})
		p.cpu = func() time.Duration { return 0 }
		p.alive = func() int { // the process may have others, which end
			if time.Since(start) < time.Second {
				return p.goroutines + 1
			}
			return p.goroutines
		}
		p.pause()
		if got := time.Since(start); got < time.Second {
			t.Errorf("the pause took %v, want the second that a goroutine had to do", got)
		}
	})
}
