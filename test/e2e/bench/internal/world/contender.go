// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"context"
	"runtime"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/kubernetes/scheme"

	corev1 "k8s.io/api/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// Contender is a way of recording Events.
type Contender func(*wire) recorder

// Contenders are those that there are, by the names that pages show.
var Contenders = map[string]Contender{
	"eventseries":   startSDK(),
	"KEP-383 alone": startSDK(tuning.Publishing(-1, 0, 0)),
	"no limit":      startSDK(tuning.Publishing(0, 1e6, time.Nanosecond)), // a write for every doubled count
	"tools/events":  startToolsEvents,
	"tools/record":  startToolsRecord,
}

// sdk is the SDK at work.
type sdk struct {
	clientevents.EventRecorder
	broadcaster *events.Broadcaster
}

func startSDK(opts ...events.Option) Contender {
	return func(w *wire) recorder {
		all := append([]events.Option{
			events.WithReportingInstance(w.component.Host), events.WithLogger(logr.Discard()),
		}, opts...)
		b := events.NewBroadcaster(eventsV1{w, w.travel}, all...)
		if err := b.Start(context.Background()); err != nil {
			panic(err)
		}
		return sdk{b.Recorder(scheme.Scheme, w.component.Controller), b}
	}
}

func (s sdk) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := s.broadcaster.Drain(ctx); err != nil {
		panic(err) // the server answers, and there is time
	}
}

// peer is one of client-go's at work.
type peer struct {
	clientevents.EventRecorder
	shutdown func()
}

func (p peer) stop() { p.shutdown() }

func startToolsEvents(w *wire) recorder {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	b := clientevents.NewBroadcaster(eventsV1{w, w.arrivesUnlocked})
	if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
		panic(err)
	}
	return peer{
		EventRecorder: b.NewRecorder(scheme.Scheme, w.component.Controller).WithLogger(logr.Discard()),
		shutdown:      func() { cancel(); b.Shutdown() },
	}
}

func startToolsRecord(w *wire) recorder {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	b := record.NewBroadcaster(record.WithContext(ctx))
	b.StartRecordingToSink(coreV1{w})
	source := corev1.EventSource{Component: w.component.Controller, Host: w.component.Host}
	return peer{
		EventRecorder: record.NewEventRecorderAdapter(b.NewRecorder(scheme.Scheme, source).WithLogger(logr.Discard())),
		shutdown:      func() { b.Shutdown(); cancel() },
	}
}

// arrivesUnlocked is travel for tools/events. It holds its mutex while it
// refreshes and finishes series. To wait for time under a mutex that others wait
// for would end a bubble's time, so these writes are sent at once and counted for
// when they would arrive.
func (w *wire) arrivesUnlocked(ctx context.Context) (time.Time, error) {
	if underLock() {
		return w.arrival()
	}
	return w.travel(ctx)
}

const broadcasterImpl = "k8s.io/client-go/tools/events.(*eventBroadcasterImpl)."

func underLock() bool {
	var callers [16]uintptr
	n := runtime.Callers(3, callers[:])
	frames := runtime.CallersFrames(callers[:n])
	for {
		frame, more := frames.Next()
		switch frame.Function {
		case broadcasterImpl + "refreshExistingEventSeries", broadcasterImpl + "finishSeries":
			return true
		}
		if !more {
			return false
		}
	}
}
