// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// I2: recording never blocks on I/O and never starts a goroutine. In a bubble time passes only
// while all goroutines are blocked. So if the clock has moved, recording has blocked.
func TestI2RecordingNeverBlocks(t *testing.T) {
	inBubble(t, options{events.WithMaxSeries(100), tuning.WriteTimeout(time.Hour)}, func(r *rig) {
		r.sink.Hold()
		block := make(chan struct{})
		if _, err := r.b.StartEventWatcher(func(kruntime.Object) { <-block }); err != nil {
			r.Fatal(err)
		}
		for i := range 8 { // until all goroutines that write have started
			r.record(1, fmt.Sprint("first-", i))
		}
		synctest.Wait()
		began, before := time.Now(), len(goroutines())
		for i := range 5000 {
			r.record(2, fmt.Sprint("web-", i%200))
			r.rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "of nobody")
		}
		synctest.Wait()
		if took := time.Since(began); took != 0 {
			r.Errorf("recording blocked for %v", took)
		}
		if n := len(goroutines()); n != before {
			r.Errorf("%d goroutines, %d before recording", n, before)
		}
		close(block)
		r.sink.Release()
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
	selecting := events.NewBroadcaster(eventstest.NewSink(), quiet)
	if err := selecting.SetSelector("type!=Normal"); err != nil {
		t.Fatal(err)
	}
	unselected := newRecorder(selecting)
	limited := newRecorder(events.NewBroadcaster(eventstest.NewSink(), quiet, events.WithMaxSeriesPerObject(1)))
	var reasons []string // all different
	for i := range 1100 {
		reasons = append(reasons, fmt.Sprint("Reason", i))
	}
	overflow := func(*events.Recorder) {
		limited.Eventf(typed, nil, "Normal", reasons[0], "Kill", "note")
		reasons = reasons[1:]
	}
	for range 10 { // from the third on there is nothing new
		overflow(nil)
	}
	args := []any{"boxed"} // the caller allocates this
	annotations := map[string]string{"example.com/a": "1", "b": "2"}
	for name, emit := range map[string]func(*events.Recorder){
		"overflowed": overflow,
		"unselected": func(*events.Recorder) { unselected.Eventf(typed, nil, "Normal", "Killing", "Kill", "note") },
		"typed":      func(r *events.Recorder) { r.Eventf(typed, nil, "Normal", "Killing", "Kill", "note") },
		"kinded":     func(r *events.Recorder) { r.Eventf(kinded, nil, "Normal", "Killing", "Kill", "note") },
		"reference":  func(r *events.Recorder) { r.Eventf(ref, nil, "Warning", "Killing", "Kill", "note") },
		"related":    func(r *events.Recorder) { r.Eventf(typed, ref, "Normal", "Killing", "Kill", "note") },
		"verbatim":   func(r *events.Recorder) { r.Event(typed, nil, "Normal", "Killing", "Kill", "note") },
		"no action":  func(r *events.Recorder) { r.Eventf(typed, nil, "Normal", "Killing", "", "note") },
		"annotated":  func(r *events.Recorder) { r.AnnotatedEventf(typed, nil, annotations, "Normal", "A", "B", "C") },
		"format":     func(r *events.Recorder) { r.Eventf(typed, nil, "Normal", "Killing", "Kill", "note %s", args...) },
	} {
		t.Run(name, func(t *testing.T) {
			b := events.NewBroadcaster(eventstest.NewSink(), quiet, events.WithLabels(map[string]string{"app": "web"}))
			rec := newRecorder(b)
			if err := b.SetSelector("type!=Other"); err != nil {
				t.Fatal(err)
			}
			if _, err := b.StartLogging(klog.Background().V(10)); err != nil { // disabled: costs nothing
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(1000, func() { emit(rec) }); n != 0 {
				t.Errorf("%v allocations per repeat, want none", n)
			}
			fixture.Drain(t, b, time.Second)
		})
	}
}

// nosy is code of the caller, for each place where the SDK calls such code. It calls the SDK in
// turn.
type nosy struct {
	corev1.Pod
	call func()
}

func (n *nosy) GetName() string                 { n.call(); return "nosy" }
func (n *nosy) String() string                  { n.call(); return "a nosy text" }
func (n *nosy) Error() string                   { return n.String() }
func (n *nosy) DeepCopyObject() kruntime.Object { return n }

// I2 and I4: neither code of the caller nor a sink runs under a lock. In this test all of it calls
// Eventf and Stats of the same broadcaster, for the same series.
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
	sink := &server{Sink: eventstest.NewSink()}
	sink.FailNext(3, errInvalid)
	sink.around = func(ctx context.Context, _ string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
		if n := count(e); n < 100 {
			b.Stats()
			record(rec, 1, e.Regarding.Name) // this series is being written
			record(rec, 1, "nosy")
		}
		return store(ctx)
	}
	b = events.NewBroadcaster(sink, events.WithMaxSeries(4), events.WithNotePolicy(events.NotesLatest),
		events.WithDropHandler(func(events.Drop) { call() }),
		events.WithLogger(klog.New(&testlog.Log{OnLine: call})))
	rec = newRecorder(b)
	stop, err := b.StartEventWatcher(func(kruntime.Object) { call() })
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		about := &nosy{Pod: *newPod("web"), call: call}
		about.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
		if err := b.Start(t.Context()); err != nil {
			t.Error(err)
		}
		for i := range 20 {
			rec.Eventf(about, about, "Normal", fmt.Sprint("Reason", i%8), "", "%v %v", about, errors.Join(about))
			rec.Eventf(about, about, "Warning", fmt.Sprint("Reason", i), "", "%v", about)
		}
		fixture.Flush(t, b)
		stop()
		b.Shutdown()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		stacks := make([]byte, 1<<20)
		t.Fatalf("deadlock:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
	fixture.CheckConserved(t, b.Stats())
}

type texts = map[string]string

func killing(r events.EventRecorder) { record(r, 1, "web") }

type traceKey struct{}

// The annotations that a context adds to an Event, and which value is used if there are several.
// The caller may change the map of its function later.
func TestWithContext(t *testing.T) {
	mine := texts{}
	traceOf := func(ctx context.Context) map[string]string {
		clear(mine)
		id, ok := ctx.Value(traceKey{}).(string)
		if id == "panic" {
			panic("no trace")
		}
		if !ok {
			return nil
		}
		mine["trace"], mine["sampled"] = id, "true"
		return mine
	}
	in := func(id string) context.Context { return context.WithValue(context.Background(), traceKey{}, id) }
	first, second := texts{"trace": "1", "sampled": "true"}, texts{"trace": "2", "sampled": "true"}
	for name, row := range map[string]struct {
		emit func(*events.Recorder)
		want texts
	}{
		"a context":              {func(r *events.Recorder) { killing(r.WithContext(in("1"))) }, first},
		"without a context":      {func(r *events.Recorder) { r.WithContext(in("1")); killing(r) }, nil},
		"the newest occurrence":  {func(r *events.Recorder) { killing(r.WithContext(in("1"))); killing(r.WithContext(in("2"))) }, second},
		"nothing is deleted":     {func(r *events.Recorder) { killing(r.WithContext(in("1"))); killing(r) }, first},
		"the last context":       {func(r *events.Recorder) { killing(r.WithContext(in("1")).WithContext(context.Background())) }, nil},
		"it outlives WithLogger": {func(r *events.Recorder) { killing(r.WithContext(in("1")).WithLogger(klog.Logger{})) }, first},
		"what is changed later":  {func(r *events.Recorder) { one := r.WithContext(in("1")); r.WithContext(in("2")); killing(one) }, first},
		"a panic is logged":      {func(r *events.Recorder) { killing(r.WithContext(in("panic"))) }, nil},
		"the call's own wins": {func(r *events.Recorder) {
			events.AnnotatedEventf(r.WithContext(in("1")), newPod("web"), nil, texts{"trace": "mine"}, "Normal", "Killing", "Kill", "")
		}, texts{"trace": "mine", "sampled": "true"}},
	} {
		subtest(t, name, options{events.WithContextAnnotations(traceOf)}, func(r *rig) {
			row.emit(r.rec)
			r.flush()
			r.diff("annotations", row.want, r.only().Annotations)
			if n := len(r.log.Lines(`whose="context annotations"`)); n > 0 != strings.HasPrefix(name, "a panic") {
				r.Errorf("%d lines of a panic", n)
			}
		})
	}
	recorder := eventstest.NewRecorder(t, events.WithContextAnnotations(traceOf)) // code may hold the test kit's
	var held *events.Recorder = recorder.Recorder
	killing(held.WithContext(in("1")))
	if got := recorder.Events()[0].Annotations["trace"]; got != "1" {
		t.Errorf("trace = %q, want 1", got)
	}
}

// Annotations from the regarding object. Those of the context and of the call itself win.
func TestObjectAnnotations(t *testing.T) {
	of := func(regarding kruntime.Object) map[string]string {
		pod, ok := regarding.(*corev1.Pod)
		if !ok {
			return nil
		}
		if pod.Annotations["trace"] == "panic" {
			panic("no trace")
		}
		return pod.Annotations
	}
	inContext := func(context.Context) map[string]string { return texts{"trace": "context"} }
	traced := func(trace string) *corev1.Pod {
		pod := newPod("web")
		pod.Annotations = texts{"trace": trace}
		return pod
	}
	kill := func(r *events.Recorder, pod kruntime.Object) { r.Eventf(pod, nil, "Normal", "Killing", "Kill", "") }
	for name, row := range map[string]struct {
		emit func(*events.Recorder)
		want texts
	}{
		"an object": {func(r *events.Recorder) { kill(r, traced("1")) }, texts{"trace": "1"}},
		"an object that the caller changes later": {func(r *events.Recorder) {
			pod := traced("1")
			kill(r, pod)
			pod.Annotations["trace"] = "2"
		}, texts{"trace": "1"}},
		"a newer occurrence": {func(r *events.Recorder) {
			kill(r, traced("1"))
			kill(r, traced("2"))
		}, texts{"trace": "2"}},
		"a reference has none": {func(r *events.Recorder) {
			kill(r, &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", UID: "1"})
		}, nil},
		"a panic is logged": {func(r *events.Recorder) { kill(r, traced("panic")) }, nil},
		"the context wins": {func(r *events.Recorder) {
			kill(r.WithContext(context.Background()), traced("1"))
		}, texts{"trace": "context"}},
		"the call wins": {func(r *events.Recorder) {
			r.AnnotatedEventf(traced("1"), nil, texts{"trace": "call"}, "Normal", "Killing", "Kill", "")
		}, texts{"trace": "call"}},
	} {
		opts := options{events.WithObjectAnnotations(of), events.WithContextAnnotations(inContext)}
		subtest(t, name, opts, func(r *rig) {
			row.emit(r.rec)
			r.flush()
			r.diff("annotations", row.want, r.only().Annotations)
			if n := len(r.log.Lines(`whose="object annotations"`)); n > 0 != strings.HasPrefix(name, "a panic") {
				r.Errorf("%d lines of a panic", n)
			}
		})
	}
}

// The labels of the Event of a series. The caller may change its map later.
func TestLabels(t *testing.T) {
	with := func(rec *events.Recorder, key, value string) *events.Recorder {
		mine := texts{key: value}
		rec = rec.WithLabels(mine)
		mine[key] = "changed"
		return rec
	}
	for name, row := range map[string]struct {
		opts []events.Option
		emit func(*events.Recorder)
		want texts
	}{
		"of the broadcaster":   {nil, func(r *events.Recorder) { killing(r) }, texts{"app": "web", "team": "blue"}},
		"no labels":            {nil, func(r *events.Recorder) { killing(r.WithLabels(nil)) }, texts{"app": "web", "team": "blue"}},
		"several options":      {options{events.WithLabels(texts{"team": "red"})}, func(r *events.Recorder) { killing(r) }, texts{"app": "web", "team": "red"}},
		"the recorder wins":    {nil, func(r *events.Recorder) { killing(with(r, "team", "red")) }, texts{"app": "web", "team": "red"}},
		"the newest wins":      {nil, func(r *events.Recorder) { killing(with(with(r, "team", "red"), "team", "green")) }, texts{"app": "web", "team": "green"}},
		"the first occurrence": {nil, func(r *events.Recorder) { killing(with(r, "a", "1")); killing(r) }, texts{"app": "web", "team": "blue", "a": "1"}},
		"of another recorder":  {nil, func(r *events.Recorder) { with(r, "a", "1"); killing(r) }, texts{"app": "web", "team": "blue"}},
		"invalid ones":         {nil, func(r *events.Recorder) { killing(with(with(r, "team", "not one"), "a", "1")) }, texts{"app": "web", "team": "blue", "a": "1"}},
		"they outlive other methods": {nil, func(r *events.Recorder) {
			r = with(r, "team", "red").WithNotePolicy(events.NotesLatest).WithContext(context.Background())
			killing(r.WithReportingInstance("one").WithLogger(klog.Logger{}))
		}, texts{"app": "web", "team": "red"}},
		// Each Create writes the labels, also the Create of an Event that has expired. No Patch
		// does, because others may have changed the labels.
		"created again": {nil, func(r *events.Recorder) { killing(r); killing(with(r, "team", "red")) }, texts{"app": "web", "team": "blue"}},
	} {
		t.Run(name, func(t *testing.T) {
			mine := texts{"app": "web", "team": "blue"}
			inBubble(t, append(options{events.WithLabels(mine)}, row.opts...), func(r *rig) {
				mine["app"] = "changed"
				row.emit(r.rec)
				r.flush()
				if name == "created again" {
					e := r.only()
					r.sink.Expire(e.Namespace, e.Name)
					killing(r.rec)
					r.flush()
				}
				r.diff("labels", row.want, r.only().Labels)
				for _, call := range r.sink.Calls() {
					if strings.Contains(string(call.Patch), "labels") {
						r.Errorf("patched %s", call.Patch)
					}
				}
			})
		})
	}
}
