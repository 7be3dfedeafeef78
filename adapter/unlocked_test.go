// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clientgo/recordevents"
	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
	"github.com/eventseries/eventseries/legacy"
)

// tolerance is how long a method that never blocks may take in a test.
const tolerance = 30 * time.Second

// visitor is code of others. Wherever the SDK calls it, another goroutine calls all methods of the SDK that do not block,
// and visitor waits for that. If the SDK holds a lock that one of them needs, or is within a sync.Once, they do not return.
// It runs outside of a bubble, in which a goroutine that waits for a mutex would stop the clock.
type visitor struct {
	t       *testing.T
	methods func() // set before the SDK is started
	inside  atomic.Bool
	failed  atomic.Bool

	mu   sync.Mutex // guards seen
	seen map[string]int
}

func newVisitor(t *testing.T) *visitor { return &visitor{t: t, seen: map[string]int{}} }

// at is called by the SDK. What the methods lead to calls it again, which only counts.
func (v *visitor) at(where string) {
	v.mu.Lock()
	v.seen[where]++
	v.mu.Unlock()
	if v.methods == nil || v.failed.Load() || !v.inside.CompareAndSwap(false, true) {
		return
	}
	defer v.inside.Store(false)
	done := make(chan struct{})
	go func() {
		defer close(done)
		v.methods()
	}()
	select {
	case <-done:
	case <-time.After(tolerance):
		v.failed.Store(true)
		v.t.Errorf("%s is called under a lock: methods of the SDK do not return meanwhile", where)
	}
}

// check fails the test unless the SDK has called the visitor at each of the places.
func (v *visitor) check(places ...string) {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, place := range places {
		if v.seen[place] == 0 {
			v.t.Errorf("%s was never called: %v", place, v.seen)
		}
	}
}

// The following are the kinds of code of others.

type visitedLog struct {
	*testlog.Log
	visitor *visitor
}

func (l visitedLog) Enabled(level int) bool {
	l.visitor.at("Enabled of the logger")
	return level <= 10
}

func (l visitedLog) WithValues(keysAndValues ...any) klog.LogSink {
	l.visitor.at("WithValues of the logger")
	return visitedLog{l.Log.WithValues(keysAndValues...).(*testlog.Log), l.visitor}
}

func (v *visitor) logger() events.Option {
	log := &testlog.Log{Level: 10, OnLine: func() { v.at("the logger") }}
	return events.WithLogger(klog.New(visitedLog{log, v}))
}

type visitedLimiter struct {
	flowcontrol.RateLimiter
	visitor *visitor
}

func (l visitedLimiter) Wait(context.Context) error { l.visitor.at("Wait of the limiter"); return nil }
func (l visitedLimiter) QPS() float32               { l.visitor.at("QPS of the limiter"); return 50 }

type visitedSink struct {
	events.Sink
	visitor *visitor
}

func (s visitedSink) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.visitor.at("the sink")
	return s.Sink.Create(ctx, e)
}

// visitedError is what a transport may return.
type visitedError struct {
	error
	visitor *visitor
}

func (e visitedError) Error() string { e.visitor.at("Error of an error"); return e.error.Error() }
func (e visitedError) Unwrap() error { e.visitor.at("Unwrap of an error"); return e.error }

// visitedTransport refuses one request of each namespace and path that has none.
type visitedTransport struct {
	http.RoundTripper
	visitor *visitor
	failed  sync.Map
}

func (t *visitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.visitor.at("the transport")
	if _, failed := t.failed.LoadOrStore(r.URL.Path, true); !failed {
		return nil, visitedError{errors.New("broken"), t.visitor}
	}
	return t.RoundTripper.RoundTrip(r)
}

func (v *visitor) trapped(at string) runtime.Object {
	return &trapped{Pod: *fixture.Pod("default", "trapped"), at: at, explode: func() { v.at(at + " of an object") }}
}

// options are handlers of all kinds.
func (v *visitor) options() []adapter.Option {
	return []adapter.Option{
		v.logger(),
		events.WithDropHandler(func(events.Drop) { v.at("the drop handler") }),
		tuning.OccurrenceHandler(func(*eventsv1.Event) { v.at("the occurrence handler") }),
		events.WithContextAnnotations(func(context.Context) map[string]string { v.at("the annotations"); return nil }),
		events.WithObjectAnnotations(func(runtime.Object) map[string]string { v.at("the object's annotations"); return nil }),
		events.WithSharedCounts(), events.WithNotePolicy(events.NotesDistinct(2)), // which Start logs
		events.WithMaxSeries(20), // so that there are drops
		adapter.WithSink(func(api events.Sink) events.Sink { return visitedSink{api, v} }),
	}
}

// remote is a server that refuses events.k8s.io/v1 in one namespace, and all in another.
func (v *visitor) remote() *cluster {
	c := newCluster()
	c.deny("no-v1", v1)
	c.Config().QPS, c.Config().RateLimiter = 0, visitedLimiter{flowcontrol.NewFakeAlwaysRateLimiter(), v}
	c.Config().Transport = &visitedTransport{RoundTripper: c, visitor: v}
	c.Config().WrapTransport = func(rt http.RoundTripper) http.RoundTripper { v.at("WrapTransport"); return rt }
	return c
}

// record calls a recorder with everything that runs code of the caller, and causes drops and repairs.
func (v *visitor) record(recorder events.EventRecorder) {
	for i := range 3 {
		note := texted{func() { v.at("String of an argument") }}
		recorder.Eventf(withoutUID("without"), nil, "Normal", "Started", "Start", "%v", note)
		for _, accessor := range []string{"GetObjectKind", "GetName", "GetUID", "GetResourceVersion"} {
			recorder.Eventf(v.trapped(accessor), v.trapped(accessor), "Normal", "Started", "Start", "note %d", i)
		}
		recorder.Eventf(nil, nil, "Normal", "", "", "")
		recorder.Eventf(kinded("web"), nil, "Warning", "", "", "note")
		recorder.Eventf(fixture.Pod("no-v1", "web"), nil, "Warning", "Started", "Start", "note")
	}
	for i := range 30 {
		recorder.Eventf(kinded(fmt.Sprint("many-", i)), nil, "Normal", "Started", "Start", "note")
	}
}

func withoutUID(name string) runtime.Object {
	pod := kinded(name)
	pod.UID = ""
	return pod
}

// places are where every adapter must have called the visitor.
var places = []string{
	"the logger", "Enabled of the logger", "WithValues of the logger", "the drop handler", "the occurrence handler",
	"the annotations", "the sink", "the transport", "Error of an error", "String of an argument", "GetName of an object",
	"Wait of the limiter", "the request handler", "WrapTransport",
}

// callAll calls the methods of an adapter that do not block.
func callAll(a *adapter.Adapter) {
	recorder := a.Recorder(controller)
	recorder.Eventf(withoutUID("visited"), nil, "Normal", "Visited", "Visit", "note")
	recorder.Eventf(nil, nil, "Normal", "Visited", "Visit", "note")
	recorder.WithContext(context.Background()).WithLabels(map[string]string{"": ""})
	_ = a.SetSelector("")
	a.Stats()
	a.Snapshot(10)
	a.OnRequest(func(events.Request) {})()
	a.StartStructuredLogging(3)()
}

// Code of others runs without any lock of the SDK, and in no sync.Once: not a logger, a handler, a sink, a transport, a rate
// limiter, an error, nor what an object or an argument does.
//
// Caught: the line about a UID within a sync.Once; Start of a cluster's adapter within one, which logs; QPS under the writer's
// lock; the text of a refusal under that of the permissions.
func TestCodeOfOthersRunsWithoutLock(t *testing.T) {
	t.Run("Adapter", func(t *testing.T) {
		v := newVisitor(t)
		remote := v.remote()
		v.methods = func() {} // until there is an adapter
		a, err := adapter.NewForConfig(t.Context(), remote.Config(), v.options()...)
		if err != nil {
			t.Fatal(err)
		}
		v.methods = func() { callAll(a) }
		a.OnRequest(func(events.Request) { v.at("the request handler") })
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		v.record(a.Recorder(controller).WithContext(t.Context()))
		fixture.Flush(t, a)
		remote.Gone.Store(true)
		v.record(a.Recorder(controller).WithContext(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := a.Drain(ctx); err == nil {
			t.Error("Drain has lost nothing, so nobody asked for the rate")
		}
		v.record(a.Recorder(controller).WithContext(t.Context())) // too late
		v.check(append([]string{"QPS of the limiter"}, places...)...)
	})
	t.Run("Clusters", func(t *testing.T) {
		v := newVisitor(t)
		remote, other := v.remote(), newCluster()
		c := clusters.New(t.Context(), v.options()...)
		v.methods = func() {
			c.Stats()
			c.Snapshot(10)
			c.OnRequest(func(events.Request) {})()
			c.Recorder(controller).For("unknown").Eventf(withoutUID("visited"), nil, "Normal", "Visited", "Visit", "note")
			_ = c.Engage(context.Background(), "other", other.Config())
			for _, name := range []string{"one", "other"} {
				c.Recorder(controller+"-visitor").For(name).Eventf(withoutUID("visited"), nil, "Normal", "Visited", "Visit", "note")
				if a, ok := c.Adapter(name); ok {
					callAll(a)
				}
			}
		}
		c.OnRequest(func(events.Request) { v.at("the request handler") })
		if err := c.Engage(t.Context(), "one", remote.Config()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			v.record(c.Recorder(controller).For("one").WithContext(t.Context()))
			v.record(c.Recorder(controller).For("unknown").WithContext(t.Context()))
		}
		a, _ := c.Adapter("one")
		fixture.Flush(t, a)
		c.Snapshot(10)
		_ = c.Disengage(t.Context(), "one")
		c.Shutdown()
		v.check(places...)
	})
	t.Run("recordevents", func(t *testing.T) {
		v := newVisitor(t)
		b := recordevents.NewBroadcaster(v.options()...)
		sink := &typedcorev1.EventSinkImpl{Interface: v.remote().Client().CoreV1().Events("")}
		source := corev1.EventSource{Component: controller}
		v.methods = func() {
			b.NewRecorder(scheme.Scheme, source).Eventf(withoutUID("visited"), nil, "Normal", "Visited", "Visit", "note")
			b.Stats()
			b.Snapshot(10)
			b.OnRequest(func(events.Request) {})()
			b.StartStructuredLogging(3).Stop()
			b.StartRecordingToSink(sink)
		}
		b.StartRecordingToSink(sink)
		v.record(b.NewRecorder(scheme.Scheme, source))
		fixture.Flush(t, b)
		b.Shutdown()
		v.check("the logger", "the drop handler", "the sink", "the transport", "Wait of the limiter")
	})
	t.Run("legacy", func(t *testing.T) {
		v := newVisitor(t)
		remote := v.remote()
		b := legacy.NewBroadcaster(v.logger(), events.WithDropHandler(func(events.Drop) { v.at("the drop handler") }))
		v.methods = func() {
			b.Recorder(scheme.Scheme, corev1.EventSource{Component: controller}).Eventf(withoutUID("visited"), "Normal", "Visited", "note")
			b.Stats()
			b.Snapshot(10)
			_ = b.SetSelector("")
			b.StartLogging(func(string, ...any) {}).Stop()
		}
		b.StartLogging(func(string, ...any) { v.at("the watcher") })
		b.OnRequest(func(events.Request) { v.at("the request handler") })
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: remote.Client().CoreV1().Events("")})
		v.record(legacy.FromLegacy(b.Recorder(scheme.Scheme, corev1.EventSource{Component: controller})))
		fixture.Flush(t, b)
		b.Shutdown()
		v.check("the logger", "the drop handler", "the watcher", "the request handler", "the transport", "Error of an error",
			"Wait of the limiter", "String of an argument")
	})
}
