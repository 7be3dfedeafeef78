// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/correlator"
	"github.com/eventseries/eventseries/internal/options"
)

// Broadcaster passes the occurrences of its recorders to sinks, watchers and logs, as client-go's
// record.EventBroadcaster does. Create one with [NewBroadcaster]. Package clientgo/record wraps it
// in client-go's interface. A Broadcaster is safe for concurrent use.
type Broadcaster struct {
	engine *events.Broadcaster
	core   *correlator.Core
	config options.Config
}

// NewBroadcaster returns a broadcaster without sinks. It starts no goroutine. Until
// StartRecordingToSink adds a sink, occurrences reach only the watchers, as with client-go, and are
// dropped as Dropped[DropFiltered].
func NewBroadcaster(opts ...Option) *Broadcaster {
	c := options.Apply(context.Background(), opts)
	core := correlator.New(c.CorrelatorOptions, c.QueueSize, c.Clock)
	c.Correlator = core
	c.Lenient = true
	c.Supervised = true
	return &Broadcaster{
		engine: events.FromEngine(c.Config),
		core:   core,
		config: c,
	}
}

// Recorder returns a recorder that reports as source. It looks up the kind of an object in scheme
// if the object does not contain its kind. scheme may be nil if all objects contain their kinds, or
// if [events.WithScheme] sets a scheme.
//
// An Event of core/v1 also has fields for an action and a related object. To record them, pass the
// recorder to [FromLegacy].
func (b *Broadcaster) Recorder(scheme *runtime.Scheme, source corev1.EventSource) *Recorder {
	return &Recorder{target: b.engine.Recorder(scheme, source.Component).WithReportingInstance(source.Host)}
}

// StartRecordingToSink adds a sink. Later occurrences are written to it in the background. Once the
// returned watch is stopped, the sink receives no new occurrences. Pending occurrences are still
// written to it, until Drain or Shutdown has ended.
//
// If sink is an EventSinkImpl over a real client, its requests have a deadline and are sent without
// the retries that are hidden in the client. Any other sink is called by several goroutines at the
// same time, and must not call Flush, Drain or Shutdown.
//
// After Shutdown, or if sink is nil, StartRecordingToSink logs an error and returns a watch that
// has ended.
func (b *Broadcaster) StartRecordingToSink(sink record.EventSink) watch.Interface {
	stop, err := b.core.Attach(sink)
	if err == nil {
		err = b.engine.Start(b.config.Context)
	}
	if err != nil && !errors.Is(err, broadcast.ErrStarted) {
		b.config.Logger.Error(err, "Events are not written", "advice", "not-started")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(stop)
}

// StartEventWatcher calls handle with an Event for every occurrence that is recorded from now on,
// under the rules of [events.Broadcaster.StartEventWatcher]. handle receives the Event as it is
// before correlation. No sink is needed. Stopping the returned watch ends the watcher. After
// Shutdown StartEventWatcher logs an error and returns a watch that has ended.
func (b *Broadcaster) StartEventWatcher(handle func(*corev1.Event)) watch.Interface {
	return b.watch(b.engine.StartEventWatcher(func(e runtime.Object) {
		handle(correlator.CoreEvent(e.(*eventsv1.Event)))
	}))
}

// StartLogging calls logf with a line for every occurrence, under the rules of StartEventWatcher.
func (b *Broadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.StartEventWatcher(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	})
}

// StartStructuredLogging logs every occurrence with the logger of the broadcaster at verbosity,
// under the rules of StartEventWatcher. While this verbosity is disabled, occurrences are not even
// formatted for the log.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	return b.watch(b.engine.StartLogging(b.config.Logger.V(int(verbosity))))
}

// watch returns a watch for the result of starting a watcher. The method Stop of the watch calls
// stop. If err is not nil, watch logs err and returns a watch that has ended.
func (b *Broadcaster) watch(stop func(), err error) watch.Interface {
	if err != nil {
		b.config.Logger.Error(err, "The new watcher is ignored", "advice", "ended")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(stop)
}

// SetSelector sets which occurrences are written, see [events.Broadcaster.SetSelector].
func (b *Broadcaster) SetSelector(text string) error { return b.engine.SetSelector(text) }

// Flush blocks until the occurrences that were recorded before the call are written or dropped. If
// ctx ends first, it returns an error that says how many occurrences are still pending. Unlike
// Drain, it does not cut short back-offs.
func (b *Broadcaster) Flush(ctx context.Context) error { return b.engine.Flush(ctx) }

// Drain ends the broadcaster as [events.Broadcaster.Drain] does.
func (b *Broadcaster) Drain(ctx context.Context) error { return b.engine.Drain(ctx) }

// Shutdown is Drain with a context that ends after the drain timeout ([events.WithDrainTimeout]).
// It logs the error that Drain returns, such as a loss.
func (b *Broadcaster) Shutdown() { b.engine.Shutdown() }

// DrainTimeout returns the drain timeout, which [events.WithDrainTimeout] sets.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.engine.DrainTimeout() }

// Stats returns the counters of the broadcaster, all taken at the same moment. They have the same
// meaning as in package events, with these differences:
//
//   - Dropped[DropSpamFilter] counts the occurrences that client-go's spam filter has suppressed.
//   - The count of an Event may be higher than the number of its recorded occurrences, because the
//     correlator also counts occurrences that the spam filter suppresses or the server refuses.
//   - With several sinks, every occurrence is counted once for each of them.
//   - Series is the number of objects with pending occurrences. With a KeyFunc, it is the number of
//     namespaces with pending occurrences.
func (b *Broadcaster) Stats() events.Stats { return b.engine.Stats() }

// OnRequest calls handle after each request, as [events.Broadcaster.OnRequest] does.
func (b *Broadcaster) OnRequest(handle func(events.Request)) (stop func()) {
	return b.engine.OnRequest(handle)
}

// Snapshot returns all counters, and the pending occurrences of at most n objects and n namespaces.
// It sends no request. Its cost grows with the number of pending occurrences.
func (b *Broadcaster) Snapshot(n int) events.Snapshot { return b.engine.Snapshot(n) }
