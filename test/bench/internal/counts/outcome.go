// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package counts

import (
	"math"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// scene is what happens, whoever records it. It returns the series in the same
// order for every contender.
type scene interface {
	play(*world.API, world.Contender) []*world.Series
}

// outcome is what came of a scene with one contender.
type outcome struct {
	contender string
	totals    world.Totals
	doublings world.Delays
	series    []world.Tally
}

// observe plays a scene. It must be called in a bubble.
func observe(s scene, contender world.Contender) outcome {
	api := world.NewAPI(world.Settings{Latency: latency})
	series := s.play(api, contender)
	api.Finish()
	out := outcome{contender: contender.Name, totals: api.Totals(), doublings: api.Doublings()}
	for _, one := range series {
		out.series = append(out.series, one.Tally())
	}
	return out
}

// excess is by how much o writes more than literal, in the series where that is
// most compared with the logarithm of the count; 1 is log2(count) more writes.
func (o outcome) excess(literal outcome) float64 {
	worst := math.Inf(-1)
	for i, s := range o.series {
		if s.Occurrences < 2 {
			continue
		}
		more := float64(s.Writes() - literal.series[i].Writes())
		worst = max(worst, more/math.Log2(float64(s.Occurrences)))
	}
	return worst
}

// exact is the share of series whose count the server has at the end, in percent.
func (o outcome) exact() float64 {
	return 100 * float64(o.totals.Series-o.totals.Inexact) / float64(o.totals.Series)
}

func (o outcome) row(what, unit string, value float64) report.Row {
	return report.Row{What: what, Unit: unit, Contender: o.contender, Values: []float64{value}}
}
