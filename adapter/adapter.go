// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"slices"

	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/correlator"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// Adapter records Events through whichever API the cluster serves and RBAC allows. Create one with
// [New] or [NewForConfig], start writing with Start, and end it with Drain or Shutdown. It is safe
// for concurrent use.
type Adapter struct {
	config config

	engine *events.Broadcaster
	// router is the innermost sink of the engine. It chooses the API for each write of a series.
	router *router
	// correlator receives the occurrences, instead of the series, in ModeLegacy and while the API
	// server does not serve events.k8s.io/v1.
	correlator *correlator.Core
}

// Recorder is an alias of [events.Recorder]. A recorder does not depend on the API, which the
// adapter chooses for each write.
type Recorder = events.Recorder

// New returns an adapter that writes through client. It does no I/O and starts no goroutine. Start
// returns an error if an option is invalid.
//
// The adapter uses the logger in ctx, unless an option sets one. ctx is also the context for
// StartRecordingToSink, which takes no context. Start has a context of its own.
func New(ctx context.Context, client kubernetes.Interface, opts ...Option) *Adapter {
	a := newAdapter(newConfig(ctx, append(slices.Clone(opts), legacy.WithContext(ctx))))
	a.attachClient(client)
	return a
}

// FromConfig returns an adapter that has no client yet, and the broadcaster of its recorders.
// attach makes the adapter use the client that a sink wraps. The caller must call attach once,
// before Start and Flush.
//
// FromConfig is for package clientgo/recordevents. Code outside this module cannot call it, because
// options.Config is in an internal package.
func FromConfig(c options.Config) (a *Adapter, recorders *events.Broadcaster, attach func(record.EventSink) error) {
	a = newAdapter(complete(c))
	return a, a.engine, a.attachSink
}

// newAdapter returns an adapter that has no client yet.
func newAdapter(c config) *Adapter {
	a := &Adapter{config: c}
	a.router = newRouter(&a.config)
	a.correlator = correlator.New(c.CorrelatorOptions, c.QueueSize, c.Clock)
	c.Sink = a.router
	for _, wrap := range c.Sinks {
		c.Sink = wrap(c.Sink)
	}
	c.Correlator = a.correlator
	c.Correlate = &a.router.support.correlated
	c.Log = a.router.permissions.log
	c.Run = a.router.support.run
	a.engine = events.FromEngine(c.Config.Config)
	// The error is nil, because complete has parsed the selector.
	_ = a.engine.SetSelector(c.selector)
	return a
}

// attachClient makes the adapter write through client. It must be called once, before Start.
func (a *Adapter) attachClient(client kubernetes.Interface) {
	// The error is nil, because this EventSinkImpl has a client.
	_ = a.attachCorrelator(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	a.router.attach(discovery.NewProber(client), map[Mode]events.Sink{
		ModeEventsV1: sinks.EventsV1(client.EventsV1()),
		ModeCoreV1:   sinks.CoreV1(client.CoreV1()),
	})
}

// attachCorrelator sets the correlator's sink. It must be called before router.attach, because
// after router.attach the correlator may receive occurrences, and it drops them while it has no
// sink.
func (a *Adapter) attachCorrelator(sink record.EventSink) error {
	_, err := a.correlator.Attach(sink)
	return err
}

// Start starts writing Events, and starts asking the API server in the background which API it
// serves. Start itself does no I/O. It returns a single error that reports all invalid options. If
// the adapter has already been started or drained, Start returns an error and has no effect.
//
// When ctx ends, the adapter does not end. Occurrences that the component records while it stops
// are still written, until Drain or Shutdown is called. If neither is called within the drain
// timeout, the adapter shuts itself down. See [events.Broadcaster.Start].
func (a *Adapter) Start(ctx context.Context) error {
	return a.engine.Start(ctx)
}

// StartRecordingToSink is like Start, but takes a stop channel. Closing stopCh, or ending the
// context passed to [New], has the same effect as ending Start's context. stopCh may be nil.
// Instead of returning an error, StartRecordingToSink logs it.
func (a *Adapter) StartRecordingToSink(stopCh <-chan struct{}) {
	a.engine.StartRecordingToSink(stopCh) //nolint:staticcheck // it is deprecated there, and supported here
}

// Recorder returns a recorder whose reporting controller is name. The recorder remains usable when
// the adapter switches to the other API.
func (a *Adapter) Recorder(name string) *Recorder {
	return a.engine.Recorder(a.config.SchemeOrDefault(), name)
}

// Flush blocks until the occurrences that were observed before the call are recorded or dropped. If
// ctx ends first, Flush returns an error. See [events.Broadcaster.Flush].
//
// Flush also works before Start. In that case it starts goroutines for writing, and ends them
// before it returns. If an option is invalid, it writes nothing and returns an error. It chooses
// the API in the same way as after Start.
func (a *Adapter) Flush(ctx context.Context) error {
	return a.engine.Flush(ctx)
}

// Drain ends the adapter. It writes the pending occurrences, and returns when they are written or
// ctx ends. It returns an error if occurrences were lost. See [events.Broadcaster.Drain].
func (a *Adapter) Drain(ctx context.Context) error { return a.engine.Drain(ctx) }

// Shutdown is Drain with a context that ends after the drain timeout, which is 5 seconds by
// default. Instead of returning an error, it logs the error.
func (a *Adapter) Shutdown() { a.engine.Shutdown() }

// StartStructuredLogging logs each occurrence when it is recorded, with the adapter's logger at the
// given verbosity. It costs nothing while that verbosity is disabled. The returned function stops
// the logging.
func (a *Adapter) StartStructuredLogging(verbosity klog.Level) func() {
	return a.engine.StartStructuredLogging(verbosity) //nolint:staticcheck // it is deprecated there, and supported here
}

// Stats returns the counters of the adapter, all taken at the same moment, whichever API the Events
// were written through. It sends no requests. It takes time proportional to the number of series.
func (a *Adapter) Stats() events.Stats { return a.engine.Stats() }

// OnRequest makes the adapter call handle after each request that writes an Event through either
// API, until stop is called. See [events.Broadcaster.OnRequest] for the restrictions on handle.
func (a *Adapter) OnRequest(handle func(events.Request)) (stop func()) {
	return a.engine.OnRequest(handle)
}
