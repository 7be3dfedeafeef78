// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"html"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The colours of the drawings. Drawings have no background, so each colour is legible on white and on dark pages.
const (
	grey   = "#6e7781"
	blue   = "#1f77d0"
	orange = "#bf5f00"
	green  = "#2a8644"
	red    = "#d1434b"
)

// drawing builds an SVG.
type drawing struct {
	width, height float64
	title         string
	body          strings.Builder
}

type point struct{ x, y float64 }

// line draws from point to point. The style is that of the stroke.
func (d *drawing) line(style string, points ...point) {
	var at []string
	for _, p := range points {
		at = append(at, fmt.Sprintf("%.1f,%.1f", p.x, p.y))
	}
	fmt.Fprintf(&d.body, "<polyline points=%q fill=\"none\" %s/>\n", strings.Join(at, " "), style)
}

// box draws a rounded rectangle between two corners.
func (d *drawing) box(colour string, from, to point) {
	fmt.Fprintf(&d.body, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" "+
		"fill=%q fill-opacity=\"0.12\" stroke=%q/>\n", from.x, from.y, to.x-from.x, to.y-from.y, colour, colour)
}

// dot draws a full circle.
func (d *drawing) dot(colour string, at point, radius float64) {
	fmt.Fprintf(&d.body, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=%q/>\n", at.x, at.y, radius, colour)
}

// text writes with anchor start, middle or end at a point.
func (d *drawing) text(colour, anchor string, at point, text string) {
	fmt.Fprintf(&d.body, "<text x=\"%.1f\" y=\"%.1f\" fill=%q text-anchor=%q>%s</text>\n",
		at.x, at.y, colour, anchor, html.EscapeString(text))
}

func stroke(colour string, width float64) string {
	return fmt.Sprintf("stroke=%q stroke-width=\"%g\"", colour, width)
}

func (d *drawing) String() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]g %[2]g" width="%[1]g" height="%[2]g"
font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13" role="img">
<title>%[3]s</title>
%[4]s</svg>
`, d.width, d.height, html.EscapeString(d.title), d.body.String())
}

var colour = regexp.MustCompile(`"#([0-9a-f]{6})"`)

// Every drawing is legible on white and on dark pages, and has no script.
//
// Caught: black text; a light grey.
func TestDrawingsAreReadOnLightAndDark(t *testing.T) {
	for _, name := range []string{"series.svg"} {
		picture := read(t, filepath.Clean(name))
		if strings.Contains(picture, "<script") {
			t.Errorf("%s has a script", name)
		}
		used := colour.FindAllStringSubmatch(picture, -1)
		if len(used) == 0 {
			t.Errorf("%s has no colour", name)
		}
		for _, match := range used {
			for _, page := range []string{"ffffff", "0d1117"} {
				if c := contrast(t, match[1], page); c < 3.9 {
					t.Errorf("%s: #%s on #%s has a contrast of %.1f, want at least 3.9", name, match[1], page, c)
				}
			}
		}
	}
}

// contrast is the WCAG's contrast ratio of two colours.
func contrast(t *testing.T, a, b string) float64 {
	light, dark := luminance(t, a), luminance(t, b)
	return (max(light, dark) + 0.05) / (min(light, dark) + 0.05)
}

func luminance(t *testing.T, colour string) (sum float64) {
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.03928 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}
