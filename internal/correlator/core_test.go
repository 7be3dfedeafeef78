// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

// The correlator names aggregate Events by the clock of its options, and by the broadcaster's clock
// if the options have none.
func TestClock(t *testing.T) {
	clk := clocktesting.NewFakeClock(time.Unix(1, 0))
	if c, ok := New(record.CorrelatorOptions{}, 0, clk).options.Clock.(*uniqueClock); !ok || c.PassiveClock != clk {
		t.Error("the correlator does not go by the broadcaster's clock")
	}
	if New(record.CorrelatorOptions{Clock: clk}, 0, nil).options.Clock != clk {
		t.Error("the correlator does not go by its own clock")
	}
}

// nowhere is a sink that gets no request in these tests.
type nowhere struct{ record.EventSink }

// attached returns a core with one sink and n pending occurrences about one object, one second
// apart, and the first of them as the only one that is due.
func attached(t *testing.T, n int) (c *Core, due []series.Due) {
	t.Helper()
	c = New(record.CorrelatorOptions{}, 0, clocktesting.NewFakeClock(began))
	if _, err := c.Attach(nowhere{}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		at := began.Add(time.Duration(i) * time.Second)
		r := c.Observe(&series.Occurrence{Key: series.Key{Type: corev1.EventTypeNormal}, At: at})
		if r.Dropped != 0 {
			t.Fatalf("%+v", r)
		}
		due = append(due, r.Effects.Due...)
	}
	if len(due) != 1 {
		t.Fatalf("%d are due, want the first one", len(due))
	}
	return c, due
}

var began = time.Unix(1, 0)

// Flushes that time out while the server is down do not add up: only the last one is kept.
func TestFlushCancelled(t *testing.T) {
	c, due := attached(t, 1)
	var last *series.Flush
	for range 100 {
		last = series.NewFlush()
		c.Flush(began, last)
		last.Add(-1)
		if last.Remaining() != 1 {
			t.Fatalf("waits for %d, want the one that is queued", last.Remaining())
		}
		last.Cancel()
	}
	if left := due[0].Item.(*occurrence).flushes; len(left) != 1 || left[0] != last {
		t.Errorf("%d waits are left behind", len(left))
	}
}

// Expire needs no notice of the first occurrence, because it asks to be called again before an
// occurrence that comes now would be too old.
func TestExpireNext(t *testing.T) {
	c := New(record.CorrelatorOptions{}, 0, nil)
	if _, next := c.Expire(began); next.IsZero() || next.After(began.Add(timing.RetryFor)) {
		t.Errorf("next at %v, want it before anything that comes now is too old", next)
	}
	c, due := attached(t, 1)
	effects, next := c.Expire(began.Add(timing.RetryFor - 1))
	if len(effects.Dropped) != 0 || !next.Equal(began.Add(timing.RetryFor)) {
		t.Errorf("dropped %d, next at %v, want it when the occurrence is too old", len(effects.Dropped), next)
	}
	if effects, _ = c.Expire(next); len(effects.Dropped) != 1 || !due[0].Gone() {
		t.Errorf("dropped %d, want one", len(effects.Dropped))
	}
}

func TestExpireMakesTheNextOneDue(t *testing.T) {
	c, due := attached(t, 3)
	effects, _ := c.Expire(began.Add(timing.RetryFor + time.Second))
	if len(effects.Dropped) != 2 || len(effects.Due) == 0 {
		t.Fatalf("dropped %d, %d are due, want the third one due", len(effects.Dropped), len(effects.Due))
	}
	if next := effects.Due[len(effects.Due)-1]; next.Gone() || next.Item == due[0].Item {
		t.Error("one that is gone is due")
	}
}

// An occurrence that is too old behind one that is being written is dropped, and the write keeps
// its turn.
func TestExpireBehindAWrite(t *testing.T) {
	c, due := attached(t, 3)
	w, _ := due[0].Begin(time.Time{})
	if w == nil {
		t.Fatal("nothing to write")
	}
	effects, _ := c.Expire(began.Add(timing.RetryFor + time.Second))
	if len(effects.Dropped) != 1 || len(effects.Due) != 0 || due[0].Gone() {
		t.Errorf("dropped %d, %d are due, want the second one dropped", len(effects.Dropped), len(effects.Due))
	}
	_, effects = due[0].Settle(w, request.Verdict{Action: request.Stored}, nil, began)
	if len(effects.Due) != 1 || effects.Due[0].Gone() {
		t.Errorf("%d are due, want the third one", len(effects.Due))
	}
	if now := c.Snapshot(); now.Series != 1 || now.Total().Recorded != 1 || now.Total().Pending != 1 {
		t.Errorf("%+v", now.Total())
	}
}

// The attempt that fails when the occurrence is too old is the last one. Settle must drop it,
// because Expire passes over an occurrence that is being written and may be called next in an hour.
func TestSettleTooOld(t *testing.T) {
	_, due := attached(t, 2)
	fail := func(at time.Time) (request.Class, series.Effects) {
		w, _ := due[0].Begin(at)
		if w == nil {
			t.Fatal("nothing to write")
		}
		return due[0].Settle(w, request.Verdict{Action: request.Retry}, nil, at)
	}
	if next, effects := fail(began.Add(timing.RetryFor - 1)); next == request.NoWrite || len(effects.Dropped) != 0 {
		t.Errorf("class %v, dropped %d, want another attempt", next, len(effects.Dropped))
	}
	next, effects := fail(began.Add(timing.RetryFor))
	if next != request.NoWrite || len(effects.Dropped) != 1 || effects.Dropped[0].Reason != stats.TooOld {
		t.Errorf("class %v, dropped %+v, want it dropped as too old", next, effects.Dropped)
	}
	if len(effects.Due) != 1 || effects.Due[0].Gone() {
		t.Errorf("%d are due, want the next one", len(effects.Due))
	}
}

func TestUniqueClockNeverRepeat(t *testing.T) {
	clk := clocktesting.NewFakePassiveClock(time.Unix(100, 0))
	s := &uniqueClock{PassiveClock: clk}
	last := s.Now()
	for _, at := range []time.Time{time.Unix(100, 0), time.Unix(100, 1), time.Unix(99, 0), time.Unix(200, 0)} {
		clk.SetTime(at)
		now := s.Now()
		if !now.After(last) || now.Sub(at) > 2*time.Second {
			t.Errorf("at %v Now() = %v, after %v", at, now, last)
		}
		last = now
	}
	if !last.Equal(time.Unix(200, 0)) || s.Since(time.Unix(190, 0)) != 10*time.Second {
		t.Errorf("Now() = %v, want the clock's own time when it moves", last)
	}
}

func TestUniqueClockConcurrentSafe(t *testing.T) {
	s := &uniqueClock{PassiveClock: clocktesting.NewFakePassiveClock(time.Unix(100, 0))}
	var seen sync.Map
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if _, again := seen.LoadOrStore(s.Now(), true); again {
					t.Error("the same time twice")
				}
			}
		})
	}
	wg.Wait()
}
