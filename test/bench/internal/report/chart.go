// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Chart draws the medians of rows as SVG: a group of bars for each thing that
// was done, on a logarithmic scale.
func Chart(title, yAxis string, rows Rows) ([]byte, error) {
	p := NewPlot(title, yAxis)
	p.Y.Scale, p.Y.Tick.Marker = logarithmic{}, plainTicks{plot.LogTicks{Prec: -1}}
	what, contenders := names(rows)
	width := vg.Points(16)
	for i, who := range contenders {
		values := make(plotter.Values, len(what))
		for j, group := range what {
			values[j] = rows.of(group, who)
		}
		bars, err := plotter.NewBarChart(values, width)
		if err != nil {
			return nil, err
		}
		bars.Color, bars.LineStyle.Width = Colours[who], 0
		bars.Offset = width * vg.Length(float64(i)-float64(len(contenders)-1)/2)
		p.Add(bars)
		p.Legend.Add(who, bars)
	}
	p.NominalX(what...)
	p.X.Min, p.X.Max = -0.5, float64(len(what))-0.5
	p.Y.Min, p.Y.Max = bounds(rows)
	return SVG(p, 340)
}

// bounds are the powers of ten around the rows' medians, from 1 on.
func bounds(rows Rows) (lowest, highest float64) {
	least, most := math.MaxFloat64, 1.0
	for i := range rows {
		least, most = min(least, rows[i].Median()), max(most, rows[i].Median())
	}
	lowest = math.Pow(10, math.Floor(math.Log10(max(1, min(least, most)))))
	return lowest, max(10*lowest, math.Pow(10, math.Ceil(math.Log10(most))))
}

// names lists what was done and who did it, in the rows' order.
func names(rows Rows) (what, contenders []string) {
	for _, r := range rows {
		if !slices.Contains(what, r.What) {
			what = append(what, r.What)
		}
		if !slices.Contains(contenders, r.Contender) {
			contenders = append(contenders, r.Contender)
		}
	}
	return what, contenders
}

// of is the median of a contender, and 0 where it did not take part.
func (rows Rows) of(what, contender string) float64 {
	for i := range rows {
		if rows[i].What == what && rows[i].Contender == contender {
			return rows[i].Median()
		}
	}
	return 0
}

// logarithmic lets bars begin at the axis, where there is no zero.
type logarithmic struct{}

func (logarithmic) Normalize(lowest, highest, x float64) float64 {
	return plot.LogScale{}.Normalize(lowest, highest, max(x, lowest))
}
