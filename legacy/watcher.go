// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/usercode"
)

// watcherQueue is client-go's: a watcher may fall behind by this many events.
const watcherQueue = 1000

// watcher has a queue and a goroutine of its own, so that a slow one costs
// neither recorders nor other watchers anything.
type watcher struct {
	broadcaster *Broadcaster
	handle      func(*corev1.Event)
	wanted      func() bool // asked before an event is queued; nil: always

	mu     sync.Mutex // guards closed, and queue against a send after its end
	closed bool
	queue  chan watch.Event
}

// StartEventWatcher calls handle for every event recorded from now on, before
// correlation, in a goroutine of its own. handle must not modify the event and
// must not call Flush, Drain or Shutdown. While it is more than 1000 events
// behind, it misses some, which Stats counts. It works without a sink. Stop of
// the result ends it after what is queued, and may be called by handle. A panic
// of handle is logged, and the next event is handed to it all the same. After
// Shutdown it logs an error and returns a watch that is over.
func (b *Broadcaster) StartEventWatcher(handle func(*corev1.Event)) watch.Interface {
	return b.watch(handle, nil)
}

// StartLogging calls logf for every event, under the rules of StartEventWatcher.
func (b *Broadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.watch(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	}, nil)
}

// StartStructuredLogging logs every event at verbosity, with the broadcaster's
// logger and under the rules of StartEventWatcher. While the level is disabled
// events are not even queued; it may be enabled later.
func (b *Broadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	logger := b.log.logger.V(int(verbosity))
	return b.watch(func(e *corev1.Event) {
		logger.Info("Event occurred",
			"object", klog.KRef(e.InvolvedObject.Namespace, e.InvolvedObject.Name),
			"fieldPath", e.InvolvedObject.FieldPath,
			"kind", e.InvolvedObject.Kind,
			"apiVersion", e.InvolvedObject.APIVersion,
			"type", e.Type, "reason", e.Reason, "message", e.Message)
	}, logger.Enabled)
}

func (b *Broadcaster) watch(handle func(*corev1.Event), wanted func() bool) watch.Interface {
	w := &watcher{broadcaster: b, handle: handle, wanted: wanted, queue: make(chan watch.Event, watcherQueue)}
	started := b.start(func() {
		b.watchers = append(slices.Clone(b.watchers), w)
		b.running[w] = struct{}{}
		b.group.Go(w.run)
	})
	if !started {
		return watch.NewEmptyWatch()
	}
	return w
}

// offer queues event, or counts it if the queue is full or the watcher was stopped
// after the recorder had found it.
func (w *watcher) offer(event *corev1.Event) {
	if w.wanted != nil && !w.wanted() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		w.broadcaster.watcherDropped.Add(1)
		return
	}
	select {
	case w.queue <- watch.Event{Type: watch.Added, Object: event}:
	default:
		w.broadcaster.watcherDropped.Add(1)
	}
}

// run handles what is queued until the queue is closed and empty, or Drain
// gives up.
func (w *watcher) run() {
	for e := range w.queue {
		select {
		case <-w.broadcaster.givingUp:
			w.broadcaster.watcherDropped.Add(1)
		default:
			w.call(e.Object.(*corev1.Event))
		}
	}
	b := w.broadcaster
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.running, w)
}

// skip counts what is queued, in the place of a handler that does not return.
func (w *watcher) skip() {
	for range w.queue {
		w.broadcaster.watcherDropped.Add(1)
	}
}

// call contains a panic of the handler. client-go logs it, too, but then ends the
// process, unless the component has turned that off.
func (w *watcher) call(event *corev1.Event) {
	w.broadcaster.log.panicked("watcher", usercode.Call(func() { w.handle(event) }))
}

// Stop ends the watch after what is queued. It does not wait.
func (w *watcher) Stop() {
	b := w.broadcaster
	b.mu.Lock()
	b.watchers = slices.DeleteFunc(slices.Clone(b.watchers), func(other *watcher) bool { return other == w })
	b.mu.Unlock()
	w.close()
}

func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
}

// ResultChan returns the queue that the handler is fed from, as in client-go;
// who receives from it takes events away from the handler.
func (w *watcher) ResultChan() <-chan watch.Event { return w.queue }
