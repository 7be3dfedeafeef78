// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

// StartEventWatcher makes the broadcaster call handler for every later occurrence. The argument of
// handler is an *eventsv1.Event without a series, which the handler may keep and modify. Invalid
// occurrences, which are counted in Dropped[DropInvalid], are not passed to handler. The
// broadcaster need not be started.
//
// The handler is called in its own goroutine, with one Event at a time. Up to 1000 Events are
// queued for it. Further Events are discarded and counted in [Stats.WatcherDropped], so that a slow
// handler does not delay recorders. The handler must not call Flush, Drain or Shutdown. If it
// panics, the panic is logged and the watch continues.
//
// The returned function ends the watch as soon as the Events that are already queued have been
// handled. It returns at once, without waiting for these Events, so the handler itself can call it.
// StartEventWatcher returns an error if handler is nil or Drain has been called.
func (b *Broadcaster) StartEventWatcher(handler func(event runtime.Object)) (func(), error) {
	return b.engine.StartEventWatcher(handler)
}

// StartLogging logs every occurrence as it is recorded. With the option [WithLogDoublings] it logs
// only some of them. To log at verbosity 3, pass logger.V(3). While the level of logger is
// disabled, occurrences are not even formatted for the log. The returned function stops the
// logging. StartLogging returns an error if Drain has been called.
func (b *Broadcaster) StartLogging(logger klog.Logger) (func(), error) {
	return b.engine.StartLogging(logger)
}

// StartStructuredLogging calls StartLogging with the broadcaster's logger at the given verbosity.
// If StartLogging fails, it logs the error.
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

// StartRecordingToSinkWithContext is client-go's name for Start.
func (b *Broadcaster) StartRecordingToSinkWithContext(ctx context.Context) error { return b.Start(ctx) }

// StartRecordingToSink is like Start, but takes a channel instead of a context: closing stopCh has
// the same effect as ending the context. The channel need never be closed. If Start fails,
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
