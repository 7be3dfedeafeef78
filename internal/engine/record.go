// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

// KeepsSeries reports whether the engine groups occurrences into series. Series need a reporting
// controller and a reporting instance that the API server accepts, so recorders must repair both.
func (e *Engine) KeepsSeries() bool { return e.cache != nil }

// Correlates reports whether client-go's correlator, rather than a series, takes an occurrence that
// is recorded now. No other code decides this.
func (e *Engine) Correlates() bool {
	correlate := e.config.Correlate
	return e.cache == nil || correlate != nil && correlate.Load()
}

// Count adds an occurrence to its series. See [series.Cache.Count].
func (e *Engine) Count(o *series.Occurrence, key series.PackedKey) (r series.Result, found bool) {
	return e.cache.Count(o, key)
}

// Insert adds a new series that begins with o. See [series.Cache.Insert].
func (e *Engine) Insert(o *series.Occurrence, key series.PackedKey) series.Result {
	return e.cache.Insert(o, key)
}

// Correlator is the core that combines occurrences into Events by the rules of client-go's
// correlator. Package correlator implements it.
type Correlator interface {
	series.Core
	// Observe records an occurrence, which must have a name and a formatted note.
	Observe(o *series.Occurrence) series.Result
}

// Correlate passes an occurrence to Config.Correlator.
func (e *Engine) Correlate(o *series.Occurrence) series.Result {
	// Arguments of an interface's method escape to the heap. Pass a copy, so that o itself stays on
	// the stack of the caller, which also uses it for occurrences of series.
	own := *o
	return e.config.Correlator.Observe(&own)
}

// Accept carries out the effects r of recording the occurrence o: it passes due items to the
// writer, and reports drops. It logs a drop of o itself to logger, and other drops to the logger of
// the engine.
func (e *Engine) Accept(logger klog.Logger, o *series.Occurrence, r *series.Result) {
	e.apply(r.Effects, nil)
	if len(r.Due) > 0 {
		e.remindToStart()
	}
	if r.Dropped != stats.None {
		e.dropped(logger, o, r.Dropped, max(r.Times, 1), nil)
	}
}

// Invalid drops an occurrence that cannot become an Event because of err. It returns the reason
// under which the drop is counted: Invalid, or Stopped after the end of the engine.
func (e *Engine) Invalid(logger klog.Logger, o *series.Occurrence, err error) stats.Reason {
	reason := e.cores[0].Drop(o.MetricLabels(), stats.Invalid)
	e.dropped(logger, o, reason, 1, err)
	return reason
}
