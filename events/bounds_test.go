// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"math"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/heap"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// errDown is the error of client-go while no server listens. It says for certain that nothing was
// applied.
var errDown = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}

// I5: on a day without a server, while the cache is full all the time, memory and goroutines remain
// at their level of noon. (Before noon the hash tables still grow.) Warnings take precedence over
// Normals. When the server is back, the pending occurrences are written with their counts, and all
// others are counted in Dropped.
func TestI5ADayWithoutTheServer(t *testing.T) {
	most := flood(4096)
	// So many new series begin in five minutes, so the cache is full within an hour.
	each := flood(600)
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.CountOnly()
		sink.FailNext(-1, errDown)
		var refused atomic.Int64
		b, rec := start(t, sink, events.WithMaxSeries(most), events.WithDropHandler(func(d events.Drop) {
			if d.Reason == events.DropCacheFull && d.Type == "Warning" {
				refused.Add(1)
			}
		}))
		emit := func(series int) { // of each ten series one is a Warning
			kind := "Normal"
			if series%10 == 0 {
				kind = "Warning"
			}
			rec.Eventf(newPod(fmt.Sprint("web-", series)), nil, kind, "Killing", "Kill", "stopping")
		}
		// Each is the lowest value of two hours. Series that are gone remain in queues for up to an
		// hour, and at the moment of counting the garbage collector or a timer may run another
		// goroutine.
		noon, night := int64(math.MaxInt64), int64(math.MaxInt64)
		before, after := math.MaxInt, math.MaxInt
		for tick := range 24 * 12 {
			for i := range each {
				emit(tick*each + i)
				emit(max(0, tick*each+i-each/2)) // a repeat, of a series that may be gone
			}
			time.Sleep(5 * time.Minute)
			if n := b.Stats().Series; n > most {
				t.Fatalf("%d series, want at most %d", n, most)
			}
			switch {
			case tick > 12*12 && tick < 14*12:
				noon, before = min(noon, heap.Live()), min(before, runtime.NumGoroutine())
			case tick >= 22*12:
				night, after = min(night, heap.Live()), min(after, runtime.NumGoroutine())
			}
		}
		if grown := night - noon; grown > noon/10 || after > before {
			t.Errorf("since noon %d bytes more than %d, and %d goroutines in place of %d", grown, noon, after, before)
		}
		synctest.Wait()
		s := b.Stats()
		if s.Series < most/2 || s.Dropped[events.DropCacheFull] == 0 || s.Dropped[events.DropTooOld] == 0 {
			t.Errorf("the test is too tame: %+v", s)
		}
		if n := refused.Load(); n != 0 {
			t.Errorf("%d Warnings were dropped although there were Normals", n)
		}
		sink.Heal()
		fixture.Flush(t, b)
		var stored int64
		for _, e := range sink.Events() {
			stored += count(&e)
		}
		if now := b.Stats(); now.Recorded != s.Pending || stored != s.Pending || now.Pending != 0 || now.Unconfirmed != 0 {
			t.Errorf("the server counts %d, want the %d that were kept: %+v", stored, s.Pending, now)
		}
		fixture.CheckConserved(t, b.Stats())
	})
}

// I5: nothing is kept in memory of namespaces that are gone, however many there are and whatever
// their answers were.
func TestI5NamespacesComeAndGo(t *testing.T) {
	const rounds = 12
	each := flood(200)
	for name, err := range map[string]error{"fine": nil, "terminating": errTerminating, "forbidden": errForbidden, "timing out": errTimeout} {
		subtest(t, name, options{events.WithFinishInterval(time.Minute), tuning.RetryFor(time.Minute), quiet}, func(r *rig) {
			r.sink.CountOnly()
			r.sink.SetTTL(time.Minute)
			if err != nil {
				r.sink.FailNext(-1, err)
			}
			var base int64
			for n := range rounds {
				for i := range each {
					r.rec.Eventf(fixture.Pod(fmt.Sprintf("ns-%d-%d", n, i), "web"), nil, "Normal", "Killing", "Kill", "note")
				}
				time.Sleep(time.Hour)
				r.sink.Events() // forgets what expired
				r.drops.take()
				r.sink.forget()
				if n == 3 {
					base = heap.Live()
				}
			}
			// About 200 KiB do not depend on the number of namespaces.
			if grown := heap.Live() - base; grown > 512<<10 {
				r.Errorf("the heap grew by %d bytes with %d namespaces", grown, (rounds-4)*each)
			}
			if s := r.b.Stats(); s.Series != 0 || s.Pending != 0 {
				r.Errorf("%+v", s)
			}
		})
	}
}

// Callers cannot fill the log, even if each of their calls differs from all others.
func TestI5TheLogIsBounded(t *testing.T) {
	inBubble(t, options{events.WithMaxSeriesPerObject(math.MaxInt)}, func(r *rig) {
		r.sink.FailNext(-1, errInvalid)
		for i := range 2000 {
			r.say(fmt.Sprint("Refused", i), "note")
			r.rec.Eventf(nil, nil, "Normal", fmt.Sprint("Invalid", i), "Kill", "note")
		}
		r.flush()
		if n := len(r.log.Take()); n != 2*64 {
			r.Errorf("%d lines, want 64 of each sort", n)
		}
	})
}

// flood returns n, the size of a flood. It is a tenth of that in short mode, and under the race
// detector, which slows a flood down tenfold.
func flood(n int) int {
	if raceEnabled || testing.Short() {
		return n / 10
	}
	return n
}

// I5: five million occurrences of one Event while the server hangs take no memory and no goroutine,
// and none of them is lost. In kubernetes/kubernetes#140393 client-go had 3 million goroutines and
// 30 GiB in this case.
func TestI5FiveMillionRepeats(t *testing.T) {
	each, sink := flood(1_250_000), eventstest.NewSink()
	sink.Hold()
	b, rec := start(t, sink, tuning.WriteTimeout(time.Hour))
	record(rec, 1, "web")
	goroutines, base := runtime.NumGoroutine(), heap.Live()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { record(rec, each, "web") })
	}
	all.Wait()
	// Some callers may not have ended yet, and some writes hang and were replaced by others.
	const others = 4
	if n := runtime.NumGoroutine(); n > goroutines+others {
		t.Errorf("%d goroutines after the flood, %d before", n, goroutines)
	}
	if grown := heap.Live() - base; grown > 1<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	fixture.CheckConserved(t, b.Stats())
	sink.Release()
	fixture.Flush(t, b)
	want := int64(4*each + 1)
	if e, s := only(t, sink), b.Stats(); s.Recorded != want || s.Series != 1 || count(&e) != want {
		t.Errorf("%+v, want %d recorded; the server counts %d", s, want, count(&e))
	}
	if n := sink.Counts(); n.Creates != 1 || n.Patches > 1 {
		t.Errorf("%+v, want a create and at most one patch for all", n)
	}
}

// Many goroutines call all methods at the same time, until the broadcaster is ended in three ways
// at once. Every snapshot is of one moment (I1). In the end every occurrence is recorded or
// dropped, the server has the recorded ones, and only one call of Start succeeded.
func TestI1EverythingAtOnceConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet, events.WithMaxSeries(30), events.WithDropHandler(func(events.Drop) {}))
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var all sync.WaitGroup
		var emitted, started atomic.Int64
		for caller := range 4 {
			all.Go(func() { emitted.Add(emitAll(b, caller)) })
		}
		for range 2 {
			all.Go(func() {
				if b.Start(ctx) == nil {
					started.Add(1)
				}
			})
			all.Go(func() { comeAndGo(b) })
			all.Go(func() {
				for range 10 {
					soon, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
					_ = b.Flush(soon) // its context may end first
					cancel()
					checkSnapshot(t, b.Snapshot(5))
				}
			})
		}
		all.Go(func() {
			for i := range 5 {
				sink.LoseNext(1, errTimeout)
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
			}
		})
		time.Sleep(20 * time.Millisecond)
		all.Go(cancel)
		all.Go(b.Shutdown)
		all.Go(func() { fixture.Drain(t, b, time.Minute) })
		all.Wait()
		s := b.Stats()
		fixture.CheckConserved(t, s)
		if s.Observed != emitted.Load() || s.Pending != 0 || s.Recorded == 0 || s.Dropped[events.DropStopped] == 0 ||
			started.Load() != 1 {
			t.Errorf("%d emitted, %d times started: %+v", emitted.Load(), started.Load(), s)
		}
		var stored int64
		for _, e := range sink.Events() {
			stored += count(&e)
		}
		if stored < s.Recorded || stored > s.Recorded+s.Unconfirmed {
			t.Errorf("the server counts %d, want %d and up to %d unconfirmed", stored, s.Recorded, s.Unconfirmed)
		}
	})
}

// checkSnapshot checks invariant I1 for the totals and for each listed series.
func checkSnapshot(t *testing.T, now events.Snapshot) {
	fixture.CheckConserved(t, now.Stats)
	for _, s := range append(now.Frequent, now.Waiting...) {
		if s.Observed != s.Recorded+s.Pending+s.Dropped {
			t.Errorf("%+v does not add up", s)
		}
	}
	if len(now.Frequent) > 5 || len(now.Waiting) > 5 {
		t.Errorf("%d and %d series, want at most 5", len(now.Frequent), len(now.Waiting))
	}
}

// emitAll records by every method of a recorder, and returns the number of calls.
func emitAll(b *events.Broadcaster, caller int) int64 {
	const rounds = 30
	rec := newRecorder(b)
	latest := rec.WithNotePolicy(events.NotesLatest)
	distinct := rec.WithNotePolicy(events.NotesDistinct(2)).WithLogger(klog.Logger{})
	for i := range rounds {
		pod, annotations := newPod(fmt.Sprint("web-", i%20)), map[string]string{"a": fmt.Sprint(i)}
		rec.Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping %d", i)
		latest.Eventf(pod, pod, corev1.EventTypeWarning, "Failed", "Start", "try %d", i)
		distinct.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "", "image %d", i)
		rec.AnnotatedEventf(pod, nil, annotations, corev1.EventTypeNormal, "Killing", "Kill", "stopping")
		rec.Eventf(nil, nil, corev1.EventTypeNormal, "Killing", "Kill", "of nobody")
		clear(annotations) // the caller may change its map after the call
		pod.Name = "changed"
		time.Sleep(time.Duration(caller+i%3) * time.Millisecond / 2)
	}
	return 5 * rounds
}

// comeAndGo starts and stops watchers, one after the other.
func comeAndGo(b *events.Broadcaster) {
	for i := range 10 {
		stop, err := b.StartEventWatcher(func(kruntime.Object) {})
		if err != nil {
			return // drained
		}
		unlog, err := b.StartLogging(klog.New(&testlog.Log{}))
		if err == nil {
			time.Sleep(time.Duration(i) * time.Millisecond)
			unlog()
		}
		stop()
		stop()
	}
}
