// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a page that was changed by hand; results whose page was not written.
func TestPagesAreOfTheResults(t *testing.T) {
	r, err := readResults("results")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"benchmarks.md", "scale.md"} {
		want, err := r.page(name + ".tmpl")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", "evidence", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s, `make bench ARGS=-page` writes it (-of the results +there):\n%s", name, diff)
		}
	}
}

// Caught: a bound that is multiplied where it is to be divided; the peer's value for the SDK's; what was not measured.
func TestDecide(t *testing.T) {
	values := map[string]float64{"eventseries ": 100, "eventseries allocs/op": 1, "tools/events ": 300, "floor ": 80}
	value := func(impl, unit string) float64 {
		if v, ok := values[impl+" "+unit]; ok {
			return v
		}
		return math.NaN()
	}
	for text, want := range map[string]bool{
		"≤ 100": true, "≤ 99": false, "≥ 100": true, "≥ 101": false, "≤ 100 s": true,
		"≤ 1.25 × floor": true, "≤ 1.2 × floor": false,
		"≤ tools/events ÷ 3": true, "≤ tools/events ÷ 4": false, "≤ floor + 20": true, "≤ floor + 19": false,
		"≤ tools/events": true, "≤ floor": false, "allocs/op ≤ 1": true, "allocs/op ≤ 0": false,
		"≤ bare client": false, "≥ bare client": false,
		"≥ 200 or ≥ 0.3 × tools/events": true, "≥ 200 or ≥ 2 × floor": false,
	} {
		if got, err := decide(text, value); got != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	if _, err := decide("about 100", value); err == nil {
		t.Error("no error of what is no demand")
	}
}

// Caught: the slope of the values and not of their logarithms; a demand that is not counted.
func TestGrowth(t *testing.T) {
	p := &page{results: &results{values: map[string][]float64{
		"G/impl=eventseries/n=10 ns": {5}, "G/impl=eventseries/n=1000 ns": {50},
		"G/impl=floor/n=10 ns": {5}, "G/impl=floor/n=1000 ns": {5},
	}}}
	p.head("10", "1,000", "exponent")
	line, err := p.growth("time", "G/impl=*/n=# ns", "≤ floor + 0.6", "≤ 0.4")
	if want := "|time|5|50|0.50|≤floor+0.6 ✓, **≤0.4 ✗**|"; line != want || err != nil {
		t.Errorf("%s, %v, want %s", line, err, want)
	}
	if diff := cmp.Diff([]string{"time: ≤0.4"}, p.Failed); diff != "" || p.Demands != 2 {
		t.Errorf("%d demands, failed (-want +got):\n%s", p.Demands, diff)
	}
}
