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

// Watched is an occurrence as watchers receive it.
type Watched struct {
	// Series contains only this occurrence.
	*series.Series
	// count is the number of occurrences in the series that counted this occurrence, including it.
	// It is 0 if no series counted this occurrence.
	count int64
}

// Watcher receives every occurrence that is recorded.
type Watcher = broadcast.Watcher[Watched]

// Watchers returns the watchers that are currently running. Call it before you count the occurrence
// that you will pass to Publish; see [broadcast.Watchers.All].
func (e *Engine) Watchers() []*Watcher { return e.watchers.All() }

// Publish queues an occurrence for each of the given watchers that wants it. single is a series
// with only this occurrence. count is the number of occurrences in the series that counted it, or 0
// if no series counted it. Publish never blocks.
func (e *Engine) Publish(watchers []*Watcher, single *series.Series, count int64) {
	e.watchers.Publish(watchers, Watched{single, count}, count)
}

// StartEventWatcher calls handler with every occurrence, as a *eventsv1.Event, until the returned
// function is called. The calls are made one at a time, in a goroutine of the watcher. If handler
// panics, the panic is logged. StartEventWatcher returns an error if handler is nil, or after a
// drain.
func (e *Engine) StartEventWatcher(handler func(event runtime.Object)) (func(), error) {
	if handler == nil {
		return nil, errors.New("events: StartEventWatcher needs a handler")
	}
	return e.watch(func(w Watched) {
		e.log.Call("watcher", func() { handler(w.Event()) })
	}, nil)
}

// StartLogging logs every occurrence to logger until the returned function is called. With
// Config.LogDoublings it logs only the 1st, 2nd, 4th, 8th, … occurrence of each series. It returns
// an error after a drain.
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

// watch starts a watcher that calls handle with each occurrence for which enabled returns true. If
// enabled is nil, it calls handle with all occurrences. The returned function stops the watcher.
func (e *Engine) watch(handle func(Watched), enabled func(count int64) bool) (func(), error) {
	w := e.watchers.Add(handle, enabled)
	if w == nil {
		return nil, errors.New("events: the broadcaster is drained; start watchers before Drain")
	}
	return w.Stop, nil
}
