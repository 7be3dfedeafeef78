// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"

	eventsv1 "k8s.io/api/events/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// What callers pass to recorders is attacked in package adapter, for every shape of recorder at once.

// hostileError is an error that panics wherever it is asked.
type hostileError struct{}

func (hostileError) Error() string   { panic("Error") }
func (hostileError) Unwrap() error   { panic("Unwrap") }
func (hostileError) As(any) bool     { panic("As") }
func (hostileError) Is(error) bool   { panic("Is") }
func (hostileError) Timeout() bool   { panic("Timeout") }
func (hostileError) Temporary() bool { panic("Temporary") }

// A sink that panics, ends the goroutine that calls it as t.FailNow in a fake does, or answers what cannot be looked at, has not
// answered: the write is tried again, counts nothing twice, and nothing else is lost, whether the broadcaster was started or
// only a Flush writes. The log has one line, with the place.
func TestSinkPanics(t *testing.T) {
	for name, row := range map[string]struct {
		before, after func() error
		line          []string
	}{
		"before it stores":          {before: func() error { panic("oh") }, line: []string{`whose="sink"`, "panicked: oh", "hostile_test.go"}},
		"after it stored":           {after: func() error { panic(errors.New("oh")) }, line: []string{`whose="sink"`, "panicked: oh"}},
		"with the event":            {after: func() error { panic(newPod("bad")) }, line: []string{"panicked with a *v1.Pod"}},
		"ends the goroutine":        {before: func() error { runtime.Goexit(); return nil }, line: []string{`whose="sink"`}},
		"ends it after it stored":   {after: func() error { runtime.Goexit(); return nil }, line: []string{`whose="sink"`}},
		"answers a hostile error":   {after: func() error { return hostileError{} }, line: []string{`whose="sink's error"`}},
		"answers a nil of an error": {after: func() error { return (*hostileError)(nil) }},
	} {
		for _, started := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ", started: ", started), func(t *testing.T) {
				inBubbleUnstarted(t, options{events.WithMaxInFlight(1)}, func(r *rig) {
					done := false
					r.sink.around = func(ctx context.Context, _ string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
						first := !done && e.Regarding.Name == "bad"
						if done = done || first; first && row.before != nil {
							return nil, row.before()
						}
						stored, err := store(ctx)
						if first && row.after != nil {
							return stored, row.after()
						}
						return stored, err
					}
					if started {
						r.start(context.Background())
					}
					r.record(3, "bad")
					r.record(2, "good")
					r.flush()
					if s := r.b.Stats(); s.Recorded != 5 || s.Retries == 0 {
						r.Errorf("%+v, want all recorded after a retry", s)
					}
					r.diff("counts", map[string]int64{"bad": 3, "good": 2}, r.stored(byObject))
					if row.line != nil {
						r.checkLines(row.line)
					}
				})
			})
		}
	}
}

// Watchers, drop handlers and loggers that panic at every call cost what they would have been told, and no more.
func TestEverythingPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled, watched, logged atomic.Int64
		log := &testlog.Log{Level: 10, OnLine: func() { logged.Add(1); panic("logger") }}
		sink := &fake{Sink: eventstest.NewSink()}
		sink.around = func(ctx context.Context, _ string, _ *eventsv1.Event, store answer) (*eventsv1.Event, error) {
			if len(sink.calls()) == 1 {
				panic("sink")
			}
			return store(ctx)
		}
		b, rec := start(t, sink, events.WithMaxSeries(20), events.WithLogger(klog.New(log)),
			events.WithDropHandler(func(events.Drop) { handled.Add(1); panic("drop handler") }))
		for range 2 {
			if _, err := b.StartEventWatcher(func(kruntime.Object) { watched.Add(1); panic("watcher") }); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.StartLogging(klog.New(log)); err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			for _, rec := range []events.EventRecorder{rec.WithLogger(klog.New(log)), rec} {
				rec.Eventf(newPod(fmt.Sprint("web-", i)), nil, "Normal", "Killing", "", "note")
				rec.Eventf(nil, nil, "Normal", "Killing", "", "note")
			}
		}
		flush(t, b)
		sink.FailNext(1, errInvalid)
		rec.Eventf(newPod("web-0"), nil, "Normal", "Refused", "", "note")
		flush(t, b)
		b.Shutdown()
		rec.Eventf(newPod("web-0"), nil, "Normal", "Late", "", "note")
		s := b.Stats()
		checkConserved(t, s)
		if s.Observed != 162 || s.Recorded != 40 || s.Pending != 0 {
			t.Errorf("%+v, want 162 observed and 20 series of 2 recorded", s)
		}
		if handled.Load() != 122 || watched.Load() != 2*81 || logged.Load() == 0 {
			t.Errorf("%d drops told, %d events watched, %d lines, want 122, %d and some",
				handled.Load(), watched.Load(), logged.Load(), 2*81)
		}
	})
}
