// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/events"
)

// full returns a broadcaster with room for four, whose sink answers nothing, so
// that the first occurrence recorded is on its way for good.
func full(t *testing.T, lost *[]string) (*Broadcaster, func(name, eventType, message string), func()) {
	t.Helper()
	held := make(chan struct{})
	sink := &server{script: func(request) error { <-held; return nil }}
	b, recorder := recordTo(sink, withQueueSize(4), WithWorkers(1), WithDropHandler(func(d events.Drop) {
		*lost = append(*lost, fmt.Sprintf("%s %s %s", d.Reason, d.Regarding.Name, d.Type))
	}))
	add := func(name, eventType, message string) { recorder.Event(pod(name), eventType, "Started", message) }
	add("flying", "Normal", "0")
	synctest.Wait()
	return b, add, func() {
		close(held)
		b.Shutdown()
	}
}

func TestQueueFull(t *testing.T) {
	tests := map[string]struct {
		add  func(add func(name, eventType, message string))
		want []string
	}{
		"a Normal newcomer is turned away": {func(add func(_, _, _ string)) {
			add("a", "Warning", "1")
			add("a", "Normal", "2")
			add("b", "Normal", "3")
			add("c", "Normal", "4")
			add("a", "Normal", "5")
		}, []string{"QueueFull c Normal", "QueueFull a Normal"}},
		"a Warning pushes out the oldest Normal that waits": {func(add func(_, _, _ string)) {
			add("a", "Warning", "1")
			add("b", "Normal", "2")
			add("a", "Normal", "3")
			add("flying", "Warning", "4")
			add("a", "Warning", "5")
		}, []string{"QueueFull b Normal", "QueueFull a Normal"}},
		"a Warning pushes out no Warning and nothing in flight": {func(add func(_, _, _ string)) {
			for i := range 3 {
				add("a", "Warning", fmt.Sprint(i))
			}
			add("b", "Warning", "4")
		}, []string{"QueueFull b Warning"}},
		"objects whose last occurrence gave way leave room for others": {func(add func(_, _, _ string)) {
			add("a", "Normal", "1")
			add("b", "Normal", "2")
			add("c", "Normal", "3")
			add("a", "Warning", "4") // pushes out a's own
			add("a", "Warning", "5") // pushes out b's only one
			add("d", "Warning", "6")
		}, []string{"QueueFull a Normal", "QueueFull b Normal", "QueueFull c Normal"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var lost []string
				b, add, finish := full(t, &lost)
				test.add(add)
				if diff := cmp.Diff(test.want, lost); diff != "" {
					t.Errorf("dropped (-want +got):\n%s", diff)
				}
				checkStats(t, b.Stats(), map[string]int64{"QueueFull": int64(len(test.want)), "Pending": 4})
				finish()
				checkStats(t, b.Stats(), map[string]int64{"QueueFull": int64(len(test.want)), "Recorded": 4})
				if n := len(b.outlets); n != 0 {
					t.Errorf("%d sinks left", n)
				}
			})
		})
	}
}

// What waits behind an outage of more than an hour gives way by and by.
func TestOldOccurrencesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost []string
		b, add, finish := full(t, &lost)
		for i := range 3 {
			add("a", "Warning", fmt.Sprint(i))
		}
		time.Sleep(61 * time.Minute)
		add("b", "Normal", "new")
		want := []string{"TooOld a Warning", "TooOld a Warning"}
		if diff := cmp.Diff(want, lost); diff != "" {
			t.Errorf("dropped (-want +got):\n%s", diff)
		}
		finish()
		checkStats(t, b.Stats(), map[string]int64{"TooOld": 2, "Recorded": 3})
	})
}

// Objects whose last occurrence was too old leave room for others, before the writer comes to them.
func TestExpiredObjectsLeaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost []string
		b, add, finish := full(t, &lost)
		for _, name := range []string{"a", "b", "c"} {
			add(name, "Warning", "m")
		}
		time.Sleep(61 * time.Minute)
		add("d", "Normal", "m")
		add("a", "Normal", "m")
		want := []string{"TooOld a Warning", "TooOld b Warning", "TooOld c Warning"}
		if diff := cmp.Diff(want, lost); diff != "" {
			t.Errorf("dropped (-want +got):\n%s", diff)
		}
		finish()
		checkStats(t, b.Stats(), map[string]int64{"TooOld": 3, "Recorded": 3})
	})
}
