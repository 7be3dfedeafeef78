// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/conditions"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Path is a public way to record, or an option that every occurrence passes.
type Path struct {
	Name   string
	Peer   string // the contender that offers it, too
	Config Config
}

// Paths lists them. The first is the plain broadcaster, which the others build on.
func Paths() []Path {
	labels := map[string]string{"example.com/team": "storage", "app.kubernetes.io/name": "csi"}
	return []Path{
		{"events", report.Floor, Config{}},
		{"adapter, events.k8s.io/v1", report.ToolsEvents, Config{Make: newAdapter(adapter.EventsV1)}},
		{"adapter, core/v1", report.ToolsRecord, Config{Make: newAdapter(adapter.CoreV1)}},
		{"adapter.RecorderFor", report.ToolsEvents, Config{Make: newRecorderFor}},
		{"legacy", report.ToolsRecord, Config{Make: newLegacy}},
		{"legacy.AsLegacy", report.ToolsRecord, Config{Then: asLegacy}},
		{"an event watcher", report.ToolsEvents, Config{Watching: true}},
		{"WithOccurrenceHandler", "", options(events.WithOccurrenceHandler(func(*eventsv1.Event) {}))},
		{"NotesDistinct(10)", "", options(events.WithNotes(events.NotesDistinct(10)))},
		{"NotesLatest", "", options(events.WithNotes(events.NotesLatest))},
		{"WithContinuity", "", options(events.WithContinuity())},
		{"WithObjectLimit", "", options(events.WithObjectLimit(10))},
		{"WithLabels", "", options(events.WithLabels(labels))},
		{"muted by SetSelector", "", Config{Then: mute}},
		{"the Prometheus collector", "", Config{Then: collect}},
		{"conditions.Record", "", Config{Then: recordConditions}},
	}
}

func options(all ...events.Option) Config { return Config{Options: all} }

// newAdapter pins the API. Its client is never used: the sink is that of all contenders.
func newAdapter(api adapter.API) func(*Contender, Config) error {
	return func(c *Contender, _ Config) error {
		client, err := kubernetes.NewForConfig(&rest.Config{Host: "https://unused.invalid"})
		if err != nil {
			return err
		}
		a := adapter.New(context.Background(), client, intoSink(c, api)...)
		c.Recorder = a.NewRecorder(component)
		return c.start(a)
	}
}

func intoSink(c *Contender, api adapter.API) []adapter.Option {
	return []adapter.Option{
		adapter.WithMode(api), adapter.WithSink(func(events.Sink) events.Sink { return newSink{c.Sink} }),
	}
}

// manager is as much of controller-runtime's as the adapter asks for.
type manager struct{}

type runnable interface{ Start(context.Context) error }

func (*manager) Add(runnable) error         { return nil }
func (*manager) GetCache() any              { return nil }
func (*manager) GetConfig() *rest.Config    { return &rest.Config{Host: "https://unused.invalid"} }
func (*manager) GetScheme() *runtime.Scheme { return scheme.Scheme }

// newRecorderFor starts the adapter as the manager would.
func newRecorderFor(c *Contender, _ Config) error {
	mgr := &manager{}
	a, err := adapter.ForManager(mgr, intoSink(c, adapter.EventsV1)...)
	if err != nil {
		return err
	}
	c.Recorder = adapter.RecorderFor(mgr, component)
	return c.start(a)
}

// newLegacy is called through client-go's adapter for the new signature, as tools/record is.
func newLegacy(c *Contender, _ Config) error {
	b := legacy.NewBroadcaster()
	b.StartRecordingToSink(oldSink{c.Sink})
	c.stop = b.Shutdown
	c.Background = true
	c.Recorder = record.NewEventRecorderAdapter(b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}))
	return nil
}

// asLegacy is called as newLegacy is.
func asLegacy(c *Contender) error {
	c.Recorder = record.NewEventRecorderAdapter(legacy.AsLegacy(c.Recorder))
	return nil
}

func mute(c *Contender) error { return c.Broadcaster.SetSelector("type!=" + corev1.EventTypeWarning) }

func collect(c *Contender) error {
	c.Registry = prometheus.NewRegistry()
	return c.Registry.Register(eventsprom.NewCollector(c.Broadcaster))
}

// recordConditions makes one transition of each call.
func recordConditions(c *Contender) error {
	c.Recorder = &conditionRecorder{
		recorder: c.Recorder,
		before:   []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready"}},
		after: []metav1.Condition{
			{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Unschedulable", Message: "no node"},
		},
	}
	return nil
}

type conditionRecorder struct {
	recorder      clientevents.EventRecorder
	before, after []metav1.Condition
}

// Eventf records a transition of the object's condition.
func (r *conditionRecorder) Eventf(regarding, _ runtime.Object, _, _, _, _ string, _ ...any) {
	conditions.Record(r.recorder, regarding, r.before, r.after)
}
