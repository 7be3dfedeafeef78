// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Exponents fits a power of the size to the values of each round: the slope of a line
// through the logarithms, by least squares. values has the rounds at each size. It
// returns nothing if they are not complete, or not positive.
func Exponents(sizes []int, values [][]float64) (perRound []float64) {
	for round := 0; ; round++ {
		xs, ys := make([]float64, len(sizes)), make([]float64, len(sizes))
		for i, size := range sizes {
			if round >= len(values[i]) || values[i][round] <= 0 {
				return perRound
			}
			xs[i], ys[i] = math.Log(float64(size)), math.Log(values[i][round])
		}
		perRound = append(perRound, slope(xs, ys))
	}
}

func slope(xs, ys []float64) float64 {
	mx, my := mean(xs), mean(ys)
	var covariance, variance float64
	for i := range xs {
		covariance += (xs[i] - mx) * (ys[i] - my)
		variance += (xs[i] - mx) * (xs[i] - mx)
	}
	return covariance / variance
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Curve is a quantity at several sizes.
type Curve struct {
	Name   string
	Dashed bool // a curve to compare with
	Sizes  []int
	Values [][]float64 // the rounds at each size
}

// palette can be told apart by colour-blind readers (Okabe and Ito, and a violet).
var palette = []color.Color{
	color.RGBA{R: 0, G: 114, B: 178, A: 255}, color.RGBA{R: 213, G: 94, B: 0, A: 255},
	color.RGBA{R: 0, G: 158, B: 115, A: 255}, color.RGBA{R: 204, G: 121, B: 167, A: 255},
	color.RGBA{R: 230, G: 159, B: 0, A: 255}, color.RGBA{R: 86, G: 180, B: 233, A: 255},
	color.RGBA{R: 0, G: 0, B: 0, A: 255}, color.RGBA{R: 110, G: 60, B: 150, A: 255},
}

// Curves draws the medians of curves as SVG, both axes logarithmic, with the exponent of
// each in the legend. Dashed curves are grey.
func Curves(title, xAxis, yAxis string, curves []Curve) ([]byte, error) {
	p := NewPlot(title, yAxis)
	p.X.Label.Text = xAxis
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plainTicks{plot.LogTicks{Prec: -1}}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plainTicks{plot.LogTicks{Prec: -1}}
	p.Add(plotter.NewGrid())
	lowest, highest, coloured := math.MaxFloat64, 1.0, 0
	for _, c := range curves {
		points := c.points()
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.Width, line.Color = vg.Points(1.5), Colours[Floor]
		if c.Dashed {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(float64(2 + coloured))}
		} else {
			line.Color = palette[coloured%len(palette)]
			coloured++
		}
		p.Add(line)
		p.Legend.Add(c.label(), line)
		for _, point := range points {
			lowest, highest = min(lowest, point.Y), max(highest, point.Y)
		}
	}
	if lowest > highest {
		lowest, p.X.Min, p.X.Max = 0.1, 1, 10 // nothing was measured
	}
	p.Y.Min = math.Pow(10, math.Floor(math.Log10(lowest)))
	p.Y.Max = 100 * math.Pow(10, math.Ceil(math.Log10(highest))) // room for the legend
	return SVG(p, 420)
}

// points are the medians.
func (c *Curve) points() (points plotter.XYs) {
	for i, size := range c.Sizes {
		row := Row{Values: slices.Clone(c.Values[i])}
		if len(row.Values) == 0 || row.Median() <= 0 {
			continue
		}
		points = append(points, plotter.XY{X: float64(size), Y: row.Median()})
	}
	return points
}

// label is the name with the median exponent.
func (c *Curve) label() string {
	row := Row{Values: Exponents(c.Sizes, c.Values)}
	if len(row.Values) == 0 {
		return c.Name
	}
	return fmt.Sprintf("%s: n^%.2f", c.Name, row.Median())
}
