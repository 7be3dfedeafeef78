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

// EventBroadcaster has the methods of client-go's record.EventBroadcaster, except that its
// recorders have the methods of tools/events. [*Broadcaster] implements it. It is for components
// that hold their broadcaster in a field, so that a test can put another implementation into the
// field. Later versions add no methods to this interface.
type EventBroadcaster interface {
	// StartEventWatcher calls handle with every Event until Stop of the result is called.
	StartEventWatcher(handle func(*corev1.Event)) watch.Interface
	// StartRecordingToSink begins to write Events.
	StartRecordingToSink(sink record.EventSink) watch.Interface
	// StartLogging calls logf for every Event until Stop of the result is called.
	StartLogging(logf func(format string, args ...any)) watch.Interface
	// StartStructuredLogging logs every Event until Stop of the result is called.
	StartStructuredLogging(verbosity klog.Level) watch.Interface
	// NewRecorder returns a recorder that reports as source.
	NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger
	// Shutdown writes the pending Events and ends the broadcaster.
	Shutdown()
}

// Broadcaster makes recorders, and gets its sink later, from StartRecordingToSink. Occurrences that
// are recorded before that call are kept, in at most as many series as events.WithMaxSeries allows,
// and written afterwards. client-go drops such occurrences.
//
// Make one with [NewBroadcaster], and end it with Shutdown or Drain. It is safe for concurrent use.
type Broadcaster struct {
	adapter *adapter.Adapter
	// series is the broadcaster of the adapter. It makes the recorders and calls the watchers.
	series *events.Broadcaster
	// attach makes the adapter write through the client that a sink wraps. It must be called only
	// once.
	attach func(record.EventSink) error
	logger *klog.Logger
	// ctx is derived from the context of WithContext. The function stop ends ctx. It is called when
	// the watch that StartRecordingToSink returned is stopped, and when the adapter has ended.
	ctx  context.Context
	stop context.CancelFunc
	// taken is true as soon as a valid sink was passed to StartRecordingToSink. Any other sink is
	// ignored from that moment on.
	taken atomic.Bool
	// attached is true when the adapter writes to the sink that was passed.
	attached atomic.Bool
}

var _ EventBroadcaster = (*Broadcaster)(nil)

// errNoSink is the error that Flush returns before a sink is attached.
var errNoSink = errors.New("recordevents: there is no sink yet, call StartRecordingToSink with one")

// WithContext sets the context of a [Broadcaster]. The broadcaster uses the logger in ctx.
//
// When ctx ends, the broadcaster behaves as an adapter does when the context of its Start ends.
// Pending occurrences are written at once, and later ones are still written, until Drain or
// Shutdown is called. If neither is called within the drain timeout, the broadcaster shuts itself
// down. The default context never ends.
func WithContext(ctx context.Context) BroadcasterOption { return legacy.WithContext(ctx) }

// NewBroadcaster returns a broadcaster without a sink. It does no I/O and starts no goroutine.
// Invalid options are logged by StartRecordingToSink.
func NewBroadcaster(opts ...BroadcasterOption) *Broadcaster {
	c := options.Apply(context.Background(), opts)
	ctx, stop := context.WithCancel(c.Context)
	c.Context = ctx
	c.Supervised = true
	c.NeedNotStart = true
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

// NewRecorder returns a recorder, which is an [*events.Recorder]. Its reporting controller is
// source.Component. Its reporting instance is source.Host or, if that is empty, the default of
// events.WithReportingInstance. The recorder looks up the kinds of objects in scheme. If all
// objects contain their kinds, scheme may be nil.
func (b *Broadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger {
	return b.series.Recorder(scheme, source.Component).WithReportingInstance(source.Host)
}

// StartRecordingToSink begins to write Events.
//
// If sink is an EventSinkImpl with a real client of client-go, the broadcaster writes as an adapter
// with that client does: through events.k8s.io/v1 in each namespace where the cluster serves and
// allows it, and otherwise through core/v1. It writes to all namespaces, even if the client of the
// sink is limited to one. Any other sink, such as one with a fake client, gets core/v1 Events from
// client-go's correlator, as from package legacy.
//
// Only the first valid sink is used. A further call, a call with an invalid sink, and a call after
// the end of the broadcaster log an error and have no other effect.
//
// Stop of the result has the same effect as the end of the context; see [WithContext]. The result
// sends no Events.
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
	case !b.attached.Load():
		// A concurrent call is about to attach its sink.
		return fmt.Errorf("recordevents: %w", broadcast.ErrStarted)
	}
	err := b.adapter.Start(b.ctx)
	if first && errors.Is(err, broadcast.ErrStarted) {
		// A concurrent call has started the adapter, with the sink of this call.
		return nil
	}
	return err
}

// StartEventWatcher calls handle with every Event that is recorded from now on, in its core/v1
// form, until Stop of the result is called. The calls are made one after the other. It needs no
// sink. In all other respects it is like [events.Broadcaster.StartEventWatcher]. After the end of
// the broadcaster it only logs an error.
func (b *Broadcaster) StartEventWatcher(handle func(*corev1.Event)) watch.Interface {
	stop, err := b.series.StartEventWatcher(func(e runtime.Object) { handle(apiclient.ToCore(e.(*eventsv1.Event))) })
	if err != nil {
		b.logger.Error(err, "Events are not logged", "advice", "ended")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(stop)
}

// StartLogging calls logf for every Event, in the same way as StartEventWatcher calls handle.
func (b *Broadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.StartEventWatcher(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	})
}

// StartStructuredLogging logs every Event with the broadcaster's logger until Stop of the result is
// called, as [adapter.Adapter.StartStructuredLogging] does.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	return broadcast.NewStopper(b.adapter.StartStructuredLogging(verbosity))
}

// Flush blocks until every occurrence that was recorded before the call is stored or dropped, as
// [adapter.Adapter.Flush] does. Before StartRecordingToSink it returns an error.
func (b *Broadcaster) Flush(ctx context.Context) error {
	if !b.attached.Load() {
		return errNoSink
	}
	return b.adapter.Flush(ctx)
}

// Drain ends the broadcaster as [adapter.Adapter.Drain] does.
func (b *Broadcaster) Drain(ctx context.Context) error { return b.adapter.Drain(ctx) }

// Shutdown is Drain with a context that ends after the drain timeout. It logs the Events that were
// lost.
func (b *Broadcaster) Shutdown() { b.adapter.Shutdown() }

// Stats returns the counts of the broadcaster, as [adapter.Adapter.Stats] does.
func (b *Broadcaster) Stats() events.Stats { return b.adapter.Stats() }

// Snapshot returns the state of the broadcaster, as [adapter.Adapter.Snapshot] does.
func (b *Broadcaster) Snapshot(n int) adapter.Snapshot { return b.adapter.Snapshot(n) }

// OnRequest calls handle after each request until stop is called, as [adapter.Adapter.OnRequest]
// does.
func (b *Broadcaster) OnRequest(handle func(events.Request)) (stop func()) {
	return b.adapter.OnRequest(handle)
}
