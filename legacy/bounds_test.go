// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/heap"
)

// switchable is a server that nobody answers for while it is down, and that only counts.
type switchable struct {
	delay  time.Duration
	down   atomic.Bool
	stored atomic.Int64
}

func (s *switchable) Create(event *corev1.Event) (*corev1.Event, error) {
	time.Sleep(s.delay)
	if s.down.Load() {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	s.stored.Add(1)
	return event, nil
}

func (s *switchable) Patch(event *corev1.Event, _ []byte) (*corev1.Event, error) {
	return s.Create(event)
}

func (s *switchable) Update(event *corev1.Event) (*corev1.Event, error) { return s.Create(event) }

// A day without a server, with the queue full all the time: memory and goroutines stay what they were after two hours,
// Warnings find the room that Normals leave, what was kept is written when the server is back, and the rest is in Dropped.
//
// Caught: Warnings that are turned away like Normals, and objects without occurrences that count against the bound
// (refused).
func TestI5ADayWithoutTheServer(t *testing.T) {
	const most, each = 512, 100 // in five minutes: the queue is full within the hour
	synctest.Test(t, func(t *testing.T) {
		sink := &switchable{}
		sink.down.Store(true)
		var refused, told atomic.Int64
		b, recorder := recordTo(sink, withQueueSize(most),
			WithCorrelatorOptions(record.CorrelatorOptions{LRUCacheSize: 64}),
			events.WithDropHandler(func(d events.Drop) {
				told.Add(d.Occurrences)
				if d.Type == "Warning" && d.Reason == events.QueueFull {
					refused.Add(1)
				}
			}))
		var base int64
		var goroutines, emitted int
		for tick := range 24 * 12 {
			for range each {
				eventType := "Normal"
				if emitted%10 == 0 {
					eventType = "Warning"
				}
				recorder.Event(pod(fmt.Sprint("web-", emitted)), eventType, "Started", "m")
				emitted++
			}
			time.Sleep(5 * time.Minute)
			if s := b.Stats(); s.Pending > most {
				t.Fatalf("%d pending, want at most %d", s.Pending, most)
			}
			if tick == 2*12 {
				base, goroutines = heap.Live(), runtime.NumGoroutine()
			}
		}
		if grown := heap.Live() - base; grown > base/10+512<<10 {
			t.Errorf("the heap grew by %d bytes from %d since the second hour", grown, base)
		}
		if n := runtime.NumGoroutine(); n != goroutines {
			t.Errorf("%d goroutines, %d in the second hour", n, goroutines)
		}
		if n := refused.Load(); n != 0 {
			t.Errorf("%d Warnings were dropped although Normals have to leave room", n)
		}
		synctest.Wait()
		before := b.Stats()
		balance(t, before)
		checkCounts(t, b)
		if before.Pending < most/2 || before.Dropped[events.QueueFull] == 0 || before.Dropped[events.TooOld] == 0 {
			t.Errorf("the test is too tame: %+v", before)
		}
		sink.down.Store(false)
		if err := b.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		after := b.Stats()
		checkStats(t, after, map[string]int64{"Observed": int64(emitted), "Pending": 0, "Unconfirmed": 0})
		tooOld := after.Dropped[events.TooOld] - before.Dropped[events.TooOld]
		if after.Recorded != before.Pending-tooOld || after.Recorded != sink.stored.Load() ||
			told.Load() != int64(emitted)-after.Recorded {
			t.Errorf("%d were kept, %d of them too old; %d are recorded, %d stored, %d drops told",
				before.Pending, tooOld, after.Recorded, sink.stored.Load(), told.Load())
		}
		b.Shutdown()
	})
}

// While a sink does not return, objects whose occurrences were all dropped are removed by the queue and by the writer.
//
// Caught: queues that stay until the writer comes to them, and a writer that keeps them queued.
func TestI5ForgottenObjectsTakeNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost []string
		_, add, finish := full(t, &lost) // room for four, of which one is on its way for good
		cycle := func(n int) {
			for i := range 3 {
				add(fmt.Sprint("normal-", n, i), "Normal", "m")
			}
			for i := range 3 {
				add(fmt.Sprint("warning-", n, i), "Warning", "m")
			}
			time.Sleep(61 * time.Minute)
			synctest.Wait()
			lost = lost[:0]
		}
		for n := range 1000 {
			cycle(n)
		}
		base := heap.Live()
		for n := range 5000 {
			cycle(1000 + n)
		}
		if grown := heap.Live() - base; grown > 1<<20 {
			t.Errorf("the heap grew by %d bytes", grown)
		}
		finish()
	})
}

// The bound of the queue is one of memory: a large event counts once for each KiB.
//
// Caught: counting every event as one.
func TestI5LargeEventsAreWeighed(t *testing.T) {
	const kib = 1024
	tests := map[string]struct {
		queued  []int // KiB of the Normals
		warning int   // KiB
		refused int   // Normals that find no room
		dropped int   // in the end
	}{
		"all fit":                              {queued: []int{0, 0}, warning: 0},
		"a large Normal finds no room":         {queued: []int{0, 3}, refused: 1, warning: 0, dropped: 1},
		"a large Normal leaves room for one":   {queued: []int{1, 0}, refused: 1, warning: 0, dropped: 1},
		"a large Warning finds no room":        {queued: []int{0, 0}, warning: 1, dropped: 1},
		"a large Warning finds room":           {queued: []int{0}, warning: 1},
		"a Warning that would never find room": {queued: []int{0}, warning: 8, dropped: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var lost []string
				b, add, finish := full(t, &lost) // room for four, of which one is taken
				for _, n := range test.queued {
					add("a", "Normal", strings.Repeat("m", n*kib))
				}
				if len(lost) != test.refused {
					t.Errorf("dropped %v, want %d Normals turned away", lost, test.refused)
				}
				add("a", "Warning", strings.Repeat("m", test.warning*kib))
				if len(lost) != test.dropped {
					t.Errorf("dropped %v, want %d", lost, test.dropped)
				}
				finish()
				total := int64(1 + len(test.queued) + 1)
				checkStats(t, b.Stats(), map[string]int64{
					"Observed": total, "Recorded": total - int64(test.dropped), "QueueFull": int64(test.dropped),
				})
			})
		})
	}
}
