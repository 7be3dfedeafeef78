// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// exporter is a sink that adds up the occurrences that each write adds, according to the
// broadcaster.
type exporter struct{ sum atomic.Int64 }

func (e *exporter) Create(ctx context.Context, _ *eventsv1.Event) (*eventsv1.Event, error) {
	w, _ := events.WriteFromContext(ctx)
	e.sum.Add(w.Delta)
	return nil, nil
}

func (e *exporter) Patch(ctx context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e.Create(ctx, event)
}

// component is one process that records Events, from its start to its end.
type component struct {
	// exported is the second sink of a Tee, or nil.
	exported  *exporter
	name      string
	config    ComponentConfig
	counts    *counts
	etiquette etiquette
	fairness  fairness
	began     time.Time
	// created has the Events of each object, if there is a limit per object.
	created objects

	recorder recorder
	// old has the methods of the recorders of client-go's tools/record.
	old  record.EventRecorderLogger
	base broadcaster
	// accounts returns the counts of each label set.
	accounts func() []events.LabeledCounts
	start    func(context.Context) error
	// watch starts a watcher. It is nil if the component has none.
	watch func() (stop func(), err error)
	// watching stops the watcher that runs. It is nil if none runs.
	watching func()
	selector string
	// labels are the labels of the broadcaster. Its recorders add one more.
	labels map[string]string

	// ctx is the context of Start.
	ctx     context.Context
	cancel  context.CancelFunc
	started bool
	// ending is true when Drain, Shutdown or the end of ctx has begun.
	ending bool
	// overBy is the time at which the component must have ended, if it is ending.
	overBy time.Time
	over   bool
}

// The labels of Events.
const (
	componentLabel = "sim/component"
	// recorderLabel is "new" for recorders of events.k8s.io, and "old" for recorders with the
	// methods of tools/record.
	recorderLabel = "sim/recorder"
)

// recorder has the methods that all recorders of events.k8s.io have in common.
type recorder interface {
	events.EventRecorder
	events.AnnotatedEventRecorder
	Event(regarding, related runtime.Object, eventtype, reason, action, note string)
}

// broadcaster has the methods that the broadcasters of all shapes have in common.
type broadcaster interface {
	Flush(context.Context) error
	Drain(context.Context) error
	Shutdown()
	Stats() events.Stats
	SetSelector(text string) error
}

// newProcess replaces the component of a slot, as a process that restarts.
func (w *world) newProcess(slot int) {
	config := w.script.Config.Components[slot]
	c := &component{
		name: fmt.Sprintf("c%d-%d", slot, len(w.all)), config: config,
		counts: newCounts(config.Limit > 0), began: time.Now(), created: objects{}, fairness: newFairness(),
		etiquette: etiquette{
			asked: map[string]time.Time{}, notBefore: map[string]time.Time{}, turns: map[string][]time.Time{},
		},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	if slot%2 == 1 {
		c.labels = map[string]string{componentLabel: c.name}
	}
	client := w.server.client(c.name, config.QPS)
	switch config.Shape {
	case viaAdapter:
		c.buildAdapter(client)
	case viaSeries:
		c.buildSeries(client)
	case viaLegacy:
		c.buildLegacy(client)
	}
	w.slots[slot] = c
	w.all = append(w.all, c)
	if config.Early {
		w.startComponent(c)
	}
}

// labelOf returns the label of a recorder, "new" or "old".
func labelOf(shape string) map[string]string { return map[string]string{recorderLabel: shape} }

// recordTo makes the recorders of the component from r.
func (c *component) recordTo(r *events.Recorder) {
	c.recorder = r
	c.old = legacy.AsLegacy(r)
	if c.labels != nil {
		c.recorder = r.WithLabels(labelOf("new"))
		c.old = legacy.AsLegacy(r.WithLabels(labelOf("old")))
	}
}

func (c *component) buildAdapter(client kubernetes.Interface) {
	a := adapter.New(c.ctx, client, events.WithOptions(c.events()...), adapter.WithMode(c.config.Mode),
		events.WithLogger(klog.Logger{}), events.WithLabels(c.labels),
		legacy.WithCorrelatorOptions(c.config.correlator()))
	c.base, c.start = a, a.Start
	c.accounts = func() []events.LabeledCounts { return a.Snapshot(0).Counts }
	c.recordTo(a.Recorder(c.controller()))
}

func (c *component) buildSeries(client kubernetes.Interface) {
	sink := sinks.EventsV1(client.EventsV1())
	if c.config.Mode == adapter.ModeCoreV1 {
		sink = sinks.CoreV1(client.CoreV1())
	}
	c.exported = &exporter{}
	sink = sinks.Tee(sink, c.exported)
	if c.config.Filtered {
		sink = sinks.Filter(sink, func(e *eventsv1.Event) bool { return !strings.HasSuffix(e.Regarding.Name, "3") })
	}
	b := events.NewBroadcaster(sink, append(c.events(), events.WithLabels(c.labels))...)
	c.base, c.start = b, b.Start
	c.accounts = func() []events.LabeledCounts { return b.Snapshot(0).Counts }
	c.recordTo(b.Recorder(scheme.Scheme, c.controller()))
	c.watch = func() (func(), error) {
		return b.StartEventWatcher(func(runtime.Object) { c.counts.watched.Add(1) })
	}
}

func (c *component) buildLegacy(client kubernetes.Interface) {
	b := legacy.NewBroadcaster(events.WithOptions(c.events()...), legacy.WithContext(c.ctx),
		events.WithLogger(klog.Logger{}), events.WithLabels(c.labels),
		legacy.WithCorrelatorOptions(c.config.correlator()))
	c.base = b
	c.accounts = func() []events.LabeledCounts { return b.Snapshot(0).Counts }
	c.start = func(context.Context) error {
		if c.started || c.ending {
			return errors.New("a second sink is of no interest here")
		}
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
		return nil
	}
	r := b.Recorder(scheme.Scheme, corev1.EventSource{Component: c.name})
	c.recorder = legacy.FromLegacy(r)
	c.old = r
	if c.labels != nil {
		c.recorder = legacy.FromLegacy(r.WithLabels(labelOf("new")))
		c.old = r.WithLabels(labelOf("old"))
	}
	c.watch = func() (func(), error) {
		if c.ending {
			return nil, errors.New("it is ending")
		}
		return b.StartEventWatcher(func(*corev1.Event) { c.counts.watched.Add(1) }).Stop, nil
	}
}

// controller returns the reporting controller of the component. With shared counts, all processes
// have the same one, because they are replicas.
func (c *component) controller() string {
	if c.config.SharedCounts {
		return "replicas"
	}
	return c.name
}

func (c *component) events() []events.Option {
	opts := []events.Option{
		events.WithLogger(klog.Logger{}), events.WithDropHandler(c.counts.drop), events.WithNotePolicy(c.config.Notes),
		events.WithMaxSeries(c.config.MaxSeries), tuning.MaxInFlight(c.config.InFlight),
		events.WithReportingInstance(c.name),
		tuning.Publishing(c.config.Publish, c.config.Published, c.config.PublishEvery),
		events.WithRefreshInterval(c.config.Refresh),
		events.WithFinishInterval(c.config.Finish), tuning.RetryFor(c.config.RetryFor),
		tuning.WriteTimeout(c.config.WriteTimeout), events.WithDrainTimeout(c.config.DrainTimeout),
		events.WithMaxSeriesPerObject(cmp.Or(c.config.Limit, math.MaxInt)),
	}
	if c.config.SharedCounts {
		opts = append(opts, events.WithSharedCounts(), events.WithClock(fastClock{by: c.config.Ahead}))
	}
	return opts
}

// fastClock is a clock that is ahead of the clocks of other components.
type fastClock struct {
	clock.RealClock
	by time.Duration
}

func (c fastClock) Now() time.Time { return c.RealClock.Now().Add(c.by) }

// correlator returns options of correlators that aggregate every event or none. Otherwise client-go's EventAggregator
// evicts random messages, and two runs of a seed differ.
func (c *ComponentConfig) correlator() record.CorrelatorOptions {
	if c.Aggregate {
		return record.CorrelatorOptions{MaxEvents: 1}
	}
	return record.CorrelatorOptions{MaxEvents: math.MaxInt}
}

// maxSeries returns the greatest number of series in memory.
func (c *ComponentConfig) maxSeries() int {
	return cmp.Or(c.MaxSeries, 65536)
}

// finish returns the time after its last occurrence at which a series ends.
func (c *ComponentConfig) finish() time.Duration {
	return cmp.Or(c.Finish, 6*time.Minute)
}

// retryFor returns the age at which an unwritten occurrence may be dropped. In package legacy it is always an hour.
func (c *component) retryFor() time.Duration {
	d := cmp.Or(c.config.RetryFor, max(time.Hour, c.config.Finish))
	if c.mayUseLegacy() {
		d = min(d, time.Hour)
	}
	return d
}

// refresh returns the longest time from the last write of a series to the write of a newer count.
func (c *ComponentConfig) refresh() time.Duration { return cmp.Or(c.Refresh, 30*time.Minute) }

// drainTimeout returns the longest time that Shutdown may take, without the grace period.
func (c *ComponentConfig) drainTimeout() time.Duration {
	return cmp.Or(c.DrainTimeout, 5*time.Second)
}
