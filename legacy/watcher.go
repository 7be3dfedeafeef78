// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/broadcast"
)

// watcher gets every event as client-go's watch does.
type watcher = broadcast.Watcher[watch.Event]

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
	}, func(int64) bool { return logger.Enabled() })
}

// watch calls handle for every event for which enabled returns true; its count is 0. client-go ends
// the process after a panic of a handler, unless the component has turned that off.
func (b *Broadcaster) watch(handle func(*corev1.Event), enabled func(int64) bool) (w watch.Interface) {
	w = watch.NewEmptyWatch()
	b.attach(func() {
		w = b.watchers.Add(func(e watch.Event) {
			b.log.Call("watcher", func() { handle(e.Object.(*corev1.Event)) })
		}, enabled)
	})
	return w
}
