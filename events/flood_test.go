// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/heap"
)

// flood returns n, the size of a flood. It is a tenth of that in short mode, and under the race detector, which slows a
// flood down tenfold.
func flood(n int) int {
	if raceEnabled || testing.Short() {
		return n / 10
	}
	return n
}

// I5, and the line of kubernetes/kubernetes#140393 (3 million goroutines, 30 GiB) in a unit test: five million
// occurrences of one event while the server hangs take no memory and no goroutine, and none of them is lost.
func TestI5FiveMillionRepeats(t *testing.T) {
	const callers = 4
	each := flood(1_250_000)
	sink := eventstest.NewSink()
	b, rec := start(t, sink, events.WithWriteTimeout(time.Hour))
	record(rec, 1, "warm-up")
	flush(t, b)
	sink.Hold()
	record(rec, 1, "web")
	goroutines, base := runtime.NumGoroutine(), heap.Live()
	var all sync.WaitGroup
	for range callers {
		all.Go(func() { record(rec, each, "web") })
	}
	all.Wait()
	if n := runtime.NumGoroutine(); n > goroutines+callers { // the callers' goroutines may not be gone yet
		t.Errorf("%d goroutines after the flood, %d before", n, goroutines)
	}
	if grown := heap.Live() - base; grown > 1<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	sink.Release()
	flush(t, b)
	want := int64(callers*each + 1)
	s := b.Stats()
	if s.Recorded != want+1 || s.Pending != 0 || s.Series != 2 {
		t.Errorf("%+v, want %d recorded", s, want+1)
	}
	for _, e := range sink.Events() {
		if e.Regarding.Name == "web" && count(&e) != want {
			t.Errorf("the server counts %d, want %d", count(&e), want)
		}
	}
	if n := sink.Counts(); n.Creates != 2 || n.Patches > 1 {
		t.Errorf("%+v, want a create and at most one patch for all", n)
	}
}

// I5: memory is bounded by WithMaxSeries, whatever the caller emits.
func TestI5AMillionDifferentEvents(t *testing.T) {
	const most = 1000
	different := flood(1_000_000)
	sink := eventstest.NewSink()
	sink.Hold()
	b, rec := start(t, sink, events.WithMaxSeries(most), events.WithWriteTimeout(time.Hour))
	emit := func(i int) {
		ref := &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: fmt.Sprint("web-", i)}
		rec.Eventf(ref, nil, "Normal", "Killing", "Kill", "stopping")
	}
	for i := range 2 * most {
		emit(i)
	}
	goroutines, base := runtime.NumGoroutine(), heap.Live()
	for i := range different {
		emit(i)
	}
	const hanging = 3 // workers, which others take the place of
	if n := runtime.NumGoroutine(); n > goroutines+hanging {
		t.Errorf("%d goroutines after the flood, %d before", n, goroutines)
	}
	if grown := heap.Live() - base; grown > 1<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	s := b.Stats()
	checkConserved(t, s)
	// The first thousand have their series, and count twice.
	if s.Series != most || s.Pending != 2*most || s.Dropped[events.CacheFull] != int64(different) {
		t.Errorf("%d series, %d pending, %d dropped, want %d, %d, %d",
			s.Series, s.Pending, s.Dropped[events.CacheFull], most, 2*most, different)
	}
	sink.Release()
	flush(t, b)
	if n := len(sink.Events()); n != most {
		t.Errorf("%d Events, want %d", n, most)
	}
}

// I5 holds in an outage that outlasts WithRetryFor, too: nothing is kept of what was dropped.
func TestI5NothingIsLeftOfAnOutage(t *testing.T) {
	const most = 500
	rounds := flood(200)
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.CountOnly()
		sink.FailNext(-1, errUnavailable)
		b, rec := start(t, sink, events.WithMaxSeries(most), events.WithFinishInterval(time.Minute),
			events.WithRetryFor(time.Minute))
		round := func(n int) {
			for i := range most {
				record(rec, 1, fmt.Sprintf("web-%d-%d", n, i))
			}
			time.Sleep(2 * time.Minute)
		}
		for n := range 5 {
			round(n)
		}
		base := heap.Live()
		for n := range rounds {
			round(100 + n)
		}
		if grown := heap.Live() - base; grown > 2<<20 {
			t.Errorf("the heap grew by %d bytes", grown)
		}
		checkDropped(t, b, map[events.DropReason]int64{events.TooOld: int64(most * (5 + rounds))})
	})
}
