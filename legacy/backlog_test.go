// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
)

// full returns a broadcaster with room for four, whose sink answers nothing, so
// that the first occurrence recorded is on its way for good.
func full(t *testing.T, lost *[]string) (*Broadcaster, func(name, eventType, message string), func()) {
	t.Helper()
	var mu sync.Mutex
	held := make(chan struct{})
	sink := &server{script: func(sinkCall) error { <-held; return nil }}
	b, recorder := recordTo(sink, withQueueSize(4), events.WithMaxInFlight(1), events.WithDropHandler(func(d events.Drop) {
		mu.Lock() // recorders and the timer drop
		defer mu.Unlock()
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
		"Normals leave a quarter to Warnings": {func(add func(_, _, _ string)) {
			add("a", "Warning", "1")
			add("b", "Normal", "2")
			add("c", "Normal", "3")
			add("a", "Normal", "4")
			add("a", "Warning", "5")
			add("d", "Warning", "6")
		}, []string{"QueueFull c Normal", "QueueFull a Normal", "QueueFull d Warning"}},
		"Warnings leave nothing to Normals": {func(add func(_, _, _ string)) {
			for i := range 3 {
				add("a", "Warning", fmt.Sprint(i))
			}
			add("b", "Normal", "4")
			add("b", "Warning", "5")
		}, []string{"QueueFull b Normal", "QueueFull b Warning"}},
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
			})
		})
	}
}

// What client-go's correlator has counted is never dropped: the count of the next
// occurrence includes it, and the server would have more than was recorded. The queue is
// full; the oldest has been tried, and refused for the moment.
func TestCountedOccurrencesDoNotGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := status(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests)
		sink := &server{script: failing(refused, refused)} // the first retry comes at once
		b, recorder := recordTo(sink, withQueueSize(2), events.WithMaxInFlight(1))
		recorder.Event(pod("a"), "Normal", "Started", "m")
		synctest.Wait()
		recorder.Event(pod("a"), "Normal", "Started", "m")
		recorder.Event(pod("b"), "Warning", "Failed", "m") // finds no room
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder.Event(pod("a"), "Normal", "Started", "m")
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 3, "QueueFull": 1, "Unconfirmed": 0})
		var onServer int64
		for _, event := range sink.stored {
			onServer += int64(event.Count)
		}
		if onServer != 3 {
			t.Errorf("%d occurrences on the server, want the 3 that are recorded: %q", onServer, sink.lines())
		}
	})
}

// What waits behind an outage of more than an hour is dropped.
func TestOldOccurrencesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost []string
		b, add, finish := full(t, &lost)
		for i := range 3 {
			add("a", "Warning", fmt.Sprint(i))
		}
		time.Sleep(61 * time.Minute)
		synctest.Wait()
		add("b", "Normal", "new")
		want := []string{"TooOld a Warning", "TooOld a Warning", "TooOld a Warning"}
		if diff := cmp.Diff(want, lost); diff != "" {
			t.Errorf("dropped (-want +got):\n%s", diff)
		}
		finish()
		checkStats(t, b.Stats(), map[string]int64{"TooOld": 3, "Recorded": 2})
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
		synctest.Wait()
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
