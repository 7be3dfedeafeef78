// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// What callers of client-go write must go on compiling.
var (
	_ record.EventBroadcaster    = NewBroadcaster()
	_ record.EventRecorderLogger = NewBroadcaster().NewRecorder(nil, corev1.EventSource{})
)

var kubelet = corev1.EventSource{Component: "kubelet", Host: "node-1"}

// quiet keeps the log out of the output of tests.
var quiet = events.WithLogger(klog.Logger{})

// recordTo returns a broadcaster that records to sink, and a recorder.
func recordTo(sink record.EventSink, opts ...Option) (*Broadcaster, record.EventRecorderLogger) {
	b := NewBroadcaster(append([]Option{quiet}, opts...)...)
	b.StartRecordingToSink(sink)
	return b, b.NewRecorder(nil, kubelet)
}

func TestWithoutASinkOccurrencesAreFiltered(t *testing.T) {
	b := NewBroadcaster() // no goroutine: goleak looks
	b.NewRecorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "m")
	checkStats(t, b.Stats(), map[string]int64{"Observed": 1, "Filtered": 1})
}

// Caught: a muted event in a backlog; a related object that the selector does not see; an invalid selector taken.
func TestSelector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := recordTo(&server{})
		recorder := b.NewEventsRecorder(nil, kubelet)
		for _, selector := range []string{"related.kind=Pod", "type"} { // the second is none
			err := b.SetSelector(selector)
			if (err != nil) != (selector == "type") {
				t.Errorf("SetSelector(%q): %v", selector, err)
			}
			recorder.Eventf(pod("a"), nil, "Normal", "Started", "Start", "m")
			recorder.Eventf(pod("a"), pod("b"), "Normal", "Started", "Start", "m")
		}
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Observed": 4, "Recorded": 2, "Muted": 2})
	})
}

// takes returns a script for tests in a bubble: each call takes d and succeeds.
func takes(d time.Duration) func(sinkCall) error {
	return func(sinkCall) error { time.Sleep(d); return nil }
}

func TestEveryObjectKeepsItsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: takes(time.Second / 2)}
		b, recorder := recordTo(sink)
		want := map[string][]string{}
		for i := range 20 {
			for _, name := range []string{"a", "b", "c"} {
				message := fmt.Sprintf("%d", i)
				recorder.Event(pod(name), "Normal", fmt.Sprintf("Step%d", i), message)
				want[name] = append(want[name], message)
			}
		}
		start := time.Now()
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Three objects of 20 occurrences of half a second each, side by side once the window has grown.
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("took %v, want little more than 10 s: objects must not wait for each other", took)
		}
		got := map[string][]string{}
		for _, r := range sink.requests() {
			got[r.Event.InvolvedObject.Name] = append(got[r.Event.InvolvedObject.Name], r.Event.Message)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("order of messages by object (-want +got):\n%s", diff)
		}
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Observed": 60, "Recorded": 60, "Creates": 60})
	})
}

func TestOneObjectDoesNotWaitForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		sink.answer(func(r sinkCall) error {
			if r.Event.Namespace == "bad" {
				return status(500, "InternalError")
			}
			return nil
		})
		b, recorder := recordTo(sink)
		recorder.Event(podIn("bad", "a"), "Normal", "Started", "m")
		synctest.Wait()
		recorder.Event(podIn("good", "b"), "Normal", "Started", "m")
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 1, "Pending": 1, "Series": 1})
		sink.answer(nil)
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 2})
	})
}

func TestSeveralSinksCountEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good, bad := &server{}, &server{script: func(sinkCall) error { return status(400, "BadRequest") }}
		b, recorder := recordTo(good)
		b.StartRecordingToSink(bad)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Observed": 2, "Recorded": 1, "Rejected": 1})
	})
}

// What waits for a sink that was stopped is written, and nothing else is.
func TestStopOfASinkWritesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: takes(time.Second)}
		b := NewBroadcaster()
		recording := b.StartRecordingToSink(sink)
		recorder := b.NewRecorder(nil, kubelet)
		for i := range 5 {
			recorder.Event(pod("a"), "Normal", "Started", fmt.Sprint(i))
		}
		recording.Stop()
		recording.Stop()
		if _, open := <-recording.ResultChan(); open {
			t.Error("the result channel has something, want it closed")
		}
		recorder.Event(pod("a"), "Normal", "Started", "too late")
		checkStats(t, b.Stats(), map[string]int64{"Observed": 6, "Pending": 5, "Filtered": 1})
		time.Sleep(10 * time.Second)
		checkStats(t, b.Stats(), map[string]int64{"Observed": 6, "Recorded": 5, "Filtered": 1})
		idle := b.StartRecordingToSink(sink)
		idle.Stop() // nothing waits
		b.Shutdown()
	})
}

func TestNilSinks(t *testing.T) {
	for name, sink := range map[string]record.EventSink{
		"nil":          nil,
		"nil pointer":  (*typedcorev1.EventSinkImpl)(nil),
		"no interface": &typedcorev1.EventSinkImpl{},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBroadcaster(quiet)
			w := b.StartRecordingToSink(sink)
			if _, open := <-w.ResultChan(); open {
				t.Error("want a watch that is over")
			}
			w.Stop()
			b.NewRecorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "m")
			checkStats(t, b.Stats(), map[string]int64{"Filtered": 1})
		})
	}
}

// What comes after the end is refused with a line in the log.
//
// Caught: a sink or a watcher that is ignored in silence.
func TestAfterTheEnd(t *testing.T) {
	log := &testlog.Log{}
	b := NewBroadcaster(events.WithLogger(klog.New(log)))
	b.Shutdown()
	for _, w := range []watch.Interface{
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: fake.NewClientset().CoreV1().Events("")}),
		b.StartEventWatcher(func(*corev1.Event) {}), b.StartStructuredLogging(0),
	} {
		if _, open := <-w.ResultChan(); open {
			t.Error("want a watch that is over")
		}
	}
	if lines := log.Take(); len(lines) != 3 {
		t.Errorf("%q, want a line for each", lines)
	}
}

// TestConservationConcurrentSafe checks invariant I1 in snapshots taken while
// everything happens at once.
func TestConservationConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, start := 0, time.Now()
		var mu sync.Mutex
		sink := &server{script: func(sinkCall) error {
			time.Sleep(time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			n++
			if up := time.Since(start); up > time.Second && up < 3*time.Second {
				return unavailable()
			}
			return map[int]error{13: terminating("x"), 17: status(422, "Invalid")}[n%20]
		}}
		b, recorder := recordTo(sink, withQueueSize(20), WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 2}))
		stop := b.StartRecordingToSink(&server{script: takes(time.Millisecond)})
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := range 200 {
					eventType := []string{"Normal", "Warning", "Odd"}[i%7/3]
					recorder.Eventf(podIn(fmt.Sprint(i%3), fmt.Sprint(g, i/25)), eventType, "Started", "%d", i%40)
					time.Sleep(time.Duration(i%5) * 10 * time.Millisecond)
				}
			})
		}
		done := make(chan struct{})
		var snapshots sync.WaitGroup
		snapshots.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				case <-time.After(time.Duration(i) * time.Microsecond):
				}
				balance(t, b.Stats())
				if i == 100 {
					stop.Stop()
				}
			}
		})
		wg.Wait()
		b.Shutdown()
		close(done)
		snapshots.Wait()
		stats := b.Stats()
		balance(t, stats)
		for _, reason := range []string{"Invalid", "QueueFull", "NamespaceGone", "Rejected", "SpamFilter"} {
			if stats.Dropped[reasonOf(reason)] == 0 {
				t.Errorf("nothing dropped as %s, the test is too tame: %+v", reason, stats)
			}
		}
		if stats.Pending != 0 {
			t.Errorf("%d pending after Shutdown", stats.Pending)
		}
	})
}
