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

// Watched is an occurrence as watchers get it.
type Watched struct {
	*series.Series       // of this occurrence alone
	count          int64 // of its series, with it; 0 if it has none
}

// Watcher gets occurrences as they are recorded.
type Watcher = broadcast.Watcher[Watched]

// Watchers returns those that there are now.
func (e *Engine) Watchers() []*Watcher { return e.watchers.All() }

// Publish hands an occurrence to those watchers that want it. count is that of its series with it.
func (e *Engine) Publish(to []*Watcher, single *series.Series, count int64) {
	e.watchers.Publish(to, Watched{single, count}, count)
}

// StartEventWatcher calls handler with every occurrence as an Event, in a goroutine of its own.
func (e *Engine) StartEventWatcher(handler func(event runtime.Object)) (func(), error) {
	if handler == nil {
		return nil, errors.New("events: StartEventWatcher needs a handler")
	}
	return e.watch(func(w Watched) {
		e.log.Call("watcher", func() { handler(w.Event()) })
	}, nil)
}

// StartLogging logs every occurrence, or fewer with Config.LogDoublings.
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

func (e *Engine) watch(handle func(Watched), enabled func(count int64) bool) (func(), error) {
	w := e.watchers.Add(handle, enabled)
	if w == nil {
		return nil, errors.New("events: the broadcaster is drained; start watchers before Drain")
	}
	return w.Stop, nil
}
