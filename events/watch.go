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

// watched is an occurrence as watchers get it.
type watched struct {
	*series.Series       // of this occurrence alone
	count          int64 // of its series, with it; 0 if it has none
}

type watcher = broadcast.Watcher[watched]

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
	return b.watch(func(w watched) {
		b.log.Call("watcher", func() { handler(w.Event()) })
	}, nil)
}

// StartLogging logs every event as it is recorded, or fewer under
// [WithLogDoublings]. A logger whose level is disabled costs nothing: pass
// logger.V(3) to say at which verbosity.
func (b *Broadcaster) StartLogging(logger klog.Logger) (func(), error) {
	logger = usercode.Logger(logger)
	enabled := func(count int64) bool {
		return (!b.config.LogDoublings || count&(count-1) == 0) && logger.Enabled()
	}
	return b.watch(func(w watched) {
		o, logger := w.First(), logger
		if b.config.LogDoublings && w.count > 0 {
			logger = logger.WithValues("count", w.count)
		}
		logger.Info("Event occurred", "object", klog.KRef(o.Regarding.Namespace, o.Regarding.Name),
			"kind", o.Regarding.Kind, "apiVersion", o.Regarding.APIVersion(),
			"type", o.Type, "reason", o.Reason, "action", o.Action, "note", o.Note)
	}, enabled)
}

func (b *Broadcaster) watch(handle func(watched), enabled func(count int64) bool) (func(), error) {
	w := b.watchers.Add(handle, enabled)
	if w == nil {
		return nil, errors.New("events: the broadcaster is drained; start watchers before Drain")
	}
	return w.Stop, nil
}

// StartStructuredLogging is StartLogging with the logger of the broadcaster.
//
// Deprecated: use StartLogging, which takes the logger and returns errors.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	stop, err := b.StartLogging(b.config.Logger.V(int(verbosity)))
	if err != nil {
		b.config.Logger.Error(err, "Events are not logged", "advice", "ended")
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
	ctx, cancel := context.WithCancel(b.config.Context)
	if err := b.Start(ctx); err != nil {
		cancel()
		b.config.Logger.Error(err, "Events are not written", "advice", "not-started")
		return
	}
	b.life.Group.Go(func() {
		defer cancel()
		select {
		case <-stopCh:
		case <-ctx.Done():
		case <-b.stop:
		}
	})
}
