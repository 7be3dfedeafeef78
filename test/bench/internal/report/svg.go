// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours has a colour for each contender, which colour-blind readers can tell apart (Okabe and Ito).
var Colours = map[string]color.Color{
	SDK:         color.RGBA{R: 0, G: 114, B: 178, A: 255},
	ToolsEvents: color.RGBA{R: 213, G: 94, B: 0, A: 255},
	ToolsRecord: color.RGBA{R: 230, G: 159, B: 0, A: 255},
	Floor:       color.RGBA{R: 120, G: 120, B: 120, A: 255},
}

// The plot library measures text in Liberation Sans and names only that font in the SVG. Arial and Helvetica have the
// same widths, and most readers have one of them.
const (
	measuredFont = "font-family:Liberation Sans;"
	namedFonts   = "font-family:Liberation Sans,Arial,Helvetica,sans-serif;"
)

// The size of a chart. Text in a wider font than the one that was measured runs into the margin.
const (
	width  = 760
	margin = 16
)

// NewPlot returns an empty plot with its legend at the top left, where a wider font covers nothing.
func NewPlot(title, yAxis string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text = title, yAxis
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding = vg.Points(3)
	p.X.Tick.Marker, p.Y.Tick.Marker = plainTicks{plot.DefaultTicks{}}, plainTicks{plot.DefaultTicks{}}
	for _, style := range []*text.Style{
		&p.Title.TextStyle, &p.Legend.TextStyle,
		&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label,
	} {
		style.Font.Variant = "Sans"
	}
	return p
}

// SVG draws a plot.
func SVG(p *plot.Plot, height float64) ([]byte, error) {
	canvas := vgsvg.New(vg.Points(width), vg.Points(height))
	all := draw.New(canvas)
	all.FillPolygon(color.White, []vg.Point{
		all.Min, {X: all.Min.X, Y: all.Max.Y}, all.Max, {X: all.Max.X, Y: all.Min.Y},
	})
	p.Draw(draw.Crop(all, margin, -margin, margin/2, -margin/2))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(b.Bytes(), []byte(measuredFont), []byte(namedFonts)), nil
}

// plainTicks labels ticks with all their digits and no others: 250000, not 250000.00 or 2.5e+05.
type plainTicks struct{ plot.Ticker }

// Ticks returns the ticks between two values.
func (t plainTicks) Ticks(lowest, highest float64) []plot.Tick {
	ticks := t.Ticker.Ticks(lowest, highest)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'f', -1, 64)
		}
	}
	return ticks
}
