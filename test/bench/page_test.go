// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// The committed page and chart are what the template makes of the committed run.
//
// Caught: a number changed by hand; a template that was changed and not rendered.
func TestPageIsOfTheRun(t *testing.T) {
	r, err := loadAll(parts(), "results")
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.render()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("docs/%s is not of the run, go run . -page writes it (-want +got):\n%s", name, diff)
		}
	}
}

// Caught: a scenario that was added and that no table shows, or that was never measured.
func TestPageHasEveryScenario(t *testing.T) {
	r, err := loadAll(parts(), "results")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Sections {
		for _, row := range s.Rows {
			if len(row.Values) == 0 {
				t.Errorf("the run has no %s of %q by %s", row.Unit, row.What, row.Contender)
			}
		}
	}
	for _, sc := range sample.Scenarios() {
		one := sample.Samples{{Scenario: sc.Name, Contender: report.SDK, Values: units}}
		shown := slices.ContainsFunc(tabled(), func(p part) bool {
			return strings.HasPrefix(sc.Name, p.group) && valued(p.table(one))
		})
		if !shown {
			t.Errorf("no table shows %s", sc.Name)
		}
	}
}

// units are those that scenarios measure CPU, memory, rates and goroutines in.
var units = []sample.Value{
	{Value: 1, Unit: "cpu-ns/op"}, {Value: 1, Unit: "cpu-ns/delivered"}, {Value: 1, Unit: "cpu-ns/line"},
	{Value: 1, Unit: "heap-B/series"}, {Value: 1, Unit: "speedup"}, {Value: 1, Unit: "goroutines"},
	{Value: 1, Unit: "cpu-ns/first"}, {Value: 1, Unit: "cpu-ns/woken"}, {Value: 1, Unit: "stats-ns/series"}, {Value: 1, Unit: "scrape-ns/series"},
	{Value: 1, Unit: "drain-ns/series"}, {Value: 1, Unit: "abandon-ns/series"},
}

func valued(s report.Section) bool {
	return slices.ContainsFunc(s.Rows, func(r report.Row) bool { return len(r.Values) > 0 })
}

// Every demand of the project's on what is measured in memory is judged.
//
// Caught: a demand that was put before its rows; a failed demand that the page
// did not name.
func TestDemands(t *testing.T) {
	var all sample.Samples
	for _, sc := range sample.Scenarios() {
		for _, who := range sc.Contenders {
			all = append(all, sample.Sample{Scenario: sc.Name, Contender: who, Values: everything})
		}
	}
	r := &result{}
	for _, p := range tabled() {
		r.add(&p, &record{Title: p.title, Samples: all})
	}
	files, err := r.render()
	if err != nil {
		t.Fatal(err)
	}
	// All contenders are the same: what asks for more than that fails.
	if got := r.Demands(); got != 47 {
		t.Errorf("%d demands, want 47", got)
	}
	for _, line := range r.Failed() {
		if !strings.Contains(string(files[pageFile]), "* "+line+"\n") {
			t.Errorf("the page does not say that this failed: %s", line)
		}
	}
}

var everything = append([]sample.Value{
	{Value: 1, Unit: "B/op"}, {Value: 1, Unit: "allocs/op"}, {Value: 1, Unit: "formatted/op"},
	{Value: 1, Unit: "%delivered"}, {Value: 1, Unit: "%open"}, {Value: 1, Unit: "%logged"},
	{Value: 1, Unit: "more-goroutines"}, {Value: 1, Unit: "together-ns/op"},
}, units...)
