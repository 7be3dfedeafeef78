// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Caught: a bar of a contender that did not take part, which the logarithm took
// for an error; an axis that began above the lowest bar.
func TestChart(t *testing.T) {
	rows := Rows{
		{What: "repeat", Contender: SDK, Values: []float64{20}},
		{What: "repeat", Contender: ToolsEvents, Values: []float64{3000}},
		{What: "burst", Contender: SDK, Values: []float64{5000}},
	}
	chart, err := Chart("CPU", "ns", rows)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Chart("CPU", "ns", rows); err != nil || !bytes.Equal(chart, again) {
		t.Error("the same rows make two charts")
	}
	for _, want := range []string{"CPU", "repeat", "burst", SDK, ToolsEvents, "10", "10000"} {
		want = ">" + want + "<"
		if !strings.Contains(string(chart), want) {
			t.Errorf("no %s in the chart", want)
		}
	}
	if lowest, highest := bounds(rows[:1]); lowest != 10 || highest != 100 {
		t.Errorf("bounds of one bar of 20 are %v and %v, want 10 and 100", lowest, highest)
	}
	if lowest, highest := bounds(nil); lowest >= highest {
		t.Errorf("bounds of nothing are %v and %v", lowest, highest)
	}
	checkText(t, chart, 340)
	for d := xml.NewDecoder(bytes.NewReader(chart)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Caught: an axis whose label, and a tick whose label, ended outside of the picture in any font but the plot library's.
func TestSVGKeepsWideTextInThePicture(t *testing.T) {
	p := NewPlot("A title", "requests per second")
	p.X.Label.Text, p.X.Max, p.Y.Max = "hours", 1, 1e6
	chart, err := SVG(p, 300)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(chart), ">1000000<") {
		t.Error("the largest tick is not labelled with all its digits")
	}
	checkText(t, chart, 300)
}

var (
	textElement = regexp.MustCompile(`<text x="([-.\d]+)"[^>]*font-size:(\d+)px[^>]*>([^<]+)<`)
	rotated     = regexp.MustCompile(`(?s)<g transform="rotate\(90\)">.*?</g>`)
)

// checkText fails if text leaves the picture in a font whose characters are 0.62 em wide on average. The fonts of
// browsers are no wider.
func checkText(t *testing.T, picture []byte, height float64) {
	t.Helper()
	checkLines(t, rotated.ReplaceAll(picture, nil), width)
	checkLines(t, bytes.Join(rotated.FindAll(picture, -1), nil), height)
}

func checkLines(t *testing.T, part []byte, end float64) {
	t.Helper()
	found := textElement.FindAllSubmatch(part, -1)
	if len(found) == 0 {
		t.Error("no text")
	}
	for _, match := range found {
		x, xErr := strconv.ParseFloat(string(match[1]), 64)
		size, sizeErr := strconv.ParseFloat(string(match[2]), 64)
		if err := errors.Join(xErr, sizeErr); err != nil {
			t.Fatal(err)
		}
		if last := x + 0.62*size*float64(len(match[3])); x < 0 || last > end {
			t.Errorf("%q is at %.0f to %.0f, outside of 0 to %.0f", match[3], x, last, end)
		}
	}
}
