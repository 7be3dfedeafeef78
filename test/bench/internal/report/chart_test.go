// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// Caught: a bar of a contender that did not take part, which the logarithm took
// for an error; an axis that began above the lowest bar.
func TestWriteChart(t *testing.T) {
	rows := Rows{
		{What: "repeat", Contender: SDK, Values: []float64{20}},
		{What: "repeat", Contender: ToolsEvents, Values: []float64{3000}},
		{What: "burst", Contender: SDK, Values: []float64{5000}},
	}
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := WriteChart(b, "CPU", "ns", rows); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same rows make two charts")
	}
	for _, want := range []string{"CPU", "repeat", "burst", SDK, ToolsEvents, "10", "10000"} {
		want = ">" + want + "<"
		if !strings.Contains(first.String(), want) {
			t.Errorf("no %s in the chart", want)
		}
	}
	if lowest, highest := bounds(rows[:1]); lowest != 10 || highest != 100 {
		t.Errorf("bounds of one bar of 20 are %v and %v, want 10 and 100", lowest, highest)
	}
	if lowest, highest := bounds(nil); lowest >= highest {
		t.Errorf("bounds of nothing are %v and %v", lowest, highest)
	}
	for d := xml.NewDecoder(&first); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
