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

// Broadcaster takes events from its recorders to sinks, watchers and logs, as
// client-go's record.EventBroadcaster does. Package clientgo/record makes one of it. Make it
// with [NewBroadcaster]; it is safe for concurrent use.
type Broadcaster struct {
	engine *events.Broadcaster
	core   *correlator.Core
	config options.Config
}

// NewBroadcaster returns a broadcaster without sinks and without goroutines.
// Until a sink is attached, what is recorded reaches watchers only, as with
// client-go, and counts as Dropped[DropFiltered].
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

// Recorder returns a recorder to b as source. It looks the kinds of objects up in scheme,
// which may be nil if they all carry theirs. [FromLegacy] of it takes the calls of
// events.k8s.io: action and related object go into core/v1's own fields, also those of an
// aggregate event.
func (b *Broadcaster) Recorder(scheme *runtime.Scheme, source corev1.EventSource) *Recorder {
	return &Recorder{to: b.engine.Recorder(scheme, source.Component).WithReportingInstance(source.Host)}
}

// StartRecordingToSink starts writing what is recorded from now on to sink, in
// the background. Stop of the result ends admission; what waits is still
// written, until Drain or Shutdown. The request of an EventSinkImpl over a real
// client is sent without client-go's hidden retries and with a deadline; another
// sink is called as it is, by several goroutines at the same time, and must not
// call Flush, Drain or Shutdown. After Shutdown, or for a nil sink, it logs an
// error and returns a watch that is over.
func (b *Broadcaster) StartRecordingToSink(to record.EventSink) watch.Interface {
	stop, err := b.core.Attach(to)
	if err == nil {
		err = b.engine.Start(b.config.Context)
	}
	if err != nil && !errors.Is(err, broadcast.ErrStarted) {
		b.config.Logger.Error(err, "Events are not written", "advice", "not-started")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(stop)
}

// StartEventWatcher calls handle for every event recorded from now on, before correlation, as
// [events.Broadcaster.StartEventWatcher] does. It works without a sink. Stop of the result
// ends it. After Shutdown it logs an error and returns a watch that is over.
func (b *Broadcaster) StartEventWatcher(handle func(*corev1.Event)) watch.Interface {
	return b.watch(b.engine.StartEventWatcher(func(e runtime.Object) {
		handle(correlator.CoreEvent(e.(*eventsv1.Event)))
	}))
}

// StartLogging calls logf for every event, under the rules of StartEventWatcher.
func (b *Broadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.StartEventWatcher(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	})
}

// StartStructuredLogging logs every event at verbosity, with the broadcaster's logger and under
// the rules of StartEventWatcher. While the level is disabled it costs nothing.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	return b.watch(b.engine.StartLogging(b.config.Logger.V(int(verbosity))))
}

// watch returns the watch that stop ends. The end of WithContext's context ends it, too.
func (b *Broadcaster) watch(stop func(), err error) watch.Interface {
	if err != nil {
		b.config.Logger.Error(err, "The new sink or watcher is ignored", "advice", "ended")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(stop)
}

// SetSelector is that of [events.Broadcaster].
func (b *Broadcaster) SetSelector(text string) error { return b.engine.SetSelector(text) }

// Flush blocks until everything recorded before the call is written or dropped,
// or ctx ends; the error then says how much is still waiting. It does not hurry
// a back-off.
func (b *Broadcaster) Flush(ctx context.Context) error { return b.engine.Flush(ctx) }

// Drain ends the broadcaster as [events.Broadcaster.Drain] does.
func (b *Broadcaster) Drain(ctx context.Context) error { return b.engine.Drain(ctx) }

// Shutdown is Drain bounded by [events.WithDrainTimeout]. What could not be written is
// logged.
func (b *Broadcaster) Shutdown() { b.engine.Shutdown() }

// DrainTimeout returns what [events.WithDrainTimeout] set.
func (b *Broadcaster) DrainTimeout() time.Duration { return b.engine.DrainTimeout() }

// Stats returns the accounts, as [events.Broadcaster.Stats] does. What the spam filter
// suppressed is Dropped[DropSpamFilter], and what the server refused Dropped[DropRejected]. The
// correlator adds both to a later count, as client-go's does, so the count on the server may
// exceed Recorded. With several sinks every occurrence counts once for each of them. Series
// is how many objects (namespaces, with a KeyFunc) have something waiting, Pending how much.
func (b *Broadcaster) Stats() events.Stats { return b.engine.Stats() }

// OnRequest calls handle after each request, as [events.Broadcaster.OnRequest] does.
func (b *Broadcaster) OnRequest(handle func(events.Request)) (stop func()) {
	return b.engine.OnRequest(handle)
}

// Snapshot returns all accounts, and what waits for the sinks: at most n objects and n
// namespaces. It sends no request. Its cost grows with what waits.
func (b *Broadcaster) Snapshot(n int) events.Snapshot { return b.engine.Snapshot(n) }
