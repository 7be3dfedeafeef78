// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// What callers pass to recorders is attacked in package adapter, for every shape of recorder at once.

// explosive is a sink that panics, before it stores or after.
type explosive struct {
	*eventstest.Sink
	before, after func(*eventsv1.Event)
}

func (s *explosive) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.before(e)
	stored, err := s.Sink.Create(ctx, e)
	s.after(e)
	return stored, err
}

func (s *explosive) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s.before(e)
	stored, err := s.Sink.Patch(ctx, e, patch)
	s.after(e)
	return stored, err
}

// once panics at the first call that is about the object of that name.
func once(name string, with any) func(*eventsv1.Event) {
	done := false
	return func(e *eventsv1.Event) {
		if e.Regarding.Name == name && !done {
			done = true
			panic(with)
		}
	}
}

func never(*eventsv1.Event) {}

// A sink that panics has not answered: the write is tried again, counts nothing twice, and nothing else is lost. The
// log has one line, with the place.
//
// Caught: calling the sink without a guard.
func TestSinkPanics(t *testing.T) {
	for name, sink := range map[string]*explosive{
		"before it stores": {before: once("bad", "oh"), after: never},
		"after it stored":  {before: never, after: once("bad", errors.New("oh"))},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &testlog.Log{}
				sink.Sink = eventstest.NewSink()
				b, rec := start(t, sink, events.WithMaxInFlight(1), events.WithLogger(klog.New(log)))
				record(rec, 3, "bad")
				record(rec, 2, "good")
				flush(t, b)
				if s := b.Stats(); s.Recorded != 5 || s.Retries == 0 {
					t.Errorf("%+v, want all recorded after a retry", s)
				}
				for _, e := range sink.Events() {
					if want := map[string]int64{"bad": 3, "good": 2}[e.Regarding.Name]; count(&e) != want {
						t.Errorf("the server counts %d of %s, want %d", count(&e), e.Regarding.Name, want)
					}
				}
				testlog.CheckLine(t, log.Take(), "error: User code panicked", `whose="sink"`,
					"panicked: oh", "explosive")
			})
		})
	}
}

// A sink that panics for one event holds up no other, and costs a line a minute and nothing more: that event is
// TooOld in the end.
func TestSinkPanicsForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		sink := &explosive{Sink: eventstest.NewSink(), after: never, before: func(e *eventsv1.Event) {
			if e.Regarding.Name == "bad" {
				panic(e) // which belongs in no log
			}
		}}
		b, rec := start(t, sink, events.WithMaxInFlight(1), events.WithLogger(klog.New(log)))
		record(rec, 2, "bad")
		for i := range 60 {
			record(rec, 1, fmt.Sprint("good-", i))
			time.Sleep(time.Minute)
			if n := len(sink.Events()); n != i+1 {
				t.Fatalf("%d Events after %d minutes, want all but the bad one", n, i+1)
			}
		}
		time.Sleep(time.Minute)
		checkDropped(t, b, map[events.DropReason]int64{events.TooOld: 2})
		lines := log.Take()
		if n := len(lines); n < 30 || n > 62 {
			t.Errorf("%d lines in an hour", n)
		}
		if all := strings.Join(lines, "\n"); strings.Contains(all, "stopping bad") {
			t.Errorf("a line has the Event: %s", all)
		}
	})
}

// hostileError is an error that panics wherever it is asked.
type hostileError struct{}

func (hostileError) Error() string   { panic("Error") }
func (hostileError) Unwrap() error   { panic("Unwrap") }
func (hostileError) As(any) bool     { panic("As") }
func (hostileError) Is(error) bool   { panic("Is") }
func (hostileError) Timeout() bool   { panic("Timeout") }
func (hostileError) Temporary() bool { panic("Temporary") }

// An error that cannot be looked at is no answer.
//
// Caught: looking for an Override in the error, to log it, without a guard.
func TestSinkAnswersAHostileError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.FailNext(2, hostileError{})
		sink.FailNext(1, (*hostileError)(nil))
		var told []events.Drop
		b, rec := start(t, sink, events.WithMaxInFlight(1), events.WithLogger(klog.New(&testlog.Log{Level: 10})),
			events.WithDropHandler(func(d events.Drop) { told = append(told, d) }))
		record(rec, 3, "web")
		flush(t, b)
		if s := b.Stats(); s.Recorded != 3 || s.Retries != 3 || len(told) != 0 {
			t.Errorf("%+v, dropped %v", s, told)
		}
	})
}

// Watchers, drop handlers and loggers that panic at every call cost what they would have been told, and no more.
//
// Caught: calling a watcher, the drop handler or the logger without a guard.
func TestEverythingPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled, watched, logged atomic.Int64
		log := &testlog.Log{Level: 10, OnLine: func() { logged.Add(1); panic("logger") }}
		sink := &explosive{Sink: eventstest.NewSink(), before: once("web-0", "sink"), after: never}
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
		recorders := []interface {
			Eventf(regarding, related kruntime.Object, eventtype, reason, action, note string, args ...any)
		}{rec.WithLogger(klog.New(log)), rec}
		for i := range 40 {
			for _, rec := range recorders {
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

// A logger whose Enabled panics is asked by everybody who records.
//
// Caught: asking the logger without a guard.
func TestLoggerPanicsWhenAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink())
		if _, err := b.StartLogging(klog.New(unaskable{})); err != nil {
			t.Fatal(err)
		}
		b.StartStructuredLogging(0)
		record(rec.WithLogger(klog.New(unaskable{})).(*events.Recorder), 2, "web")
		rec.WithLogger(klog.New(unaskable{})).Eventf(nil, nil, "Normal", "Killing", "", "note")
		flush(t, b)
		checkDropped(t, b, map[events.DropReason]int64{events.Invalid: 1})
	})
}

// unaskable is a LogSink that panics in each method but the one that klog.New calls.
type unaskable struct{}

func (unaskable) Init(klog.RuntimeInfo)          {}
func (unaskable) Enabled(int) bool               { panic("Enabled") }
func (unaskable) Info(int, string, ...any)       { panic("Info") }
func (unaskable) Error(error, string, ...any)    { panic("Error") }
func (unaskable) WithValues(...any) klog.LogSink { panic("WithValues") }
func (unaskable) WithName(string) klog.LogSink   { panic("WithName") }
func (unaskable) WithCallDepth(int) klog.LogSink { return unaskable{} }

// A reference longer than any object's is refused, so that a bounded number of series is bounded memory, too; as related
// object it is left out.
//
// Caught: no bound on the bytes of a reference.
func TestI5ReferencesAreBounded(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, ref := range map[string]*corev1.ObjectReference{
		"name":    {Kind: "Pod", Namespace: "default", Name: long},
		"group":   {Kind: "Pod", Namespace: "default", Name: "web", APIVersion: long + "/v1"},
		"field":   {Kind: "Pod", Namespace: "default", Name: "web", FieldPath: long},
		"version": {Kind: "Pod", Namespace: "default", Name: "web", ResourceVersion: long},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, rec := start(t, sink)
				rec.Eventf(ref, nil, "Normal", "Killing", "Kill", "note")
				rec.Eventf(newPod("web"), ref, "Normal", "Killing", "Kill", "note")
				flush(t, b)
				checkDropped(t, b, map[events.DropReason]int64{events.Invalid: 1})
				if e := only(t, sink); e.Related != nil {
					t.Errorf("related is %v, want none", e.Related)
				}
			})
		})
	}
}
