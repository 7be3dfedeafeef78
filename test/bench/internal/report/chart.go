// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// colours are told apart also by those who do not see all colours (Okabe and Ito).
var colours = map[string]color.Color{
	SDK:         color.RGBA{R: 0, G: 114, B: 178, A: 255},
	ToolsEvents: color.RGBA{R: 213, G: 94, B: 0, A: 255},
	ToolsRecord: color.RGBA{R: 230, G: 159, B: 0, A: 255},
	Floor:       color.RGBA{R: 120, G: 120, B: 120, A: 255},
}

// WriteChart draws the medians of rows as SVG: a group of bars for each thing
// that was done, on a logarithmic scale.
func WriteChart(w io.Writer, title, axis string, rows Rows) error {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text = title, axis
	p.Y.Scale, p.Y.Tick.Marker = logarithmic{}, plot.LogTicks{Prec: -1}
	p.Legend.Top = true
	what, contenders := names(rows)
	width := vg.Points(16)
	for i, who := range contenders {
		values := make(plotter.Values, len(what))
		for j, group := range what {
			values[j] = rows.of(group, who)
		}
		bars, err := plotter.NewBarChart(values, width)
		if err != nil {
			return err
		}
		bars.Color, bars.LineStyle.Width = colours[who], 0
		bars.Offset = width * vg.Length(float64(i)-float64(len(contenders)-1)/2)
		p.Add(bars)
		p.Legend.Add(who, bars)
	}
	p.NominalX(what...)
	p.X.Min, p.X.Max = -0.5, float64(len(what))+0.1 // room for the legend
	lowest, highest := bounds(rows)
	p.Y.Min, p.Y.Max = lowest, highest
	c := vgsvg.New(vg.Points(760), vg.Points(340))
	p.Draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
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
