// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recordevents

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/legacy"
)

// BroadcasterOption is an option of package adapter.
type BroadcasterOption = adapter.Option

// EventBroadcaster has the methods of client-go's record.EventBroadcaster, with the new
// recorders. [*Broadcaster] implements it. It is for components that hold their broadcaster in
// a field, so that a test can put another one there. It never grows.
type EventBroadcaster interface {
	// StartEventWatcher calls handle for every event until Stop of the result.
	StartEventWatcher(handle func(*corev1.Event)) watch.Interface
	// StartRecordingToSink begins to write.
	StartRecordingToSink(sink record.EventSink) watch.Interface
	// StartLogging calls logf for every event until Stop of the result.
	StartLogging(logf func(format string, args ...any)) watch.Interface
	// StartStructuredLogging logs every event until Stop of the result.
	StartStructuredLogging(verbosity klog.Level) watch.Interface
	// NewRecorder returns a recorder that reports as source.
	NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger
	// Shutdown writes what is pending and ends the broadcaster.
	Shutdown()
}

// Broadcaster is made without a client, hands out recorders, and gets its sink later. What is
// recorded before StartRecordingToSink is kept, within the bound of events.WithMaxSeries, and
// written afterwards. client-go drops it.
//
// Make one with [NewBroadcaster], and end it with Shutdown or Drain. It is safe for concurrent
// use.
type Broadcaster struct {
	adapter *adapter.Adapter
	// series has the recorders and watchers of the adapter.
	series *events.Broadcaster
	// attach gives the adapter the client behind a sink. It must be called once.
	attach func(record.EventSink) error
	logger *klog.Logger
	// ctx is the context of WithContext. Stop of what StartRecordingToSink returns ends it.
	ctx  context.Context
	stop context.CancelFunc
	// taken is set by the first call with a sink, and attached when the adapter has it.
	taken    atomic.Bool
	attached atomic.Bool
}

var _ EventBroadcaster = (*Broadcaster)(nil)

// errNoSink is the error of a Flush that has nowhere to write to.
var errNoSink = errors.New("recordevents: there is no sink yet, call StartRecordingToSink with one")

// WithContext sets the context of a [Broadcaster]. It carries the logger. Its end is like the
// end of the context of an adapter's Start: what is recorded after it is still written, until
// Drain or Shutdown is called. The default never ends.
func WithContext(ctx context.Context) BroadcasterOption { return legacy.WithContext(ctx) }

// NewBroadcaster returns a broadcaster without a sink. It does no I/O and starts no goroutine.
// Invalid options are logged by StartRecordingToSink.
func NewBroadcaster(opts ...BroadcasterOption) *Broadcaster {
	c := options.Apply(context.Background(), opts)
	ctx, stop := context.WithCancel(c.Context)
	c.Context = ctx
	c.Supervised = true
	c.OnDrained = append(c.OnDrained, stop)
	a, series, attach := adapter.FromConfig(c)
	return &Broadcaster{
		adapter: a,
		series:  series,
		attach:  attach,
		logger:  c.Logger,
		ctx:     ctx,
		stop:    stop,
	}
}

// NewRecorder returns a recorder, an [*events.Recorder], that reports as source.Component and,
// unless that is empty, with source.Host as its reporting instance. It looks up kinds in
// scheme. A nil scheme is for objects that carry their kind.
func (b *Broadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger {
	return b.series.Recorder(scheme, source.Component).WithReportingInstance(source.Host)
}

// StartRecordingToSink begins to write. With an EventSinkImpl over client-go's real client it
// is Start of an adapter over that client: Events go through events.k8s.io/v1 where that is
// served and allowed, in all namespaces. Any other sink, such as one of a fake client, gets
// core/v1 Events, correlated as client-go does, as package legacy writes them.
//
// It takes one sink. A second call, an invalid one and one after the end are logged and change
// nothing. The end of WithContext's context, and Stop of the result, are like the end of the
// context of an adapter's Start. The result sends no events.
func (b *Broadcaster) StartRecordingToSink(sink record.EventSink) watch.Interface {
	if err := b.start(sink); err != nil {
		b.logger.Error(err, "Events are not written", "advice", "not-started")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(b.stop)
}

func (b *Broadcaster) start(sink record.EventSink) error {
	if _, err := apiclient.NewCoreWriter(sink); err != nil {
		return err
	}
	first := !b.taken.Swap(true)
	switch {
	case first:
		if err := b.attach(sink); err != nil {
			return err
		}
		b.attached.Store(true)
	case !b.attached.Load(): // a concurrent call is about to attach its sink
		return fmt.Errorf("recordevents: %w", broadcast.ErrStarted)
	}
	err := b.adapter.Start(b.ctx)
	if first && errors.Is(err, broadcast.ErrStarted) { // by a concurrent call
		return nil
	}
	return err
}

// StartEventWatcher calls handle for every event recorded from now on, in the form that core/v1
// has for it, one at a time. It needs no sink. All else is as with
// [events.Broadcaster.StartEventWatcher]. Stop of the result ends it.
func (b *Broadcaster) StartEventWatcher(handle func(*corev1.Event)) watch.Interface {
	stop, err := b.series.StartEventWatcher(func(e runtime.Object) { handle(apiclient.ToCore(e.(*eventsv1.Event))) })
	if err != nil {
		b.logger.Error(err, "Events are not logged", "advice", "ended")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(stop)
}

// StartLogging calls logf for every event, under the rules of StartEventWatcher.
func (b *Broadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.StartEventWatcher(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	})
}

// StartStructuredLogging logs every event with the broadcaster's logger, as
// [adapter.Adapter.StartStructuredLogging] does. Stop of the result ends it.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	return broadcast.NewStopper(b.adapter.StartStructuredLogging(verbosity))
}

// Flush returns when everything observed so far is recorded or dropped, as
// [adapter.Adapter.Flush] does. Before StartRecordingToSink it returns an error.
func (b *Broadcaster) Flush(ctx context.Context) error {
	if !b.attached.Load() {
		return errNoSink
	}
	return b.adapter.Flush(ctx)
}

// Drain ends the broadcaster as [adapter.Adapter.Drain] does.
func (b *Broadcaster) Drain(ctx context.Context) error { return b.adapter.Drain(ctx) }

// Shutdown is a Drain bounded by the drain timeout. What was lost is logged.
func (b *Broadcaster) Shutdown() { b.adapter.Shutdown() }

// Stats returns the accounts.
func (b *Broadcaster) Stats() events.Stats { return b.adapter.Stats() }

// Snapshot returns what the broadcaster holds, as [adapter.Adapter.Snapshot] does.
func (b *Broadcaster) Snapshot(n int) adapter.Snapshot { return b.adapter.Snapshot(n) }

// OnRequest calls handle after each request, as [adapter.Adapter.OnRequest] does.
func (b *Broadcaster) OnRequest(handle func(events.Request)) (stop func()) {
	return b.adapter.OnRequest(handle)
}
