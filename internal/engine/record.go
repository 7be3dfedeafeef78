// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

// KeepsSeries reports whether the engine counts occurrences in series. Series need a reporting
// controller and a reporting instance that the API server accepts, so recorders must repair both.
func (e *Engine) KeepsSeries() bool { return e.cache != nil }

// Correlates reports whether client-go's correlator takes an occurrence that is recorded now.
// Otherwise a series takes it. No other code decides this.
func (e *Engine) Correlates() bool {
	correlate := e.config.Correlate
	return e.cache == nil || correlate != nil && correlate.Load()
}

// Count adds an occurrence to its series. See [series.Cache.Count].
func (e *Engine) Count(o *series.Occurrence, key series.PackedKey) (r series.Result, found bool) {
	return e.cache.Count(o, key)
}

// Insert makes a series that begins with an occurrence. See [series.Cache.Insert].
func (e *Engine) Insert(o *series.Occurrence, key series.PackedKey) series.Result {
	return e.cache.Insert(o, key)
}

// Correlator is the core that asks client-go's correlator; see package correlator.
type Correlator interface {
	series.Core
	// Observe takes an occurrence, which must have a name and a formatted note.
	Observe(o *series.Occurrence) series.Result
}

// Correlate gives an occurrence to the Correlator of the configuration.
func (e *Engine) Correlate(o *series.Occurrence) series.Result {
	// An argument of an interface's method escapes to the heap. The copy does, and o stays on the
	// stack of the caller, which is also used for occurrences of series.
	own := *o
	return e.config.Correlator.Observe(&own)
}

// Accept carries out the effects r of recording the occurrence o: it hands due items to the writer,
// and reports drops. A drop of o itself is logged to logger, and other drops to the logger of the
// engine.
func (e *Engine) Accept(logger klog.Logger, o *series.Occurrence, r *series.Result) {
	e.apply(r.Effects, nil)
	if r.Dropped != stats.None {
		e.dropped(logger, o, r.Dropped, max(r.Times, 1), nil)
	}
}

// Invalid drops an occurrence of which no Event can be made, because of err. It returns the reason
// under which the drop is counted: Invalid, or Stopped after the end of the engine.
func (e *Engine) Invalid(logger klog.Logger, o *series.Occurrence, err error) stats.Reason {
	reason := e.cores[0].Drop(o.MetricLabels(), stats.Invalid)
	e.dropped(logger, o, reason, 1, err)
	return reason
}
