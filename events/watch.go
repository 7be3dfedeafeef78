// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// watcher gets series of one occurrence each.
type watcher = broadcast.Watcher[*series.Series]

// StartEventWatcher calls handler with every event as it is recorded, one by
// one and not folded into series, from a goroutine of its own with a queue of
// 1000; what overflows is counted in Stats.WatcherDropped. It needs no Start.
// The handler gets a *eventsv1.Event, its own to keep, and must not call Flush,
// Drain or Shutdown. If it panics, that is logged, and the next event is handed to
// it all the same.
// The returned function ends the watch; it does not wait for the handler.
func (b *Broadcaster) StartEventWatcher(handler func(event runtime.Object)) (func(), error) {
	if handler == nil {
		return nil, errors.New("events: StartEventWatcher needs a handler")
	}
	return b.watch(func(single *series.Series) {
		b.log.Call("watcher", func() { handler(single.Event()) })
	}, nil)
}

// StartLogging logs every event as it is recorded. A logger whose level is
// disabled costs nothing: pass logger.V(3) to say at which verbosity.
func (b *Broadcaster) StartLogging(logger klog.Logger) (func(), error) {
	logger = usercode.Logger(logger)
	return b.watch(func(single *series.Series) {
		o := single.First()
		logger.Info("Event occurred", "object", klog.KRef(o.Regarding.Namespace, o.Regarding.Name),
			"kind", o.Regarding.Kind, "apiVersion", o.Regarding.APIVersion(),
			"type", o.Type, "reason", o.Reason, "action", o.Action, "note", o.Note)
	}, logger.Enabled)
}

func (b *Broadcaster) watch(handle func(*series.Series), enabled func() bool) (func(), error) {
	w := b.watchers.Add(handle, enabled)
	if w == nil {
		return nil, errors.New("events: the broadcaster is drained; start watchers before Drain")
	}
	return w.Stop, nil
}

// StartStructuredLogging is StartLogging with klog's global logger.
//
// Deprecated: use StartLogging, which takes the logger and returns errors.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	stop, err := b.StartLogging(klog.Background().V(int(verbosity)))
	if err != nil {
		b.config.logger.Error(err, "Events are not logged", "advice", "ended")
		return func() {}
	}
	return stop
}

// StartRecordingToSinkWithContext is Start under client-go's name.
func (b *Broadcaster) StartRecordingToSinkWithContext(ctx context.Context) error { return b.Start(ctx) }

// StartRecordingToSink is Start for a stop channel, which need never be closed.
//
// Deprecated: use Start, which returns errors; this logs them.
func (b *Broadcaster) StartRecordingToSink(stopCh <-chan struct{}) {
	if err := b.start(context.Background(), stopCh); err != nil {
		b.config.logger.Error(err, "Events are not written", "advice", "not-started")
	}
}
