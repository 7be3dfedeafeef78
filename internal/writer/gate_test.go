// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"testing"
	"time"
)

var epoch = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func whole(d time.Duration) time.Duration { return d }

// probe lets job through g at the first moment that it is admitted.
func probe(t *testing.T, g *gate, job uint64) (at time.Time) {
	t.Helper()
	at = g.until
	if ok, _ := g.admits(at.Add(-1)); ok {
		t.Fatalf("job %d is admitted before %v", job, at)
	}
	if ok, _ := g.admits(at); !ok {
		t.Fatalf("job %d is not admitted at %v", job, at)
	}
	g.enter(job)
	return at
}

func TestGateDoublesFromFirstToLongest(t *testing.T) {
	var g gate
	g.shut(epoch, 0, g.leave(1), whole)
	now := epoch
	for i, want := range []time.Duration{
		250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second,
		16 * time.Second, 30 * time.Second, 30 * time.Second,
	} {
		job := uint64(i + 2)
		at := probe(t, &g, job)
		if got := at.Sub(now); got != want {
			t.Errorf("wait %d is %v, want %v", i, got, want)
		}
		now = at
		g.shut(now, 0, g.leave(job), whole)
	}
}

func TestGateJitterStaysWithinTheWait(t *testing.T) {
	jitter := fullJitter(time.Now())
	for _, wait := range []time.Duration{firstWait, longestWait} {
		shortest := wait
		for range 1000 {
			got := jitter(wait)
			if got <= 0 || got > wait {
				t.Fatalf("jitter(%v) is %v", wait, got)
			}
			shortest = min(shortest, got)
		}
		if shortest > wait/2 {
			t.Errorf("the shortest of 1000 waits of %v is %v: this is no full jitter", wait, shortest)
		}
	}
}

func TestGateJitterIsNotWhatDoubles(t *testing.T) {
	var g gate
	tenth := func(d time.Duration) time.Duration { return d / 10 }
	g.shut(epoch, 0, false, tenth)
	if got, want := g.until, epoch.Add(25*time.Millisecond); !got.Equal(want) {
		t.Errorf("until %v, want %v", got, want)
	}
	now := probe(t, &g, 1)
	g.shut(now, 0, g.leave(1), tenth)
	if got, want := g.until, now.Add(50*time.Millisecond); !got.Equal(want) {
		t.Errorf("until %v, want %v", got, want)
	}
}

func TestGateNeverUndercutsTheServersWord(t *testing.T) {
	var g gate
	g.shut(epoch, 7*time.Second, false, whole)
	if got, want := g.until, epoch.Add(7*time.Second); !got.Equal(want) {
		t.Errorf("until %v, want %v", got, want)
	}
	// Another write that was under way hears a longer word, then a shorter one.
	g.shut(epoch.Add(time.Second), 9*time.Second, false, whole)
	g.shut(epoch.Add(2*time.Second), time.Second, false, whole)
	if got, want := g.until, epoch.Add(10*time.Second); !got.Equal(want) {
		t.Errorf("until %v, want %v", got, want)
	}
	// The word does not stop the wait from growing.
	now := probe(t, &g, 1)
	g.shut(now, time.Millisecond, g.leave(1), whole)
	if got, want := g.until, now.Add(2*firstWait); !got.Equal(want) {
		t.Errorf("until %v, want %v", got, want)
	}
}

// A write that was under way when the server asked to wait may succeed: the
// server's word stands. Where it said nothing, one good answer is enough.
// Caught: pass opens whatever the server asked.
func TestGateKeepsTheServersWordWhileOthersSucceed(t *testing.T) {
	var g gate
	g.shut(epoch, 7*time.Second, false, whole)
	g.pass(epoch.Add(time.Second), false)
	if ok, retry := g.admits(epoch.Add(time.Second)); ok || !retry.Equal(epoch.Add(7*time.Second)) {
		t.Errorf("admits %v, retry %v: the server's word is forgotten", ok, retry)
	}
	now := probe(t, &g, 1)
	g.pass(now, g.leave(1))
	if g.closed() {
		t.Error("still closed after the probe has passed")
	}
	g.shut(now, 0, false, whole)
	g.pass(now, false)
	if g.closed() {
		t.Error("still closed after a good answer, and the server had not asked to wait")
	}
}

// A time that is further ahead than any wait is one of a clock that was set back.
// Caught: admits without the look at longest; longest+skew without the skew.
func TestGateOutlivesAClockThatIsSetBack(t *testing.T) {
	for _, floor := range []time.Duration{0, time.Minute} {
		var g gate
		g.shut(epoch, floor, false, whole)
		if ok, _ := g.admits(epoch.Add(-time.Millisecond)); ok {
			t.Errorf("floor %v: a reading of the clock just before is no clock set back", floor)
		}
		back := epoch.Add(-time.Hour)
		if ok, _ := g.admits(back); !ok {
			t.Fatalf("floor %v: nothing passes for an hour", floor)
		}
		g.enter(1)
		g.shut(back, floor, g.leave(1), whole)
		if ok, retry := g.admits(back); ok || retry.After(back.Add(max(floor, 2*firstWait))) {
			t.Errorf("floor %v: admits %v, retry %v after the clock was set back", floor, ok, retry)
		}
	}
}

func TestGateOnlyTheProbeDoubles(t *testing.T) {
	var g gate
	g.shut(epoch, 0, false, whole)
	for range 3 { // writes that were under way report the same fault
		g.shut(epoch, 0, g.leave(7), whole)
	}
	if g.wait != firstWait {
		t.Errorf("wait %v, want %v", g.wait, firstWait)
	}
}

func TestGateAdmitsOneProbe(t *testing.T) {
	var g gate
	g.shut(epoch, 0, false, whole)
	if ok, retry := g.admits(epoch); ok || !retry.Equal(epoch.Add(firstWait)) {
		t.Errorf("admits %v, retry %v", ok, retry)
	}
	now := probe(t, &g, 1)
	if ok, retry := g.admits(now.Add(time.Hour)); ok || !retry.IsZero() {
		t.Errorf("a second write passes beside the probe: %v, retry %v", ok, retry)
	}
	g.leave(2) // a write that was under way
	if ok, _ := g.admits(now); ok {
		t.Error("the end of another write ends the probe")
	}
	// The probe was not sent after all: the next write is the probe.
	g.leave(1)
	if ok, _ := g.admits(now); !ok {
		t.Error("no write passes after the probe")
	}
}

// A probe that outlives its gate must not clear the way beside the new probe.
func TestGateForgetsTheProbeOfAnEarlierClosing(t *testing.T) {
	var g gate
	g.shut(epoch, 0, false, whole)
	now := probe(t, &g, 1)
	g.open() // a write that was under way succeeded
	g.shut(now, 0, false, whole)
	now = probe(t, &g, 2)
	g.shut(now, 0, g.leave(1), whole)
	if g.wait != firstWait {
		t.Errorf("the old probe doubled the wait to %v", g.wait)
	}
	if ok, _ := g.admits(now.Add(time.Hour)); ok {
		t.Error("the old probe ended the new one")
	}
}

func TestGateOpens(t *testing.T) {
	var g gate
	if ok, _ := g.admits(epoch); !ok {
		t.Error("the zero gate is closed")
	}
	g.enter(1)
	if g.leave(1) {
		t.Error("there is a probe through an open gate")
	}
	g.shut(epoch, time.Hour, false, whole)
	g.open()
	if ok, _ := g.admits(epoch); !ok {
		t.Error("still closed")
	}
	g.shut(epoch, 0, false, whole)
	if g.wait != firstWait {
		t.Errorf("wait %v after it was open, want %v", g.wait, firstWait)
	}
}
