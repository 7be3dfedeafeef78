// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// colours are told apart also by those who do not see all colours (Okabe and Ito).
var colours = map[string]color.Color{
	world.SDK.Name:         color.RGBA{R: 0, G: 114, B: 178, A: 255},
	world.ToolsEvents.Name: color.RGBA{R: 213, G: 94, B: 0, A: 255},
	world.ToolsRecord.Name: color.RGBA{R: 230, G: 159, B: 0, A: 255},
}

// chart is a line for each contender, over the hours of the day.
type chart struct {
	title, axis string
	values      func(*run) []float64 // evenly spread
	hours       float64
}

func (c chart) write(path string, runs []*run) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, "hours", c.axis
	p.Legend.Top, p.Legend.Left = true, true
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
			return err
		}
		line.Color, line.Width = colours[r.Name], vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(r.Name, line)
	}
	p.Y.Max *= 1.2 // room for the legend
	canvas := vgsvg.New(vg.Points(760), vg.Points(300))
	p.Draw(draw.New(canvas))
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(file); err != nil {
		return err
	}
	return file.Close()
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
