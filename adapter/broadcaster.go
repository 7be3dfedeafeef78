// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

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

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/broadcast"
)

// RecordBroadcaster is an [Adapter] with the life of client-go's record.EventBroadcaster,
// and its methods: it is made without a client, hands out recorders, and gets its sink
// later. Only the recorders are those of the new API. So a component that uses
// tools/record migrates its wiring by a change of names.
//
// What is recorded before StartRecordingToSink is kept, within the bound of
// events.WithMaxSeries, and written afterwards. client-go drops it.
//
// Make one with [NewRecordBroadcaster], and end it with Shutdown or Drain. It is safe for
// concurrent use.
type RecordBroadcaster struct {
	// Adapter has the client behind the sink. Its Start, and its Flush before
	// StartRecordingToSink, return an error.
	*Adapter
	taken atomic.Bool        // there is a sink
	stop  context.CancelFunc // by Stop of what StartRecordingToSink returns
}

// RecordEventBroadcaster has the methods of client-go's record.EventBroadcaster, with the new
// recorders. [*RecordBroadcaster] implements it. It is for components that hold their
// broadcaster in a field, so that a test can put another one there. It never grows.
type RecordEventBroadcaster interface {
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

var _ RecordEventBroadcaster = (*RecordBroadcaster)(nil)

// NewRecordBroadcaster returns a broadcaster without a sink. It does no I/O and starts no
// goroutine. Invalid options are logged by StartRecordingToSink.
func NewRecordBroadcaster(opts ...Option) *RecordBroadcaster {
	c := newConfig(context.Background(), opts)
	ctx, stop := context.WithCancel(c.Context)
	c.Context = ctx
	c.Supervised = true
	c.OnDrained = append(c.OnDrained, stop)
	return &RecordBroadcaster{Adapter: newAdapter(c), stop: stop}
}

// NewRecorder returns a recorder, a [*Recorder], that reports as source.Component and,
// unless that is empty, with source.Host as its reporting instance. It looks up kinds
// in scheme. A nil scheme is for objects that carry their kind.
func (b *RecordBroadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) events.EventRecorderLogger {
	return b.engine.Recorder(scheme, source.Component).WithReportingInstance(source.Host)
}

// StartRecordingToSink begins to write. With an EventSinkImpl over client-go's real
// client it is Start of an [Adapter] over that client: Events go through events.k8s.io/v1
// where that is served and allowed, in all namespaces. Any other sink, such as that of
// a fake client, gets core/v1 Events, correlated as client-go does, as package
// legacy writes them.
//
// It takes one sink. A second call, an invalid one and one after the end are logged and
// change nothing. The end of WithContext's context, and Stop of the result, are like
// the end of Start's context. The result sends no events.
func (b *RecordBroadcaster) StartRecordingToSink(sink record.EventSink) watch.Interface {
	if err := b.start(sink); err != nil {
		b.config.Logger.Error(err, "Events are not written", "advice", "not-started")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(b.stop)
}

func (b *RecordBroadcaster) start(sink record.EventSink) error {
	if _, err := apiclient.NewCoreWriter(sink); err != nil {
		return err
	}
	first := !b.taken.Swap(true)
	if first {
		if err := b.attachSink(sink); err != nil {
			return err
		}
	}
	err := b.Start(b.config.Context)
	switch {
	case first && errors.Is(err, broadcast.ErrStarted): // by a concurrent call
		return nil
	case !first && errors.Is(err, errNoSink): // a concurrent call is about to attach it
		return fmt.Errorf("adapter: %w", broadcast.ErrStarted)
	}
	return err
}

// StartEventWatcher calls handle for every event recorded from now on, in the form that
// core/v1 has for it, one at a time. It needs no sink. All else is as with
// [events.Broadcaster.StartEventWatcher]. Stop of the result ends it.
func (b *RecordBroadcaster) StartEventWatcher(handle func(*corev1.Event)) watch.Interface {
	stop, err := b.engine.StartEventWatcher(func(e runtime.Object) { handle(apiclient.ToCore(e.(*eventsv1.Event))) })
	if err != nil {
		b.config.Logger.Error(err, "Events are not logged", "advice", "ended")
		return watch.NewEmptyWatch()
	}
	return broadcast.NewStopper(stop)
}

// StartLogging calls logf for every event, under the rules of StartEventWatcher.
func (b *RecordBroadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.StartEventWatcher(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	})
}

// StartStructuredLogging is [Adapter.StartStructuredLogging]. Stop of the result ends it.
func (b *RecordBroadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	return broadcast.NewStopper(b.Adapter.StartStructuredLogging(verbosity))
}
