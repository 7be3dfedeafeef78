// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// I2: recording never blocks on I/O and never starts a goroutine. In a bubble no time passes while anything can run, so
// a single tick of the clock would be a block.
func TestI2RecordingNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.Hold()
		b, rec := start(t, sink, events.WithMaxSeries(100), events.WithWriteTimeout(time.Hour))
		block := make(chan struct{})
		if _, err := b.StartEventWatcher(func(kruntime.Object) { <-block }); err != nil {
			t.Fatal(err)
		}
		for i := range 8 { // until every worker is there: workers start each other
			record(rec, 1, fmt.Sprint("first-", i))
		}
		synctest.Wait()
		began, before := time.Now(), len(goroutines())
		for i := range 5000 {
			record(rec, 2, fmt.Sprint("web-", i%200))
			rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "of nobody")
		}
		synctest.Wait()
		if took := time.Since(began); took != 0 {
			t.Errorf("recording blocked for %v", took)
		}
		if n := len(goroutines()); n != before {
			t.Errorf("%d goroutines, %d before recording", n, before)
		}
		close(block)
		sink.Release()
	})
}

// I2: under NotesFirst and without watchers, the SDK allocates nothing for a repeat.
func TestI2RepeatsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool forget, which the regular expressions of validation use")
	}
	typed := newPod("typed")
	kinded := newPod("kinded")
	kinded.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
	ref := &corev1.ObjectReference{
		Kind: "Deployment", APIVersion: "apps/v1", Namespace: "default", Name: "web", UID: "1", FieldPath: "spec",
	}
	args := []any{"boxed"} // which is the caller's
	annotations := map[string]string{"example.com/a": "1", "b": "2"}
	for name, emit := range map[string]func(*events.Recorder){
		"typed":     func(r *events.Recorder) { r.Eventf(typed, nil, "Normal", "Killing", "Kill", "note") },
		"kinded":    func(r *events.Recorder) { r.Eventf(kinded, nil, "Normal", "Killing", "Kill", "note") },
		"reference": func(r *events.Recorder) { r.Eventf(ref, nil, "Warning", "Killing", "Kill", "note") },
		"related":   func(r *events.Recorder) { r.Eventf(typed, ref, "Normal", "Killing", "Kill", "note") },
		"verbatim":  func(r *events.Recorder) { r.Event(typed, nil, "Normal", "Killing", "Kill", "note") },
		"no action": func(r *events.Recorder) { r.Eventf(typed, nil, "Normal", "Killing", "", "note") },
		"annotated": func(r *events.Recorder) { r.AnnotatedEventf(typed, nil, annotations, "Normal", "A", "B", "C") },
		"format":    func(r *events.Recorder) { r.Eventf(typed, nil, "Normal", "Killing", "Kill", "note %s", args...) },
	} {
		t.Run(name, func(t *testing.T) {
			b := events.NewBroadcaster(eventstest.NewSink(), quiet, events.WithLabels(map[string]string{"app": "web"}))
			rec := newRecorder(b)
			if _, err := b.StartLogging(klog.Background().V(10)); err != nil { // disabled: costs nothing
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(1000, func() { emit(rec) }); n != 0 {
				t.Errorf("%v allocations per repeat, want none", n)
			}
			drain(t, b, time.Second)
		})
	}
}

// reporter has Eventf's signature and does nothing: what calling it through an interface costs is the caller's.
type reporter struct{}

func (reporter) Eventf(_, _ kruntime.Object, _, _, _, _ string, _ ...any) {}

// I2: args cost what boxing them for any such call costs, and are not formatted.
//
// Caught: a repeat whose note is formatted.
func TestI2ArgsCostWhatTheCallCosts(t *testing.T) {
	pod, n := newPod("web"), 1<<20
	allocs := func(rec interface {
		Eventf(regarding, related kruntime.Object, eventtype, reason, action, note string, args ...any)
	}) float64 {
		return testing.AllocsPerRun(1000, func() {
			n++
			rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "note %d of %v", n, unread{t})
		})
	}
	rec := newRecorder(events.NewBroadcaster(eventstest.NewSink(), quiet))
	rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "note")
	if got, want := allocs(rec), allocs(reporter{}); got != want {
		t.Errorf("%v allocations per repeat, want the %v of an empty method", got, want)
	}
}

// unread must not be formatted.
type unread struct{ t *testing.T }

func (u unread) String() string { u.t.Error("a repeat is formatted"); return "" }

// nosy is caller code in every place where the SDK calls it. It calls back.
type nosy struct {
	corev1.Pod
	call func()
}

func (n *nosy) GetName() string                 { n.call(); return "nosy" }
func (n *nosy) String() string                  { n.call(); return "a nosy text" }
func (n *nosy) Error() string                   { return n.String() }
func (n *nosy) DeepCopyObject() kruntime.Object { return n }

// I2: no caller code runs under a lock. All of it calls Eventf and Stats of the same broadcaster, for the same series.
func TestI2NoCallerCodeUnderALock(t *testing.T) {
	var b *events.Broadcaster
	var rec *events.Recorder
	depth := make(chan struct{}, 1) // one level of calling back is enough
	call := func() {
		select {
		case depth <- struct{}{}:
			defer func() { <-depth }()
		default:
			return
		}
		b.Stats()
		record(rec, 2, "nosy")
		rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "invalid")
	}
	sink := eventstest.NewSink()
	sink.FailNext(3, errInvalid)
	b = events.NewBroadcaster(sink, events.WithMaxSeries(4), events.WithNotes(events.NotesLatest),
		events.WithDropHandler(func(events.Drop) { call() }),
		events.WithLogger(klog.New(&testlog.Log{OnLine: call})))
	rec = newRecorder(b)
	stop, err := b.StartEventWatcher(func(kruntime.Object) { call() })
	if err != nil {
		t.Fatal(err)
	}
	finished(t, func() {
		about := &nosy{Pod: *newPod("web"), call: call}
		about.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
		if err := b.Start(t.Context()); err != nil {
			t.Error(err)
		}
		for i := range 20 {
			rec.Eventf(about, about, "Normal", fmt.Sprint("Reason", i%8), "", "%v %v", about, errors.Join(about))
			rec.Eventf(about, about, "Warning", fmt.Sprint("Reason", i), "", "%v", about)
		}
		flush(t, b)
		stop()
		b.Shutdown()
	})
	checkConserved(t, b.Stats())
}

// finished fails the test when f does not return: in a deadlock a test should say so.
func finished(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		stacks := make([]byte, 1<<20)
		t.Fatalf("deadlock:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
}

// borrowed is memory that the caller uses for something else afterwards.
type borrowed [][]byte

func (b *borrowed) lend(s string) string {
	*b = append(*b, []byte(s))
	last := (*b)[len(*b)-1]
	return unsafe.String(&last[0], len(last))
}

func (b *borrowed) takeBack() {
	for _, memory := range *b {
		for i := range memory {
			memory[i] = 'X'
		}
	}
}

// I2: a new series clones its strings and annotations; nothing of the caller is retained.
func TestI2NothingOfTheCallerIsRetained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		emit := func(rec *events.Recorder, lend func(string) string) (*corev1.ObjectReference, map[string]string) {
			ref := &corev1.ObjectReference{
				Kind: lend("Pod"), APIVersion: lend("example.com/v1"), Namespace: lend("default"), Name: lend("web"),
				UID: types.UID(lend("uid")), ResourceVersion: lend("7"), FieldPath: lend("spec"),
			}
			annotations := map[string]string{lend("a"): lend("first")}
			for range 2 {
				rec.AnnotatedEventf(ref, ref, annotations,
					lend("Normal"), lend("Killing"), lend("Kill"), lend("no verb"))
				annotations = map[string]string{lend("b"): lend("later")}
			}
			return ref, annotations
		}
		var written []any
		for _, policy := range []events.NotePolicy{events.NotesFirst, events.NotesLatest, events.NotesDistinct(2)} {
			for _, keep := range []bool{true, false} {
				sink := eventstest.NewSink()
				b := events.NewBroadcaster(sink, quiet, events.WithNotes(policy))
				seen := watch(t, b)
				var memory borrowed
				ref, annotations := emit(newRecorder(b), memory.lend)
				if !keep {
					memory.takeBack()
					ref.Name = "changed"
					clear(annotations)
				}
				if err := b.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				drain(t, b, time.Second)
				e := only(t, sink)
				e.Name = ""
				watched := *seen()[1]
				watched.Name = ""
				written = append(written, e, watched)
			}
			n := len(written)
			if diff := cmp.Diff(written[n-4:n-2], written[n-2:]); diff != "" {
				t.Errorf("%v: the event changed with the caller's memory (-before +after):\n%s", policy, diff)
			}
		}
	})
}

func BenchmarkRepeat(b *testing.B) {
	rec := events.NewBroadcaster(eventstest.NewSink()).NewRecorder(scheme.Scheme, controller)
	pod := newPod("web")
	b.ReportAllocs()
	for b.Loop() {
		rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "stop")
	}
}

func BenchmarkRepeatParallel(b *testing.B) {
	rec := events.NewBroadcaster(eventstest.NewSink()).NewRecorder(scheme.Scheme, controller)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		pod := newPod("web")
		for pb.Next() {
			rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "stop")
		}
	})
}
