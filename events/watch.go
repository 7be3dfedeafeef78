// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

// StartEventWatcher calls handler with every occurrence that is recorded from now on, in the form
// of an *eventsv1.Event without a series. The handler may keep and change this Event. Occurrences
// that are dropped as Dropped[DropInvalid] are not passed to it. The broadcaster need not be
// started.
//
// The handler runs in a goroutine of its own, which calls it with one Event after the other. Up to
// 1000 Events can wait for it. Further ones are left out and counted in [Stats.WatcherDropped], so
// that a slow handler delays no recorder. The handler must not call Flush, Drain or Shutdown. If it
// panics, the panic is logged and the watch goes on.
//
// The returned function ends the watch after the Events that are already waiting. It does not wait
// for the handler, and the handler may call it. StartEventWatcher returns an error after Drain, or
// if handler is nil.
func (b *Broadcaster) StartEventWatcher(handler func(event runtime.Object)) (func(), error) {
	return b.engine.StartEventWatcher(handler)
}

// StartLogging logs every occurrence as it is recorded, or fewer with the option
// [WithLogDoublings]. To log at verbosity 3, pass logger.V(3). While that level is disabled,
// occurrences are not even formatted for the log. The returned function ends the logging.
// StartLogging returns an error after Drain.
func (b *Broadcaster) StartLogging(logger klog.Logger) (func(), error) {
	return b.engine.StartLogging(logger)
}

// StartStructuredLogging is StartLogging with the logger of the broadcaster, at verbosity. If
// StartLogging fails, it logs the error.
//
// Deprecated: use StartLogging, which takes a logger and returns the error.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	logger := b.engine.Config().Logger
	stop, err := b.StartLogging(logger.V(int(verbosity)))
	if err != nil {
		logger.Error(err, "Events are not logged", "advice", "ended")
		return func() {}
	}
	return stop
}

// StartRecordingToSinkWithContext is Start under the name that it has in client-go.
func (b *Broadcaster) StartRecordingToSinkWithContext(ctx context.Context) error { return b.Start(ctx) }

// StartRecordingToSink is Start with a channel in place of a context: closing stopCh has the effect
// that the end of the context has. The channel need never be closed. If Start fails,
// StartRecordingToSink logs the error.
//
// Deprecated: use Start, which returns the error.
func (b *Broadcaster) StartRecordingToSink(stopCh <-chan struct{}) {
	if err := b.engine.StartUntil(stopCh); err != nil {
		b.engine.Config().Logger.Error(err, "Events are not written", "advice", "not-started")
		return
	}
	b.logUnshared()
}
