// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// Package adapter has the tests with hostile arguments of recorders, for all kinds of recorder.

// hostileError is an error whose methods all panic.
type hostileError struct{}

func (hostileError) Error() string   { panic("Error") }
func (hostileError) Unwrap() error   { panic("Unwrap") }
func (hostileError) As(any) bool     { panic("As") }
func (hostileError) Is(error) bool   { panic("Is") }
func (hostileError) Timeout() bool   { panic("Timeout") }
func (hostileError) Temporary() bool { panic("Temporary") }

// A sink may panic, may end the goroutine that calls it, as t.FailNow in a fake does, or may return
// an error whose methods panic. This counts as no answer: the write is tried again, no occurrence
// is counted twice, and no other is lost. It makes no difference whether the broadcaster was
// started or a Flush writes. The log has one line, which names the place.
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
			subtestUnstarted(t, fmt.Sprint(name, ", started: ", started), options{tuning.MaxInFlight(1)}, func(r *rig) {
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
		}
	}
}

// If a watcher, a drop handler or a logger panics at every call, nothing is lost except its own
// calls.
func TestEverythingPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled, watched, logged atomic.Int64
		log := &testlog.Log{Level: 10, OnLine: func() { logged.Add(1); panic("logger") }}
		sink := &server{Sink: eventstest.NewSink()}
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
		fixture.Flush(t, b)
		sink.FailNext(1, errInvalid)
		rec.Eventf(newPod("web-0"), nil, "Normal", "Refused", "", "note")
		fixture.Flush(t, b)
		b.Shutdown()
		rec.Eventf(newPod("web-0"), nil, "Normal", "Late", "", "note")
		s := b.Stats()
		fixture.CheckConserved(t, s)
		if s.Observed != 162 || s.Recorded != 40 || s.Pending != 0 {
			t.Errorf("%+v, want 162 observed and 20 series of 2 recorded", s)
		}
		if handled.Load() != 122 || watched.Load() != 2*81 || logged.Load() == 0 {
			t.Errorf("%d drops told, %d events watched, %d lines, want 122, %d and some",
				handled.Load(), watched.Load(), logged.Load(), 2*81)
		}
	})
}

// hostile has texts that may reach a recorder although nobody intends it.
var hostile = []string{
	"", " ", "web", "Web_1", "-web-", "a.b", "..", "/", "a/b/c", "%", "%%", "%d", "\x00", "\n", "é", "\xff", "\xe2\x82",
	"\u2028", "null", `"}`, "$patch", "eventseries.dev/latest-note",
	strings.Repeat("x", 64), strings.Repeat("é", 64), strings.Repeat("\xff", 129), strings.Repeat("x", 254),
	strings.Repeat("a.", 200), strings.Repeat("日本", 400), strings.Repeat("x", 1023) + "\xe2",
	strings.Repeat("\xff", 1100), strings.Repeat("v", 70<<10),
}

// anything has arguments that a caller may pass.
type anything struct {
	controller, instance                  string
	namespace, name, kind, version, uid   string
	eventType, reason, action, note, path string
	arg, key, value, related              string
	policy                                int
}

// checkAccepted records occurrences with these arguments, so that their Event is created and
// patched. It checks that the server accepts everything that the SDK has not dropped as invalid.
func checkAccepted(t *testing.T, in anything) {
	t.Helper()
	sink := eventstest.NewSink()
	policy := []events.NotePolicy{events.NotesFirst, events.NotesLatest, events.NotesDistinct(2)}[in.policy]
	b := events.NewBroadcaster(sink, quiet, events.WithReportingInstance(in.instance), events.WithNotePolicy(policy))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	rec := b.Recorder(nil, in.controller)
	ref := &corev1.ObjectReference{
		Kind: in.kind, APIVersion: in.version, Namespace: in.namespace, Name: in.name, UID: types.UID(in.uid),
		FieldPath: in.path,
	}
	other := &corev1.ObjectReference{Kind: in.kind, Name: in.related, Namespace: in.related, APIVersion: in.version}
	emit := func(note string, keys ...string) {
		annotations := map[string]string{}
		for _, key := range keys {
			annotations[key] = in.value
		}
		var args []any
		if in.arg != "" {
			args = []any{in.arg}
		}
		rec.AnnotatedEventf(ref, other, annotations, in.eventType, in.reason, in.action, note, args...)
	}
	emit(in.note, in.key)
	fixture.Flush(t, b)
	emit(in.value, in.value)
	emit(in.reason, "a", "b", in.key)
	fixture.Flush(t, b)
	emit(in.note, in.action, in.reason)
	if lost := fixture.Drain(t, b, time.Minute); lost != nil {
		t.Error(lost)
	}
	for _, call := range sink.Calls() {
		if call.Err != nil {
			t.Errorf("I7: refused by the server's rules: %v\ninput %#v", call.Err, in)
		}
	}
	s := b.Stats()
	fixture.CheckConserved(t, s)
	if s.Recorded+s.Dropped[events.DropInvalid] != 4 {
		t.Errorf("recorded %d, invalid %d of 4: %+v", s.Recorded, s.Dropped[events.DropInvalid], s)
	}
}

// I7: the validation of the server rejects nothing that the SDK sends.
func TestI7WhatPassesIsAccepted(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	pick := func(usual string) string {
		if random.IntN(3) == 0 {
			return usual
		}
		return hostile[random.IntN(len(hostile))]
	}
	for range flood(1500) {
		in := anything{
			controller: pick("example.com/test"), instance: pick("replica-0"),
			namespace: []string{"default", "", "kube-system", pick("default")}[random.IntN(4)],
			name:      pick("web"), kind: pick("Pod"), version: pick("v1"), uid: pick("1"),
			eventType: []string{"Normal", "Warning", pick("Normal")}[random.IntN(3)],
			reason:    pick("Killing"), action: pick("Kill"), note: pick("note"), path: pick(""),
			arg: pick(""), key: pick("example.com/key"), value: pick("value"), related: pick("peer"), policy: random.IntN(3),
		}
		checkAccepted(t, in)
	}
}

// FuzzEventIsAccepted is I7 for any input.
func FuzzEventIsAccepted(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, s, s, s, s, s, s, s, "Warning", s, s, s, s, s, s, s, uint8(i))
		f.Add("example.com/test", "replica", "default", "web", "Pod", "v1", "1", "", "Normal", "Killing", s, s, s, s, s, s,
			uint8(i))
	}
	f.Add("example.com/test", "replica", "a.b", "web", "Pod", "v1", "u", "", "Normal", "R", "A", "n", "", "k", "v", "peer", uint8(0))
	f.Add("example.com/test", "replica", "default", "web", "Pod", "v1", "u", "", "Normal", "R", "A", strings.Repeat("\xff", 400), "x",
		"eventseries.dev/latest-note", "\xff", "peer", uint8(1))
	f.Fuzz(func(t *testing.T,
		controller, instance, namespace, name, kind, version, uid, path, eventType, reason, action, note, arg, key, value,
		related string, policy uint8,
	) {
		in := anything{
			controller: controller, instance: instance, namespace: namespace, name: name, kind: kind, version: version,
			uid: uid, eventType: eventType, reason: reason, action: action, note: note, path: path, arg: arg,
			key: key, value: value, related: related, policy: int(policy) % 3,
		}
		if policy >= 128 {
			in.namespace, in.eventType = "default", "Warning" // otherwise few inputs are valid
		}
		checkAccepted(t, in)
	})
}
