// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

// What callers pass to recorders is attacked in package adapter, for every shape of recorder at once.

// explosive is a sink that panics, before it stores or after.
type explosive struct {
	server
	before, after func(*corev1.Event)
}

func (s *explosive) Create(event *corev1.Event) (*corev1.Event, error) {
	s.before(event)
	stored, err := s.server.Create(event)
	s.after(event)
	return stored, err
}

func (s *explosive) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	s.before(event)
	stored, err := s.server.Patch(event, data)
	s.after(event)
	return stored, err
}

// first panics at the first n calls.
func first(n int64, with any) func(*corev1.Event) {
	var calls atomic.Int64
	return func(*corev1.Event) {
		if calls.Add(1) <= n {
			panic(with)
		}
	}
}

// A sink that panics has not answered: the write is tried again, counts nothing twice, and the log has one line.
//
// Caught: calling the sink without a guard.
func TestSinkPanics(t *testing.T) {
	for name, sink := range map[string]*explosive{
		"before it stores": {before: first(3, "oh"), after: first(0, nil)},
		"after it stored":  {before: first(0, nil), after: first(3, errors.New("oh"))},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out buffer
				b, recorder := recordTo(sink, events.WithLogger(loggerTo(&out, 0)), events.WithMaxInFlight(2))
				for range 4 {
					recorder.Event(pod("a"), "Normal", "Started", "m")
					recorder.Event(pod("b"), "Normal", "Started", "m")
				}
				time.Sleep(30 * time.Second)
				checkStats(t, b.Stats(), map[string]int64{"Recorded": 8, "Retries": 3})
				b.Shutdown()
				if got := out.String(); strings.Count(got, "User code panicked") != 1 ||
					!strings.Contains(got, "panicked: oh") || !strings.Contains(got, "explosive") {
					t.Errorf("logged %s", got)
				}
				for _, event := range sink.stored {
					if event.Count != 4 {
						t.Errorf("the server counts %d, want 4", event.Count)
					}
				}
			})
		})
	}
}

// A function of the correlator's options that panics drops the event it was asked about, and no other.
//
// Caught: asking the correlator without a guard.
func TestCorrelatorPanics(t *testing.T) {
	explode := func(event *corev1.Event) {
		if event.Reason == "Bad" {
			panic("oh")
		}
	}
	for name, options := range map[string]record.CorrelatorOptions{
		"KeyFunc": {KeyFunc: func(event *corev1.Event) (string, string) {
			explode(event)
			return record.EventAggregatorByReasonFunc(event)
		}},
		"SpamKeyFunc": {SpamKeyFunc: func(event *corev1.Event) string {
			explode(event)
			return event.InvolvedObject.Name
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var drops []events.Drop
				b, recorder := recordTo(&server{}, WithCorrelatorOptions(options), events.WithMaxInFlight(1),
					events.WithDropHandler(func(d events.Drop) { drops = append(drops, d) }))
				for _, reason := range []string{"Good", "Bad", "Good", "Bad", "Good"} {
					recorder.Event(pod("a"), "Normal", reason, "m")
				}
				b.Shutdown()
				checkStats(t, b.Stats(), map[string]int64{"Recorded": 3, "Invalid": 2})
				if len(drops) != 2 || !strings.Contains(drops[0].Err.Error(), "correlator's options panicked: oh") {
					t.Errorf("told %v", drops)
				}
			})
		})
	}
}

// Watchers, drop handlers and loggers that panic at every call cost what they would have been told, and no more.
//
// Caught: handing events to a watcher as client-go does, which ends the process; calling the drop handler or the logger
// without a guard.
func TestEverythingPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled, watched, logged atomic.Int64
		sink := &explosive{before: first(3, "sink"), after: first(0, nil)}
		b, recorder := recordTo(sink, events.WithLogger(klog.New(panicLogger{&logged})),
			events.WithDropHandler(func(events.Drop) { handled.Add(1); panic("drop handler") }))
		for range 2 {
			b.StartEventWatcher(func(*corev1.Event) { watched.Add(1); panic("watcher") })
		}
		b.StartStructuredLogging(0)
		b.StartLogging(func(string, ...any) { panic("logf") })
		old := recorder.WithLogger(klog.New(panicLogger{&logged}))
		for i := range 20 {
			old.Event(pod(fmt.Sprint(i)), "Normal", "Started", "m")
			old.Event(nil, "Normal", "Started", "m")
		}
		time.Sleep(time.Minute)
		b.Shutdown()
		old.Event(pod("late"), "Normal", "Started", "m")
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 20, "Invalid": 20, "Stopped": 1, "Pending": 0})
		if handled.Load() != 21 || watched.Load() != 40 || logged.Load() == 0 {
			t.Errorf("%d drops told, %d events watched, %d lines, want 21, 40 and some",
				handled.Load(), watched.Load(), logged.Load())
		}
	})
}

// panicLogger panics at every line.
type panicLogger struct{ lines *atomic.Int64 }

func (l panicLogger) Init(klog.RuntimeInfo)          {}
func (l panicLogger) Enabled(int) bool               { return true }
func (l panicLogger) Info(int, string, ...any)       { l.lines.Add(1); panic("Info") }
func (l panicLogger) Error(error, string, ...any)    { l.lines.Add(1); panic("Error") }
func (l panicLogger) WithValues(...any) klog.LogSink { panic("WithValues") }
func (l panicLogger) WithName(string) klog.LogSink   { panic("WithName") }

// A sink that ends the goroutine, as t.FailNow does, has not answered: the queue is free again, and the next attempt
// sends the same.
//
// Caught: a queue that stays in flight; a retry that is not counted, or not ambiguous.
func TestSinkEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out buffer
		b := NewBroadcaster(events.WithLogger(loggerTo(&out, 0)))
		var calls atomic.Int64
		sink := &server{script: func(sinkCall) error {
			if calls.Add(1) == 1 {
				runtime.Goexit()
			}
			return nil
		}}
		b.StartRecordingToSink(sink)
		recorder := b.NewRecorder(nil, kubelet)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		recorder.Event(pod("a"), "Normal", "Started", "m")
		time.Sleep(time.Minute)
		if got := out.String(); !strings.Contains(got, "User code panicked") || !strings.Contains(got, "Goexit") {
			t.Errorf("logged %s", got)
		}
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 2, "Retries": 1})
		b.Shutdown()
	})
}
