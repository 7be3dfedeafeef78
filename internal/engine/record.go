// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

// KeepsSeries reports whether there are series, which need names that the API server accepts.
func (e *Engine) KeepsSeries() bool { return e.cache != nil }

// Correlates reports whether client-go's correlator takes what is recorded now. Otherwise the
// series do. This is the one place where that is decided.
func (e *Engine) Correlates() bool {
	correlate := e.config.Correlate
	return e.cache == nil || correlate != nil && correlate.Load()
}

// Count counts an occurrence in its series, as [series.Cache.Count] does.
func (e *Engine) Count(o *series.Occurrence, key series.PackedKey) (r series.Result, found bool) {
	return e.cache.Count(o, key)
}

// Insert begins a series with an occurrence, as [series.Cache.Insert] does.
func (e *Engine) Insert(o *series.Occurrence, key series.PackedKey) series.Result {
	return e.cache.Insert(o, key)
}

// Correlator is the core of client-go's correlator. Each occurrence must be complete.
type Correlator interface {
	series.Core
	Observe(o *series.Occurrence) series.Result
}

// Correlate hands an occurrence to client-go's correlator.
func (e *Engine) Correlate(o *series.Occurrence) series.Result {
	own := *o // o stays on the stack of the caller: an argument of an interface's method escapes to the heap
	return e.config.Correlator.Observe(&own)
}

// Accept does what the result of an occurrence asks for: it hands items to the writer, and reports
// drops to logger.
func (e *Engine) Accept(logger klog.Logger, o *series.Occurrence, r *series.Result) {
	e.apply(r.Effects, nil)
	if r.Dropped != stats.None {
		e.dropped(logger, o, r.Dropped, max(r.Times, 1), nil)
	}
}

// Invalid drops an occurrence of which no Event can be made. It returns the reason under which that
// counts, which is Stopped after the end.
func (e *Engine) Invalid(logger klog.Logger, o *series.Occurrence, err error) stats.Reason {
	reason := e.cores[0].Drop(o.MetricLabels(), stats.Invalid)
	e.dropped(logger, o, reason, 1, err)
	return reason
}
