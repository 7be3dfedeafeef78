// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Watched is one occurrence in the form in which watchers get it.
type Watched struct {
	// Series has this one occurrence.
	*series.Series
	// count is the number of occurrences of its series, including this one. It is 0 if the
	// occurrence was counted in no series.
	count int64
}

// Watcher gets every occurrence when it is recorded.
type Watcher = broadcast.Watcher[Watched]

// Watchers returns the watchers that run now. Call it before the occurrence is counted; see
// [broadcast.Watchers.All].
func (e *Engine) Watchers() []*Watcher { return e.watchers.All() }

// Publish queues an occurrence for each of the given watchers that wants it. single is a series of
// the one occurrence. count is the number of occurrences in the series that counts it, or 0 if
// there is none. Publish never blocks.
func (e *Engine) Publish(watchers []*Watcher, single *series.Series, count int64) {
	e.watchers.Publish(watchers, Watched{single, count}, count)
}

// StartEventWatcher calls handler with every occurrence, as a *eventsv1.Event, until the returned
// function is called. The calls are made one after the other, in a goroutine of the watcher. A
// panic of handler is logged. StartEventWatcher returns an error if handler is nil, or after a
// drain.
func (e *Engine) StartEventWatcher(handler func(event runtime.Object)) (func(), error) {
	if handler == nil {
		return nil, errors.New("events: StartEventWatcher needs a handler")
	}
	return e.watch(func(w Watched) {
		e.log.Call("watcher", func() { handler(w.Event()) })
	}, nil)
}

// StartLogging logs every occurrence to logger, or fewer with Config.LogDoublings, until the
// returned function is called. It returns an error after a drain.
func (e *Engine) StartLogging(logger klog.Logger) (func(), error) {
	logger = usercode.Logger(logger)
	enabled := func(count int64) bool {
		return (!e.config.LogDoublings || count&(count-1) == 0) && logger.Enabled()
	}
	return e.watch(func(w Watched) {
		o, logger := w.First(), logger
		if e.config.LogDoublings && w.count > 0 {
			logger = logger.WithValues("count", w.count)
		}
		logger.Info("Event occurred", "object", klog.KRef(o.Regarding.Namespace, o.Regarding.Name),
			"kind", o.Regarding.Kind, "apiVersion", o.Regarding.APIVersion(),
			"type", o.Type, "reason", o.Reason, "action", o.Action, "note", o.Note)
	}, enabled)
}

// watch starts a watcher that calls handle with the occurrences for which enabled returns true. The
// returned function stops it.
func (e *Engine) watch(handle func(Watched), enabled func(count int64) bool) (func(), error) {
	w := e.watchers.Add(handle, enabled)
	if w == nil {
		return nil, errors.New("events: the broadcaster is drained; start watchers before Drain")
	}
	return w.Stop, nil
}
