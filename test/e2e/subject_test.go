// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// subject is what has to stop: a broadcaster of any of the three packages.
type subject struct {
	env *harness.Env
	pod *corev1.Pod

	start        func(context.Context) error
	startToSink  func(<-chan struct{}) // nil where start is all there is
	watch        func(*testing.T)      // nil where nobody can watch
	watched      atomic.Int64
	eventf       func(object runtime.Object, eventtype, reason, note string, args ...any)
	drain        func(context.Context) error
	shutdown     func()
	drainTimeout time.Duration
}

const subjectDrainTimeout = 2 * time.Second

func eventsSubject(env *harness.Env) *subject {
	b := events.NewBroadcaster(sinks.EventsV1(env.Client.EventsV1()),
		events.WithLogger(env.Log.Logger()), events.WithDrainTimeout(subjectDrainTimeout))
	recorder := b.NewRecorder(scheme.Scheme, controller)
	s := &subject{
		start: b.Start, startToSink: b.StartRecordingToSink,
		drain: b.Drain, shutdown: b.Shutdown, drainTimeout: subjectDrainTimeout,
		eventf: func(object runtime.Object, eventtype, reason, note string, args ...any) {
			recorder.Eventf(object, nil, eventtype, reason, reason, note, args...)
		},
	}
	s.watch = func(t *testing.T) {
		if _, err := b.StartEventWatcher(func(runtime.Object) { s.watched.Add(1) }); err != nil {
			t.Fatal(err)
		}
		if _, err := b.StartLogging(env.Log.Logger()); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func adapterSubject(env *harness.Env) *subject {
	a := adapter.New(context.Background(), env.Client, events.WithLogger(env.Log.Logger()),
		events.WithDrainTimeout(subjectDrainTimeout),
		events.WithDrainTimeout(subjectDrainTimeout))
	recorder := a.NewRecorder(controller)
	return &subject{
		start: a.Start, startToSink: a.StartRecordingToSink,
		drain: a.Drain, shutdown: a.Shutdown, drainTimeout: subjectDrainTimeout,
		eventf: func(object runtime.Object, eventtype, reason, note string, args ...any) {
			recorder.Eventf(object, nil, eventtype, reason, reason, note, args...)
		},
	}
}

// legacySubject's broadcaster is told of its context when it is made, so the end
// of start's has to be passed on.
func legacySubject(env *harness.Env) *subject {
	life, end := context.WithCancel(context.Background())
	b := legacy.NewBroadcaster(legacy.WithContext(life),
		events.WithLogger(env.Log.Logger()), events.WithDrainTimeout(subjectDrainTimeout))
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: controller})
	s := &subject{
		start: func(ctx context.Context) error {
			context.AfterFunc(ctx, end)
			b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: env.Client.CoreV1().Events("")})
			return nil
		},
		drain: b.Drain, shutdown: b.Shutdown, drainTimeout: subjectDrainTimeout,
		eventf: recorder.Eventf,
	}
	s.watch = func(*testing.T) {
		b.StartEventWatcher(func(*corev1.Event) { s.watched.Add(1) })
		b.StartLogging(func(string, ...any) {})
	}
	return s
}
