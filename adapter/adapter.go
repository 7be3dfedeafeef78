// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// Adapter records Events through the API that the cluster offers. Make one with
// [New], begin with Start, and end with Drain or Shutdown. It is safe for
// concurrent use.
type Adapter struct {
	client kubernetes.Interface
	config config
	wrong  error
	ctx    context.Context // New's: for StartRecordingToSink, which has none

	series *events.Broadcaster
	legacy *legacy.Broadcaster
	router *router

	viaLegacy atomic.Bool // new occurrences go to the legacy broadcaster
	group     lifecycle.Group
	ending    chan struct{}   // closed when Drain or Shutdown begins
	probing   context.Context // ends when it is over: what is written last may need an answer
	stopProbe context.CancelFunc

	mu           sync.Mutex // guards the rest
	started      bool
	legacyServed bool
}

var _ clientevents.EventBroadcasterAdapter = (*Adapter)(nil)

// New returns an adapter over client. It does no I/O and starts no goroutine.
// ctx carries the logger, and its end ends an adapter that was started with
// StartRecordingToSink.
func New(ctx context.Context, client kubernetes.Interface, opts ...Option) *Adapter {
	c, err := newConfig(klog.FromContext(ctx), opts)
	a := &Adapter{client: client, config: c, wrong: err, ctx: ctx, ending: make(chan struct{})}
	a.probing, a.stopProbe = context.WithCancel(context.WithoutCancel(ctx))
	a.router = newRouter(discovery.NewProber(client), &a.config, map[API]events.Sink{
		EventsV1: sinks.EventsV1(client.EventsV1()),
		CoreV1:   sinks.CoreV1(client.CoreV1()),
	})
	a.router.support.changed = a.follow
	a.series = events.NewBroadcaster(a.router,
		append([]events.Option{events.WithClock(c.clock), events.WithLogger(*c.logger)}, c.events...)...)
	a.legacy = legacy.NewBroadcaster(
		append([]legacy.Option{legacy.WithClock(c.clock), legacy.WithLogger(*c.logger)}, c.legacy...)...)
	return a
}

// Start begins to write, and to find out which API to use. It returns what the
// options or EVENTSERIES_API got wrong, and an error without effect when called
// twice or after Drain. The end of ctx is a Shutdown.
func (a *Adapter) Start(ctx context.Context) error { return a.start(ctx, nil) }

// StartRecordingToSink is Start for a stop channel, which need never be closed.
// Errors are logged.
func (a *Adapter) StartRecordingToSink(stopCh <-chan struct{}) {
	if err := a.start(a.ctx, stopCh); err != nil {
		a.config.logger.Error(err, "Events are not written")
	}
}

func (a *Adapter) start(ctx context.Context, stopCh <-chan struct{}) error {
	if a.wrong != nil {
		return a.wrong
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended() {
		return errors.New("adapter: it was drained, make a new one")
	}
	// The adapter ends its broadcasters itself, both at the same time.
	if err := a.series.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	a.started = true
	a.followLocked()
	if a.config.mode == Auto {
		a.group.Go(func() { a.router.support.run(a.probing) })
	}
	a.group.Go(func() {
		select {
		case <-ctx.Done():
		case <-stopCh:
		case <-a.ending:
			return
		}
		a.end(a.series.Shutdown, a.legacy.Shutdown)
	})
	return nil
}

// follow routes new occurrences by what discovery says now: two changes of its
// mind may be announced in either order.
func (a *Adapter) follow() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.followLocked()
}

func (a *Adapter) followLocked() {
	if !a.started || a.ended() {
		return
	}
	viaLegacy := a.config.mode == Legacy || a.config.mode == Auto && a.config.fallback == FallbackLegacy &&
		a.router.support.current() == discovery.NotServed
	if viaLegacy && !a.legacyServed {
		a.legacyServed = true
		a.legacy.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: a.client.CoreV1().Events("")})
	}
	a.viaLegacy.Store(viaLegacy)
}

// NewRecorder returns a recorder, a *Recorder, that reports as name and follows
// every switch.
func (a *Adapter) NewRecorder(name string) clientevents.EventRecorderLogger {
	return newRecorder(a, name)
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
// ctx ends; see [events.Broadcaster.Flush]. Before Start it writes by itself, as
// that does, to events.k8s.io/v1 or core/v1 as the mode and the server's answers
// say. What Start would refuse is Flush's error then.
func (a *Adapter) Flush(ctx context.Context) error {
	if a.wrong != nil {
		return a.wrong
	}
	return errors.Join(a.series.Flush(ctx), a.legacy.Flush(ctx))
}

// Drain ends the adapter as [events.Broadcaster.Drain] does. What is abandoned
// of both broadcasters is added up in one [*events.AbandonedError].
func (a *Adapter) Drain(ctx context.Context) error {
	var series, old error
	a.end(func() { series = a.series.Drain(ctx) }, func() { old = a.legacy.Drain(ctx) })
	a.group.Wait(context.Background()) // they return at once: the drain is over
	return joinAbandoned(series, old)
}

// Shutdown is a Drain bounded by each broadcaster's own drain timeout.
func (a *Adapter) Shutdown() {
	a.end(a.series.Shutdown, a.legacy.Shutdown)
	a.group.Wait(context.Background())
}

// end runs the ends of both broadcasters side by side.
func (a *Adapter) end(series, old func()) {
	a.mu.Lock() // no sink is attached from here on
	if !a.ended() {
		close(a.ending)
	}
	a.mu.Unlock()
	var both lifecycle.Group
	both.Go(old)
	series()
	both.Wait(context.Background())
	a.stopProbe()
}

func (a *Adapter) ended() bool {
	select {
	case <-a.ending:
		return true
	default:
		return false
	}
}

// Stats returns the accounts of both broadcasters, added up.
func (a *Adapter) Stats() events.Stats { return a.series.Stats().Add(a.legacy.Stats()) }

func joinAbandoned(errs ...error) error {
	var total *events.AbandonedError
	for _, err := range errs {
		var lost *events.AbandonedError
		switch {
		case !errors.As(err, &lost):
		case total == nil:
			copied := *lost
			total = &copied
		default:
			total.Occurrences += lost.Occurrences
			total.Series += lost.Series
			total.Unconfirmed += lost.Unconfirmed
			total.Stuck += lost.Stuck
		}
	}
	if total == nil {
		return errors.Join(errs...)
	}
	return total
}
