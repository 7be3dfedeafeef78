// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/storm"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// stopOrder is a way to begin and end. That no goroutine is left then is checked
// at the end of every test, see harness.New.
type stopOrder struct {
	name string
	run  func(t *testing.T, s *subject)
	// unwritten says that nothing is written, as there is no Start or no answer.
	unwritten bool
	// hangs says that the server does not answer.
	hangs bool
}

// recorded is how many Events each order records.
const recorded = 6

var stopOrders = []stopOrder{
	{name: "ShutdownOnly", run: func(t *testing.T, s *subject) {
		s.begin(t, context.Background())
		s.shutdown()
	}},
	{name: "ContextOnly", run: func(t *testing.T, s *subject) {
		ctx, cancel := context.WithCancel(context.Background())
		s.begin(t, ctx)
		cancel()
		s.env.AwaitNoGoroutine(2*s.drainTimeout + time.Second) // in the first half what is said last is written
	}},
	{name: "DrainTwice", run: func(t *testing.T, s *subject) {
		s.begin(t, context.Background())
		s.mustDrain(t)
		s.mustDrain(t)
	}},
	{name: "DrainThenContext", run: func(t *testing.T, s *subject) {
		ctx, cancel := context.WithCancel(context.Background())
		s.begin(t, ctx)
		s.mustDrain(t)
		cancel()
	}},
	{name: "ContextAndDrain", run: func(t *testing.T, s *subject) {
		ctx, cancel := context.WithCancel(context.Background())
		s.begin(t, ctx)
		cancel()
		s.mustDrain(t)
		s.shutdown()
	}},
	{name: "ContextOnlyServerHangs", hangs: true, unwritten: true, run: func(t *testing.T, s *subject) {
		ctx, cancel := context.WithCancel(context.Background())
		s.begin(t, ctx)
		cancel()
		s.env.AwaitNoGoroutine(2*s.drainTimeout + time.Second) // in the first half what is said last is written
	}},
	{name: "NeverStarted", unwritten: true, run: func(_ *testing.T, s *subject) { s.record() }},
	{name: "NeverStartedThenShutdown", unwritten: true, run: func(_ *testing.T, s *subject) {
		s.record()
		s.shutdown()
	}},
}

// Orders that not every package has.
var (
	openStopChannel = stopOrder{name: "OpenStopChannelThenShutdown", run: func(_ *testing.T, s *subject) {
		s.startToSink(make(chan struct{}))
		s.record()
		s.shutdown()
	}}
	withWatchers = stopOrder{name: "WithWatchers", run: func(t *testing.T, s *subject) {
		s.watch(t)
		s.begin(t, context.Background())
		s.shutdown()
		s.checkWatched(t)
	}}
	watchersOnly = stopOrder{name: "WatchersOnlyThenShutdown", unwritten: true, run: func(t *testing.T, s *subject) {
		s.watch(t)
		s.record()
		s.shutdown()
		s.checkWatched(t)
	}}
)

func TestEveryStopOrder(t *testing.T) {
	for _, p := range []struct {
		name   string
		make   func(*harness.Env) *subject
		orders []stopOrder
	}{
		{"events", eventsSubject, append([]stopOrder{openStopChannel, withWatchers, watchersOnly}, stopOrders...)},
		{"adapter", adapterSubject, append([]stopOrder{openStopChannel}, stopOrders...)},
		{"legacy", legacySubject, append([]stopOrder{withWatchers, watchersOnly}, stopOrders...)},
	} {
		for _, order := range p.orders {
			t.Run(p.name+"/"+order.name, func(t *testing.T) { testStopOrder(t, p.make, order) })
		}
	}
}

func testStopOrder(t *testing.T, newSubject func(*harness.Env) *subject, order stopOrder) {
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1, harness.CoreV1)
	if order.hangs {
		env.Wire.Add(wire.Always(wire.Writes, wire.Hold(nil, nil)))
	}
	// Slow enough that the end comes while writes are under way.
	env.Wire.Add(wire.Always(wire.Writes, wire.Delay(20*time.Millisecond)))
	s := newSubject(env)
	s.env, s.pod = env, env.NewPod(env.Namespace, "web")
	order.run(t, s)

	want := recorded
	if order.unwritten {
		want = 0
	}
	if got := len(env.Events(env.Namespace)); got != want {
		t.Errorf("%d Events on the server, want %d", got, want)
	}
	s.record()
	if got := len(env.Events(env.Namespace)); got != want {
		t.Errorf("%d Events on the server after the end, want %d", got, want)
	}
}

func (s *subject) begin(t *testing.T, ctx context.Context) {
	t.Helper()
	if err := s.start(ctx); err != nil {
		t.Fatal(err)
	}
	s.record()
}

func (s *subject) record() {
	for i := range recorded {
		s.eventf(s.pod, corev1.EventTypeNormal, fmt.Sprintf("Step%d", i), "step %d", i)
	}
}

func (s *subject) mustDrain(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	if err := s.drain(ctx); err != nil {
		t.Error(err)
	}
}

func (s *subject) checkWatched(t *testing.T) {
	t.Helper()
	if got := s.watched.Load(); got != recorded {
		t.Errorf("the watcher saw %d events, want %d", got, recorded)
	}
}

// A SIGTERM right after a burst. The client has the default limits of 50 requests a second and 100 at once, and none
// while the adapter ends.
func TestShutdownWithTenThousandSeries(t *testing.T) {
	env := harness.New(t, shared)
	config := rest.CopyConfig(env.Config)
	config.QPS = 0
	namespaces := []string{env.Namespace}
	for range 9 {
		namespaces = append(namespaces, env.NewNamespace())
	}
	for _, namespace := range namespaces {
		env.Allow(namespace, harness.EventsV1)
	}
	a, err := adapter.NewForConfig(t.Context(), config, events.WithLogger(env.Log.Logger()), events.WithDrainTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	const pods, occurrences = 1000, 3
	recorder := a.Recorder("example.com/burst")
	all := storm.Pods(pods, namespaces...)
	for range occurrences {
		for _, pod := range all {
			recorder.Eventf(pod, nil, corev1.EventTypeWarning, "Evicted", "Evict", "the node is gone")
		}
	}
	pending := a.Stats().Pending
	began := time.Now()
	a.Shutdown()
	t.Logf("%d series, %d occurrences pending: Shutdown took %.1f s", len(all), pending, time.Since(began).Seconds())
	for _, namespace := range namespaces {
		if got := env.Events(namespace); len(got) != pods || harness.Total(got) != pods*occurrences {
			t.Errorf("%d Events with %d occurrences, want %d with %d", len(got), harness.Total(got), pods, pods*occurrences)
		}
	}
}
