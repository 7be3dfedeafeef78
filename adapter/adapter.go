// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// Adapter records Events through the API that the cluster offers. Make one with
// [New], begin with Start, and end with Drain or Shutdown. It is safe for
// concurrent use.
type Adapter struct {
	config     config
	optionsErr error
	attached   atomic.Bool      // there is something to write to
	coreSink   record.EventSink // what the legacy broadcaster writes to; set with attached

	series *events.Broadcaster
	legacy *legacy.Broadcaster
	router *router

	selector atomic.Pointer[selector.Selector]

	life          *broadcast.Life
	viaLegacy     atomic.Bool     // new occurrences go to the legacy broadcaster
	legacyStarted bool            // guarded by life
	due           context.Context // of the broadcasters; ends with the adapter's context
	probing       context.Context // outlives the broadcasters: their last writes may need a probe
	stopProbe     context.CancelFunc
}

var _ clientevents.EventBroadcasterAdapter = (*Adapter)(nil)

// New returns an adapter over client. It does no I/O and starts no goroutine.
// ctx carries the logger, and is to StartRecordingToSink what Start's context is to
// Start.
func New(ctx context.Context, client kubernetes.Interface, opts ...Option) *Adapter {
	a := newAdapter(ctx, opts)
	a.attachClient(client)
	return a
}

// newAdapter returns an adapter that has no client yet.
func newAdapter(ctx context.Context, opts []Option) *Adapter {
	c, err := newConfig(ctx, opts)
	a := &Adapter{config: c, optionsErr: err}
	a.probing, a.stopProbe = context.WithCancel(context.WithoutCancel(c.ctx))
	a.router = newRouter(&a.config)
	a.router.support.onChange = a.follow
	a.series = events.NewBroadcaster(c.wrap(a.router),
		append([]events.Option{events.WithClock(c.clock), events.WithLogger(*c.logger)}, c.events...)...)
	var hurry context.CancelFunc
	a.due, hurry = context.WithCancel(broadcast.Attended(context.Background()))
	a.legacy = legacy.NewBroadcaster(
		append([]legacy.Option{
			legacy.WithContext(a.due),
			legacy.WithClock(c.clock), legacy.WithLogger(*c.logger),
			legacy.WithContextAnnotations(a.series.ContextAnnotations),
		}, c.legacy...)...)
	_ = a.setSelectorLocked(c.selector) // newConfig has parsed it
	a.life = broadcast.NewLife(broadcast.Config{
		DrainTimeout: max(a.series.DrainTimeout(), a.legacy.DrainTimeout()), Hurry: hurry,
		Drain: a.drain, Shutdown: a.shutdown,
	})
	return a
}

// attachClient lets the adapter write through client. It must be called before start.
func (a *Adapter) attachClient(client kubernetes.Interface) {
	a.router.attach(discovery.NewProber(client), map[API]events.Sink{
		EventsV1: sinks.EventsV1(client.EventsV1()),
		CoreV1:   sinks.CoreV1(client.CoreV1()),
	})
	a.attachCore(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
}

// attachCore sets the sink of the legacy broadcaster. It comes last.
func (a *Adapter) attachCore(sink record.EventSink) {
	a.coreSink = sink
	a.attached.Store(true)
}

// Start begins to write, and to find out which API to use. It returns an error for
// invalid options. A second call, and a call after Drain, only return an error.
//
// After the end of ctx occurrences are still recorded and written, until Drain or
// Shutdown is called. Without such a call the adapter shuts itself down after the
// longer drain timeout of both broadcasters.
func (a *Adapter) Start(ctx context.Context) error { return a.start(ctx, nil, nil) }

// StartRecordingToSink is Start for a stop channel, which need never be closed. The
// end of New's context, and the closing of the channel, are like the end of Start's
// context. Errors are logged.
func (a *Adapter) StartRecordingToSink(stopCh <-chan struct{}) {
	if err := a.start(a.config.ctx, stopCh, nil); err != nil {
		a.config.logger.Error(err, "Events are not written", "advice", "not-started")
	}
}

// start starts an adapter that has a client, or gets one from attach.
func (a *Adapter) start(ctx context.Context, stopCh <-chan struct{}, attach func() error) error {
	if a.optionsErr != nil {
		return a.optionsErr
	}
	err := a.life.Start(func() error {
		if attach != nil {
			if err := attach(); err != nil {
				return err
			}
		}
		// The adapter ends its broadcasters itself, both at the same time.
		due, hurry := context.WithCancel(broadcast.Attended(context.WithoutCancel(ctx)))
		context.AfterFunc(a.due, hurry)
		if err := a.series.Start(due); err != nil {
			return err
		}
		if a.config.mode == Auto && a.router.support.prober != nil {
			a.life.Group.Go(func() { a.router.support.run(a.probing) })
		}
		a.life.SuperviseLocked(ctx, stopCh)
		a.followLocked()
		return nil
	})
	if err != nil {
		return fmt.Errorf("adapter: %w", err)
	}
	return nil
}

// follow routes new occurrences by what discovery says now. Two changes may be
// announced in either order.
func (a *Adapter) follow() {
	a.life.During(func(s broadcast.State) {
		if s == broadcast.Running {
			a.followLocked()
		}
	})
}

func (a *Adapter) followLocked() {
	viaLegacy := a.config.mode == Legacy || a.config.mode == Auto && a.config.fallback == FallbackLegacy &&
		a.router.support.current() == discovery.NotServed
	if viaLegacy && !a.legacyStarted {
		a.legacyStarted = true
		a.legacy.StartRecordingToSink(a.coreSink)
	}
	a.viaLegacy.Store(viaLegacy)
}

// NewRecorder returns a recorder, a *Recorder, that reports as name and follows
// every switch.
func (a *Adapter) NewRecorder(name string) clientevents.EventRecorderLogger {
	return newRecorder(a, a.config.scheme, corev1.EventSource{Component: name})
}

// DeprecatedNewLegacyRecorder returns a recorder of the old shape over
// NewRecorder, for callers such as leader election. It follows every switch.
//
// Deprecated: it keeps the name that client-go gave it; for new code there is
// NewRecorder.
func (a *Adapter) DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger {
	return legacy.AsLegacy(a.NewRecorder(name))
}

// Flush returns when everything observed so far is recorded or dropped, or when
// ctx ends; see [events.Broadcaster.Flush]. Before Start it writes in the caller's
// goroutine, to events.k8s.io/v1 or core/v1, depending on the mode and the server's
// answers. Invalid options are Flush's error then.
func (a *Adapter) Flush(ctx context.Context) error {
	switch {
	case a.optionsErr != nil:
		return a.optionsErr
	case !a.attached.Load():
		return errors.New("adapter: there is no sink yet, call StartRecordingToSink")
	}
	return errors.Join(a.series.Flush(ctx), a.legacy.Flush(ctx))
}

// Drain ends the adapter as [events.Broadcaster.Drain] does. What is abandoned
// of both broadcasters is added up in one [*events.AbandonedError], beside which the error
// of a Flusher is found, too.
func (a *Adapter) Drain(ctx context.Context) error {
	return a.life.Drain(ctx)
}

// Shutdown is a Drain bounded by each broadcaster's own drain timeout. What was
// lost is logged.
func (a *Adapter) Shutdown() { a.life.Shutdown() }

func (a *Adapter) drain(ctx context.Context) error {
	return a.endBoth(
		func() error { return a.series.Drain(ctx) },
		func() error { return a.legacy.Drain(ctx) },
	)
}

func (a *Adapter) shutdown() error {
	ctx := context.Background()
	return a.endBoth(
		func() error { a.series.Shutdown(); return a.series.Drain(ctx) }, // returns the result of Shutdown
		func() error { a.legacy.Shutdown(); return a.legacy.Drain(ctx) },
	)
}

// endBoth ends both broadcasters side by side.
func (a *Adapter) endBoth(endSeries, endLegacy func() error) error {
	var both lifecycle.Group
	var seriesErr, legacyErr error
	both.Go(func() { legacyErr = endLegacy() })
	seriesErr = endSeries()
	both.Wait(context.Background())
	a.stopProbe()
	var probeErr error
	if stuck := a.life.WaitForGroup(a.probing, func() {}); stuck > 0 {
		probeErr = &events.AbandonedError{Stuck: stuck, Err: a.probing.Err()}
	}
	return addAbandoned(seriesErr, legacyErr, probeErr)
}

// StartStructuredLogging logs every event as it is recorded, through whichever
// broadcaster, with the adapter's logger at the given verbosity. While that is
// disabled it costs nothing. The returned function ends it.
func (a *Adapter) StartStructuredLogging(verbosity klog.Level) func() {
	stop, err := a.startLogging(verbosity)
	if err != nil {
		a.config.logger.Error(err, "Events are not logged", "advice", "ended")
		return func() {}
	}
	return stop
}

func (a *Adapter) startLogging(verbosity klog.Level) (stop func(), err error) {
	series, err := a.series.StartLogging(a.config.logger.V(int(verbosity)))
	if err != nil {
		return nil, err
	}
	old := a.legacy.StartStructuredLogging(verbosity)
	return func() {
		series()
		old.Stop()
	}, nil
}

// Stats returns the accounts of both broadcasters, added up.
func (a *Adapter) Stats() events.Stats { return a.series.Stats().Add(a.legacy.Stats()) }

// Counts returns the accounts of both broadcasters by label set; see
// [events.Broadcaster.Counts].
func (a *Adapter) Counts() iter.Seq[events.Counts] {
	return func(yield func(events.Counts) bool) {
		sums := map[events.Labels]events.Counts{}
		for _, counts := range []iter.Seq[events.Counts]{a.series.Counts(), a.legacy.Counts()} {
			for c := range counts {
				sums[c.Labels] = c.Add(sums[c.Labels])
			}
		}
		for _, labels := range slices.SortedFunc(maps.Keys(sums), events.Labels.Compare) {
			if !yield(sums[labels]) {
				return
			}
		}
	}
}

// OnRequest calls handle after each request, through whichever API, as
// [events.Broadcaster.OnRequest] does.
func (a *Adapter) OnRequest(handle func(events.Request)) (stop func()) {
	ofSeries, ofLegacy := a.router.requests.Add(handle), a.legacy.OnRequest(handle)
	return func() {
		ofSeries()
		ofLegacy()
	}
}

// addAbandoned joins errors, and adds up each [*events.AbandonedError] among them.
func addAbandoned(errs ...error) error {
	var sum *events.AbandonedError
	var all []error
	for _, err := range errs {
		parts := []error{err}
		if joined, ok := err.(interface{ Unwrap() []error }); ok { // by events.Broadcaster.Drain
			parts = joined.Unwrap()
		}
		for _, part := range parts {
			var lost *events.AbandonedError
			switch {
			case !errors.As(part, &lost):
				all = append(all, part)
			case sum == nil:
				first := *lost
				sum = &first
				all = append(all, sum)
			default:
				sum.Occurrences += lost.Occurrences
				sum.Series += lost.Series
				sum.Unconfirmed += lost.Unconfirmed
				sum.Stuck += lost.Stuck
				if sum.Regarding.Name == "" {
					sum.Regarding, sum.LastError = lost.Regarding, lost.LastError
				}
			}
		}
	}
	return errors.Join(all...)
}
