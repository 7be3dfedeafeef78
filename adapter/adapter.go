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

// Adapter records Events through the API that the cluster offers. Make one with
// [New], begin with Start, and end with Drain or Shutdown. It is safe for
// concurrent use.
type Adapter struct {
	config config

	engine     *events.Broadcaster
	router     *router          // where the engine writes series to
	correlator *correlator.Core // what it uses in place of series where the API is not served
}

// Recorder is [events.Recorder]: a recorder of an adapter records through whichever API the
// adapter uses at that moment.
type Recorder = events.Recorder

// New returns an adapter over client. It does no I/O and starts no goroutine.
// ctx carries the logger, and is to StartRecordingToSink what Start's context is to
// Start.
func New(ctx context.Context, client kubernetes.Interface, opts ...Option) *Adapter {
	a := newAdapter(newConfig(ctx, append(slices.Clone(opts), legacy.WithContext(ctx))))
	a.attachClient(client)
	return a
}

// FromConfig returns an adapter that has no client yet, the broadcaster of its recorders, and attach,
// which gives it the client behind a sink. attach must be called once, before Start and Flush. It is
// exported for package clientgo/recordevents: no other code can make an options.Config.
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
	_ = a.engine.SetSelector(c.selector) // complete has parsed it
	return a
}

// attachClient lets the adapter write through client. It must be called before start.
func (a *Adapter) attachClient(client kubernetes.Interface) {
	// An EventSinkImpl has a client, so this cannot fail.
	_ = a.attachCorrelator(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	a.router.attach(discovery.NewProber(client), map[Mode]events.Sink{
		ModeEventsV1: sinks.EventsV1(client.EventsV1()),
		ModeCoreV1:   sinks.CoreV1(client.CoreV1()),
	})
}

// attachCorrelator sets the sink of the correlator. It must come before the router gets its sinks,
// because from then on the correlator may get occurrences, and without a sink it drops them.
func (a *Adapter) attachCorrelator(sink record.EventSink) error {
	_, err := a.correlator.Attach(sink)
	return err
}

// Start begins to write, and to find out which API to use. It returns an error for
// invalid options. A second call, and a call after Drain, only return an error.
//
// After the end of ctx occurrences are still recorded and written, until Drain or
// Shutdown is called. Without such a call the adapter shuts itself down after the drain
// timeout.
func (a *Adapter) Start(ctx context.Context) error {
	return a.engine.Start(ctx)
}

// StartRecordingToSink is Start for a stop channel, which need never be closed. The
// end of New's context, and the closing of the channel, are like the end of Start's
// context. Errors are logged.
func (a *Adapter) StartRecordingToSink(stopCh <-chan struct{}) {
	a.engine.StartRecordingToSink(stopCh) //nolint:staticcheck // it is deprecated there, and supported here
}

// Recorder returns a recorder that reports as name and follows every switch.
func (a *Adapter) Recorder(name string) *Recorder {
	return a.engine.Recorder(a.config.SchemeOrDefault(), name)
}

// Flush returns when everything observed so far is recorded or dropped, or when
// ctx ends; see [events.Broadcaster.Flush]. Before Start it writes, too, with goroutines that it
// starts and that have ended when it returns, to events.k8s.io/v1 or core/v1, depending on the mode and the
// server's answers. Invalid options are Flush's error then.
func (a *Adapter) Flush(ctx context.Context) error {
	return a.engine.Flush(ctx)
}

// Drain ends the adapter as [events.Broadcaster.Drain] does.
func (a *Adapter) Drain(ctx context.Context) error { return a.engine.Drain(ctx) }

// Shutdown is a Drain bounded by the drain timeout. What was lost is logged.
func (a *Adapter) Shutdown() { a.engine.Shutdown() }

// StartStructuredLogging logs every event as it is recorded, with the adapter's logger at
// the given verbosity. While that is disabled it costs nothing. The returned function ends
// it.
func (a *Adapter) StartStructuredLogging(verbosity klog.Level) func() {
	return a.engine.StartStructuredLogging(verbosity) //nolint:staticcheck // it is deprecated there, and supported here
}

// Stats returns the accounts.
func (a *Adapter) Stats() events.Stats { return a.engine.Stats() }

// OnRequest calls handle after each request, through whichever API, as
// [events.Broadcaster.OnRequest] does.
func (a *Adapter) OnRequest(handle func(events.Request)) (stop func()) {
	return a.engine.OnRequest(handle)
}
