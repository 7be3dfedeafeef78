// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// subject is the part of the SDK that a component uses.
type subject string

const (
	bySink       subject = "events with a Sink"
	byTee        subject = "events with sinks.Tee and sinks.Filter"
	byClient     subject = "events with sinks.EventsV1"
	byCoreClient subject = "events with sinks.CoreV1"
	byAdapter    subject = "adapter"
	byLegacy     subject = "legacy"
)

// correlates reports whether client-go's correlator may decide which Events are written. The
// correlator counts refused occurrences, and occurrences that its spam filter has suppressed, in
// later Events.
func (o *options) correlates() bool { return o.subject == byLegacy || o.subject == byAdapter }

// hasClient reports whether a client of client-go sends the requests.
func (s subject) hasClient() bool { return s != bySink && s != byTee }

// component is a broadcaster of the SDK with a recorder. A breakage may replace its functions.
type component struct {
	start    func(context.Context) error
	flush    func(context.Context) error
	drain    func(context.Context) error
	shutdown func()
	stats    func() events.Stats
	snapshot func(n int) events.Snapshot
	// selectBy is nil if the subject has no selector.
	selectBy func(selector string) error
	// watches is true if the component has a watcher.
	watches bool
	eventf  func(object runtime.Object, typ, reason, action, note string, args ...any)
}

const (
	controller = "example.com/oracle"
	// instance is the reporting instance of all processes, because they are processes of one
	// component.
	instance = "oracle-0"
)

func newComponent(p *process) *component {
	o := &p.w.s.options
	opts := p.options()
	server := p.w.broken.sinkOf(p, &sink{w: p.w, from: p})
	switch o.subject {
	case byTee:
		second := &flakySink{}
		keep := func(e *eventsv1.Event) bool { return e.Reason != "Pulled" || e.Regarding.Name != "db" }
		return ofEvents(p, events.NewBroadcaster(sinks.Filter(sinks.Tee(server, second), keep), opts...))
	case byClient:
		return ofEvents(p, events.NewBroadcaster(sinks.EventsV1(p.client().EventsV1()), opts...))
	case byCoreClient:
		return ofEvents(p, events.NewBroadcaster(sinks.CoreV1(p.client().CoreV1()), opts...))
	case byAdapter:
		return ofAdapter(adapter.New(p.ctx, p.client(), events.WithOptions(opts...)))
	case byLegacy:
		return ofLegacy(p, legacy.NewBroadcaster(events.WithOptions(opts...), legacy.WithContext(p.ctx)))
	}
	if o.flusher != "" {
		server = &flushingSink{Sink: server, p: p}
	}
	return ofEvents(p, events.NewBroadcaster(server, opts...))
}

func ofEvents(p *process, b *events.Broadcaster) *component {
	recorder := b.Recorder(scheme.Scheme, controller)
	c := &component{
		start:    b.Start,
		flush:    b.Flush,
		drain:    b.Drain,
		shutdown: b.Shutdown,
		stats:    b.Stats,
		snapshot: b.Snapshot,
		selectBy: b.SetSelector,
		eventf: func(object runtime.Object, typ, reason, action, note string, args ...any) {
			recorder.Eventf(object, nil, typ, reason, action, note, args...)
		},
	}
	if p.w.s.options.watched {
		_, err := b.StartEventWatcher(p.onWatch)
		c.watches = err == nil
	}
	return c
}

func ofAdapter(a *adapter.Adapter) *component {
	recorder := a.Recorder(controller)
	return &component{
		start:    a.Start,
		flush:    a.Flush,
		drain:    a.Drain,
		shutdown: a.Shutdown,
		stats:    a.Stats,
		snapshot: func(n int) events.Snapshot { return a.Snapshot(n).Snapshot },
		eventf: func(object runtime.Object, typ, reason, action, note string, args ...any) {
			recorder.Eventf(object, nil, typ, reason, action, note, args...)
		},
	}
}

func ofLegacy(p *process, b *legacy.Broadcaster) *component {
	recorder := b.Recorder(scheme.Scheme, corev1.EventSource{Component: controller})
	client := p.client()
	return &component{
		start: func(context.Context) error {
			b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
			return nil
		},
		flush:    b.Flush,
		drain:    b.Drain,
		shutdown: b.Shutdown,
		stats:    b.Stats,
		snapshot: b.Snapshot,
		selectBy: b.SetSelector,
		eventf: func(object runtime.Object, typ, reason, _, note string, args ...any) {
			recorder.Eventf(object, typ, reason, note, args...)
		},
	}
}

// options returns the options of the process's broadcaster.
func (p *process) options() []events.Option {
	o := &p.w.s.options
	opts := []events.Option{
		events.WithLogger(p.logger()),
		events.WithReportingInstance(instance),
		events.WithDropHandler(p.onDrop),
		events.WithMaxSeries(o.maxSeries),
		tuning.MaxInFlight(o.maxInFlight),
		events.WithMaxSeriesPerObject(o.objectLimit),
		tuning.WriteTimeout(o.writeTimeout),
		events.WithDrainTimeout(o.drainTimeout),
		events.WithFinishInterval(o.finish),
		events.WithRefreshInterval(o.refresh),
		tuning.RetryFor(o.retryFor),
	}
	if o.sharedCounts {
		opts = append(opts, events.WithSharedCounts())
	}
	switch {
	case o.notes == 1:
		opts = append(opts, events.WithNotePolicy(events.NotesLatest))
	case o.notes > 1:
		opts = append(opts, events.WithNotePolicy(events.NotesDistinct(o.notes)))
	}
	if p.w.s.moves(p.id) {
		opts = append(opts, events.WithClock(aheadClock{p: p}))
	}
	if o.watched {
		opts = append(opts, tuning.OccurrenceHandler(p.onOccurrence))
	}
	if o.doublingsOnly {
		opts = append(opts, events.WithLogDoublings())
	}
	return opts
}

// moves reports whether a process needs a clock of its own, because it differs from the other
// clocks at some time.
func (s *schedule) moves(process int) bool {
	return s.options.ahead[process] != 0 ||
		slices.ContainsFunc(s.steps, func(one step) bool { return one.do == suspend && one.process == process })
}

// client returns a client whose requests go to the server without a network.
func (p *process) client() kubernetes.Interface {
	config := &rest.Config{Host: "http://oracle.invalid", QPS: -1}
	if p.w.s.options.limiter {
		config.RateLimiter = &hostileLimiter{w: p.w}
	}
	client, err := kubernetes.NewForConfigAndClient(config, &http.Client{Transport: &transport{w: p.w, from: p}})
	if err != nil {
		panic(err)
	}
	return client
}

// hostileLimiter is the rate limiter of a client. It panics, refuses and waits, until the faults
// end. If all faults are in one namespace, it only waits, because it does not know the namespace of
// a request.
type hostileLimiter struct {
	w     *world
	calls atomic.Int64
}

func (l *hostileLimiter) Wait(ctx context.Context) error {
	if l.w.isCalm(0) {
		return nil
	}
	n := l.calls.Add(1)
	switch {
	case n%3 == 0:
		if !sleep(ctx, 20*time.Millisecond) {
			return ctx.Err()
		}
	case l.w.s.options.sick:
	case n%7 == 0:
		panic("a rate limiter panics")
	case n%5 == 0:
		return errors.New("the bucket is empty")
	}
	return nil
}

func (l *hostileLimiter) TryAccept() bool { return true }
func (l *hostileLimiter) Accept()         {}
func (l *hostileLimiter) Stop()           {}
func (l *hostileLimiter) QPS() float32    { return 1000 }

// flusherKind is the behaviour of a sink when it is flushed. It is empty for a sink that cannot be
// flushed.
type flusherKind string

const (
	flushes       flusherKind = "flushes"
	flushFails    flusherKind = "fails to flush"
	flushHangs    flusherKind = "flushes until the context ends"
	flushOutlives flusherKind = "flushes for longer than the context"
	flushPanics   flusherKind = "panics while it flushes"
)

func (k flusherKind) fails() bool { return k != "" && k != flushes }

// flushingSink is a sink that can be flushed. It buffers nothing.
type flushingSink struct {
	events.Sink
	p *process
}

func (f *flushingSink) Flush(ctx context.Context) error {
	f.p.flushed.Add(1)
	switch f.p.w.s.options.flusher {
	case flushFails:
		return errors.New("the buffer is gone")
	case flushHangs:
		<-ctx.Done()
		return ctx.Err()
	case flushOutlives:
		<-ctx.Done()
		time.Sleep(longestLate)
	case flushPanics:
		panic("Flush panics")
	}
	return nil
}

// flakySink is the second sink of a Tee. Its failures must have no effect.
type flakySink struct{ calls atomic.Int64 }

func (f *flakySink) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return f.answer()
}

func (f *flakySink) Patch(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) {
	return f.answer()
}

func (f *flakySink) answer() (*eventsv1.Event, error) {
	switch f.calls.Add(1) % 4 {
	case 0:
		panic("the second sink panics")
	case 1:
		return nil, errors.New("the second sink fails")
	}
	return nil, nil
}

func (p *process) logger() klog.Logger {
	return klog.New(&hostileLogger{hostile: p.w.s.options.hostile})
}

// hostileLogger drops all lines. If it is hostile, it also panics in every third of the first
// hundred lines.
type hostileLogger struct {
	hostile bool
	lines   atomic.Int64
}

func (l *hostileLogger) Init(klog.RuntimeInfo) {}

// Enabled disables the levels at which client-go logs requests. A panic there would be a panic of
// the client, and not of a call of the SDK.
func (l *hostileLogger) Enabled(level int) bool         { return l.hostile && level <= 4 }
func (l *hostileLogger) Info(int, string, ...any)       { l.log() }
func (l *hostileLogger) Error(error, string, ...any)    { l.log() }
func (l *hostileLogger) WithValues(...any) klog.LogSink { return l }
func (l *hostileLogger) WithName(string) klog.LogSink   { return l }

func (l *hostileLogger) log() {
	lines := l.lines.Add(1)
	if l.hostile && lines%3 == 0 && lines < 100 {
		panic("a logger panics")
	}
}
