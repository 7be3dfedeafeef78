// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// chart is a line for each contender, over the hours of the day.
type chart struct {
	title, yAxis string
	values       func(*run) []float64 // evenly spread
	hours        float64
}

func (c chart) svg(runs []*run) ([]byte, error) {
	p := report.NewPlot(c.title, c.yAxis)
	p.X.Label.Text = "hours"
	p.X.Min, p.X.Max, p.Y.Min = 0, c.hours, 0
	p.Add(plotter.NewGrid())
	for _, r := range runs {
		values := c.values(r)
		points := make(plotter.XYs, len(values))
		for i, v := range values {
			points[i] = plotter.XY{X: (float64(i) + 0.5) * c.hours / float64(len(values)), Y: v}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = report.Colours[r.Name], vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(r.Name, line)
	}
	p.Y.Max *= 1.2 // room for the legend
	return report.SVG(p, 300)
}

// perMinute is the mean of the requests per second, minute by minute.
func (r *dayResult) perMinute() []float64 {
	means := make([]float64, int(r.Config.Span.Minutes()))
	for i, s := range r.Seconds {
		if i/60 < len(means) {
			means[i/60] += float64(s.Creates + s.Patches)
		}
	}
	for i := range means {
		means[i] /= 60
	}
	return means
}

func (r *dayResult) alive() []float64 {
	values := make([]float64, len(r.Alive))
	for i, n := range r.Alive {
		values[i] = float64(n)
	}
	return values
}
