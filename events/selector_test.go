// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"testing"
	"testing/synctest"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A selector mutes from now on; what is pending is written, a series that is muted stays as it is, and goes on when it is
// selected again.
//
// Caught: what was pending dropped; a muted occurrence in the count that the server gets; the selector that was judged
// first kept for a series.
func TestSelector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, handled := eventstest.NewSink(), &drops{}
		b, rec := start(t, sink, handled.option())
		sink.Hold()
		record(rec, 3, "web")
		setSelector(t, b, "type=Warning")
		record(rec, 4, "web")
		record(rec, 1, "new")
		rec.Eventf(newPod("web"), nil, "Warning", "BackOff", "Restart", "again")
		sink.Release()
		flush(t, b)
		handled.check(t, "Muted x1: Normal Killing about Pod web", "Muted x1: Normal Killing about Pod web",
			"Muted x1: Normal Killing about Pod web", "Muted x1: Normal Killing about Pod web",
			"Muted x1: Normal Killing about Pod new")
		if s := b.Stats(); s.Recorded != 4 || s.Dropped[events.Muted] != 5 || s.Series != 2 {
			t.Errorf("%+v, want 4 recorded, 5 muted, 2 series", s)
		}
		setSelector(t, b, "")
		record(rec, 2, "web")
		flush(t, b)
		counts := map[string]int64{}
		for _, e := range sink.Events() {
			counts[e.Reason] = 1
			if e.Series != nil {
				counts[e.Reason] = int64(e.Series.Count)
			}
		}
		if counts["Killing"] != 5 || counts["BackOff"] != 1 {
			t.Errorf("the server has %v, want 5 of Killing and 1 of BackOff", counts)
		}
	})
}

func setSelector(t *testing.T, b *events.Broadcaster, text string) {
	t.Helper()
	if err := b.SetSelector(text); err != nil {
		t.Fatal(err)
	}
}

// Caught: a selector that is taken although it is none; a snapshot of another one.
func TestInvalidSelectorChangesNothing(t *testing.T) {
	b := events.NewBroadcaster(eventstest.NewSink(), quiet)
	setSelector(t, b, "type=Warning")
	if err := b.SetSelector("reasn=BackOff"); err == nil {
		t.Error("an unknown field is no error")
	}
	record(newRecorder(b), 1, "web")
	if s := b.Snapshot(0); s.Stats.Dropped[events.Muted] != 1 || s.Selector != "type=Warning" {
		t.Errorf("selector %q, %+v; want the first one and 1 muted", s.Selector, s.Stats)
	}
}

// I2: neither a repeat that is selected nor one that is muted allocates; watchers get both.
//
// Caught: a selector that is asked through an interface.
func TestI2SelectorAllocatesNothing(t *testing.T) {
	for selector, muted := range map[string]bool{"type=Normal": false, "type!=Normal": true} {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		setSelector(t, b, selector)
		rec, pod := newRecorder(b), newPod("web")
		if n := testing.AllocsPerRun(1000, func() { rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "note") }); n != 0 {
			t.Errorf("%q: %v allocations per occurrence, want none", selector, n)
		}
		if s := b.Stats(); (s.Dropped[events.Muted] == s.Observed) != muted {
			t.Errorf("%q: %+v, want muted: %v", selector, s, muted)
		}
	}
}

func TestWatchersGetWhatIsMuted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink())
		setSelector(t, b, "type=Warning")
		seen := watch(t, b)
		record(rec, 2, "web")
		synctest.Wait()
		if n := len(seen()); n != 2 {
			t.Errorf("the watcher got %d, want 2", n)
		}
	})
}
