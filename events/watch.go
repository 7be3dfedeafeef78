// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

// StartEventWatcher calls handler with every event as it is recorded, one by
// one and not folded into series, from a goroutine of its own with a queue of
// 1000; what overflows is counted in Stats.WatcherDropped. It needs no Start.
// The handler gets a *eventsv1.Event, its own to keep, and must not call Flush,
// Drain or Shutdown. If it panics, that is logged, and the next event is handed to
// it all the same.
// The returned function ends the watch; it does not wait for the handler.
func (b *Broadcaster) StartEventWatcher(handler func(event runtime.Object)) (func(), error) {
	return b.engine.StartEventWatcher(handler)
}

// StartLogging logs every event as it is recorded, or fewer under
// [WithLogDoublings]. A logger whose level is disabled costs nothing: pass
// logger.V(3) to say at which verbosity.
func (b *Broadcaster) StartLogging(logger klog.Logger) (func(), error) {
	return b.engine.StartLogging(logger)
}

// StartStructuredLogging is StartLogging with the logger of the broadcaster.
//
// Deprecated: use StartLogging, which takes the logger and returns errors.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	logger := b.engine.Config().Logger
	stop, err := b.StartLogging(logger.V(int(verbosity)))
	if err != nil {
		logger.Error(err, "Events are not logged", "advice", "ended")
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
	if err := b.engine.StartUntil(stopCh); err != nil {
		b.engine.Config().Logger.Error(err, "Events are not written", "advice", "not-started")
		return
	}
	b.warnOfNotes()
}
