// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Caught: logarithms of one axis only; a fit through the origin; a round that is not complete.
func TestExponents(t *testing.T) {
	sizes := []int{1, 10, 100}
	values := [][]float64{{5, 7, 1}, {5, 70, 10}, {5, 700}}
	got := Exponents(sizes, values)
	if diff := cmp.Diff([]float64{0, 1}, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	root := Exponents(sizes, [][]float64{{1}, {math.Sqrt(10)}, {10}})
	if diff := cmp.Diff([]float64{0.5}, root, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("of a root (-want +got):\n%s", diff)
	}
	for name, incomplete := range map[string][][]float64{"nothing": {{}, {}, {}}, "a zero": {{1}, {0}, {1}}} {
		if got := Exponents(sizes, incomplete); got != nil {
			t.Errorf("of %s: %v", name, got)
		}
	}
}

// Caught: a curve without values, which has no logarithm; the exponent of the mean.
func TestCurves(t *testing.T) {
	sizes := []int{100, 10_000}
	curves := []Curve{
		{Name: "a repeat", Sizes: sizes, Values: [][]float64{{200, 210}, {20_000, 21_000}}},
		{Name: "the floor", Dashed: true, Sizes: sizes, Values: [][]float64{{200}, {200}}},
		{Name: "left out", Sizes: sizes, Values: [][]float64{{}, {}}},
	}
	chart, err := Curves("Growth", "series", "ns", curves)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Curves("Growth", "series", "ns", curves); err != nil || !bytes.Equal(chart, again) {
		t.Error("the same curves make two charts")
	}
	for _, want := range []string{"Growth", "series", "a repeat: n^1.00", "the floor: n^0.00", "10000"} {
		if !strings.Contains(string(chart), ">"+want+"<") {
			t.Errorf("no %s in the chart", want)
		}
	}
	if strings.Contains(string(chart), "left out") {
		t.Error("a curve without values is in the legend")
	}
	checkText(t, chart, 420)
	if _, err := Curves("Nothing", "series", "ns", nil); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}
