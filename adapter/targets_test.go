// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// target is a recorder of the SDK in one of its shapes, over a whole cluster.
type target struct {
	broadcaster
	cluster *cluster
	calls   map[string]func(*attack)
	extra   int64 // calls that attacks made themselves
}

type broadcaster interface {
	Flush(ctx context.Context) error
	Stats() events.Stats
	Shutdown()
}

var targets = map[string]func(*testing.T) *target{
	"events": func(t *testing.T) *target { return newEvents(t, scheme.Scheme, events.NotesFirst) },
	"events, NotesLatest": func(t *testing.T) *target {
		return newEvents(t, scheme.Scheme, events.NotesLatest)
	},
	"events, NotesDistinct": func(t *testing.T) *target {
		return newEvents(t, scheme.Scheme, events.NotesDistinct(3))
	},
	"events, no scheme":    func(t *testing.T) *target { return newEvents(t, nil, events.NotesFirst) },
	"events, empty scheme": func(t *testing.T) *target { return newEvents(t, &runtime.Scheme{}, events.NotesFirst) },
	"legacy": func(t *testing.T) *target {
		b, c := newLegacy(t)
		return &target{broadcaster: b, cluster: c, calls: oldCalls(b.NewRecorder(scheme.Scheme, corev1.EventSource{}))}
	},
	"legacy, new shape": func(t *testing.T) *target {
		b, c := newLegacy(t)
		rec := b.NewEventsRecorder(scheme.Scheme, corev1.EventSource{Component: controller})
		return &target{broadcaster: b, cluster: c, calls: newCalls(rec)}
	},
	"AsLegacy": func(t *testing.T) *target {
		target := newEvents(t, scheme.Scheme, events.NotesFirst)
		rec := target.broadcaster.(*events.Broadcaster).NewRecorder(scheme.Scheme, controller)
		target.calls = oldCalls(legacy.AsLegacy(rec))
		return target
	},
	"FromLegacy": func(t *testing.T) *target { // two bridges: nothing is known of the recorder below
		target := newEvents(t, scheme.Scheme, events.NotesFirst)
		rec := target.broadcaster.(*events.Broadcaster).NewRecorder(scheme.Scheme, controller)
		target.calls = newCalls(legacy.FromLegacy(legacy.AsLegacy(rec)))
		return target
	},
	"adapter": func(t *testing.T) *target {
		c := newCluster()
		a, rec := start(t, c)
		return &target{broadcaster: a, cluster: c, calls: newCalls(rec)}
	},
	"adapter, legacy": func(t *testing.T) *target {
		c := newCluster()
		a, rec := start(t, c, adapter.WithMode(adapter.Legacy))
		return &target{broadcaster: a, cluster: c, calls: newCalls(rec)}
	},
	"adapter, old shape": func(t *testing.T) *target {
		c := newCluster()
		a, _ := start(t, c)
		return &target{broadcaster: a, cluster: c, calls: oldCalls(a.DeprecatedNewLegacyRecorder(controller))}
	},
}

func newEvents(t *testing.T, s *runtime.Scheme, notes events.NotePolicy) *target {
	c := newCluster()
	b := events.NewBroadcaster(sinks.EventsV1(c.EventsV1()), events.WithLogger(klog.Logger{}), events.WithNotes(notes))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Shutdown)
	rec := b.NewRecorder(s, controller).(*events.Recorder)
	return &target{broadcaster: b, cluster: c, calls: newCalls(rec)}
}

func newLegacy(t *testing.T) (*legacy.Broadcaster, *cluster) {
	c := newCluster()
	b := legacy.NewBroadcaster(events.WithLogger(klog.Logger{}))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: c.CoreV1().Events("")})
	t.Cleanup(b.Shutdown)
	return b, c
}

// newCalls are the calls of events.k8s.io.
func newCalls(rec interface {
	clientevents.EventRecorder
	events.AnnotatedEventRecorder
	Event(regarding, related runtime.Object, eventtype, reason, action, note string)
}) map[string]func(*attack) {
	return map[string]func(*attack){
		"Eventf": func(a *attack) {
			rec.Eventf(a.regarding, a.related, "Normal", a.reason, a.reason, a.note, a.args...)
		},
		"AnnotatedEventf": func(a *attack) {
			rec.AnnotatedEventf(a.regarding, a.related, a.annotations, "Warning", a.reason, "", a.note, a.args...)
		},
		"Event": func(a *attack) { rec.Event(a.regarding, a.related, "Normal", "", a.reason, a.note) },
	}
}

// oldCalls are those of core/v1.
func oldCalls(rec record.EventRecorder) map[string]func(*attack) {
	return map[string]func(*attack){
		"Eventf": func(a *attack) { rec.Eventf(a.regarding, "Normal", a.reason, a.note, a.args...) },
		"AnnotatedEventf": func(a *attack) {
			rec.AnnotatedEventf(a.regarding, a.annotations, "Warning", a.reason, a.note, a.args...)
		},
		"Event": func(a *attack) { rec.Event(a.regarding, "Normal", a.reason, a.note) },
	}
}
