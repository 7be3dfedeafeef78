// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// watcherQueue is how many events wait for a slow watcher before further ones
// pass it by, as in client-go.
const watcherQueue = 1000

// watchers hand every occurrence, uncounted and unfolded, to whoever watches.
type watchers struct {
	group    *lifecycle.Group
	dropped  atomic.Int64
	givingUp atomic.Bool // what is still queued is no longer handled

	mu      sync.Mutex // guards the rest
	all     atomic.Pointer[[]*watcher]
	stopped bool
}

type watcher struct {
	of      *watchers
	handle  func(*series.Series)
	enabled func() bool

	mu     sync.Mutex // guards closed, and queue against a send after its end
	closed bool
	queue  chan *series.Series // of one occurrence each
}

// listening returns the watchers if any of them would look at an event, else nil. It
// is on the path of every occurrence, so it takes no lock.
func (w *watchers) listening() []*watcher {
	all := w.all.Load()
	if all == nil {
		return nil
	}
	for _, one := range *all {
		if one.enabled() {
			return *all
		}
	}
	return nil
}

// publish hands an occurrence to those who were listening when it was recorded. It
// never blocks: a watcher whose queue is full, or that has ended since, misses it.
func (w *watchers) publish(all []*watcher, single *series.Series) {
	for _, one := range all {
		if one.enabled() && !one.offer(single) {
			w.dropped.Add(1)
		}
	}
}

// offer queues an occurrence, unless the queue is full or the watch has just ended.
func (w *watcher) offer(single *series.Series) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	select {
	case w.queue <- single:
		return true
	default:
		return false
	}
}

func (w *watchers) add(handle func(*series.Series), enabled func() bool) (stop func(), err error) {
	one := &watcher{of: w, handle: handle, enabled: enabled, queue: make(chan *series.Series, watcherQueue)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return nil, errors.New("events: the broadcaster was drained, nothing is left to watch")
	}
	w.replace(func(all []*watcher) []*watcher { return append(all, one) })
	w.group.Go(one.run)
	return func() {
		w.mu.Lock()
		w.replace(func(all []*watcher) []*watcher { return without(all, one) })
		w.mu.Unlock()
		one.stop()
	}, nil
}

// replace swaps in a changed copy, for readers that hold no lock.
func (w *watchers) replace(change func([]*watcher) []*watcher) {
	var all []*watcher
	if old := w.all.Load(); old != nil {
		all = append(all, *old...)
	}
	all = change(all)
	w.all.Store(&all)
}

func without(all []*watcher, gone *watcher) []*watcher {
	kept := all[:0]
	for _, one := range all {
		if one != gone {
			kept = append(kept, one)
		}
	}
	return kept
}

// stop lets every watcher finish what it has queued and return.
func (w *watchers) stop() {
	w.mu.Lock()
	w.stopped = true
	all := w.all.Swap(nil)
	w.mu.Unlock()
	if all == nil {
		return
	}
	for _, one := range *all {
		one.stop()
	}
}

// giveUp makes every watcher count what it has not handled, and return.
func (w *watchers) giveUp() { w.givingUp.Store(true) }

// stop ends the watch after what is queued.
func (w *watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
}

// run handles what is queued until the queue is closed and empty.
func (w *watcher) run() {
	for single := range w.queue {
		if w.of.givingUp.Load() {
			w.of.dropped.Add(1)
			continue
		}
		w.handle(single)
	}
}

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
	guarded := func(single *series.Series) { b.guard("watcher", func() { handler(single.Event()) }) }
	return b.watchers.add(guarded, func() bool { return true })
}

// StartLogging logs every event as it is recorded. A logger whose level is
// disabled costs nothing: pass logger.V(3) to say at which verbosity.
func (b *Broadcaster) StartLogging(logger klog.Logger) (func(), error) {
	logger = usercode.Logger(logger)
	return b.watchers.add(func(single *series.Series) {
		k, h := single.Key(), single.Head()
		logger.Info("Event occurred", "object", klog.KRef(k.Regarding.Namespace, k.Regarding.Name),
			"kind", k.Regarding.Kind, "apiVersion", k.Regarding.APIVersion(h.RegardingVersion),
			"type", k.Type, "reason", k.Reason, "action", k.Action, "note", h.Note)
	}, logger.Enabled)
}

// StartStructuredLogging is StartLogging with klog's global logger.
//
// Deprecated: use StartLogging, which takes the logger and returns errors.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	stop, err := b.StartLogging(klog.Background().V(int(verbosity)))
	if err != nil {
		b.config.logger.Error(err, "Events are not logged")
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
		b.config.logger.Error(err, "Events are not written")
	}
}
