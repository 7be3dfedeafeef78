// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// growth is a section about how costs grow with a size.
type growth struct {
	group, title, text, after string
	sizes                     string // what they count
	chart                     string // the file
	quantities                []quantity
}

// quantity is measured at each size, for one series or one call. An exponent of 0 means
// that it does not depend on the size, and all together is linear.
type quantity struct {
	sweep    sample.Sweep
	unit, as string   // of the samples, and in the table
	by       []string // contenders
}

func growths() []growth {
	sdk, both := []string{report.SDK}, []string{report.SDK, report.Floor}
	return []growth{
		{
			group: "Growth/series", title: "Growth with the number of series", sizes: "series", chart: "growth-series.svg",
			text: "So many series are opened and written, repeated in turn, looked at by `Stats` and by a scrape of the " +
				"Prometheus collector, and drained to a sink in memory with a count to write for each. Abandoned are those " +
				"of a broadcaster that was never started, by its `Drain`.",
			after: "Every figure is for one series or one call. *Exponent* is the slope through its logarithms: with 0 all " +
				"together is linear. A repeat grows with the share of memory that the processor's caches cannot hold, as the " +
				"floor's does.",
			quantities: []quantity{
				{sample.BySeries, "cpu-ns/op", "CPU ns/repeat", both},
				{sample.BySeries, "cpu-ns/woken", "CPU ns/first repeat after a write", sdk},
				{sample.BySeries, "cpu-ns/first", cpuPerFirst, sdk},
				{sample.BySeries, "heap-B/series", "B of heap/series", both},
				{sample.BySeries, "stats-ns/series", "ns of Stats/series", sdk},
				{sample.BySeries, "scrape-ns/series", "ns of a scrape/series", sdk},
				{sample.BySeries, "drain-ns/series", "CPU ns of Drain/series", sdk},
				{sample.ByAbandoned, "abandon-ns/series", "CPU ns to abandon/series", sdk},
			},
		},
		{
			group: sample.ByNamespaces.Prefix, title: "Growth with the number of namespaces", sizes: "namespaces",
			chart: "growth-namespaces.svg",
			text:  "20,000 series in so many namespaces, opened and written, then repeated in turn.",
			quantities: []quantity{
				{sample.ByNamespaces, "cpu-ns/op", "CPU ns/repeat", both},
				{sample.ByNamespaces, "cpu-ns/first", cpuPerFirst, sdk},
			},
		},
		{
			group: sample.ByGoroutines.Prefix, title: "Growth with the number of goroutines", sizes: "goroutines",
			chart: "growth-goroutines.svg",
			text:  "So many goroutines repeat together, each the events of 64 objects of its own.",
			after: "The floor has one lock for all.",
			quantities: []quantity{
				{sample.ByGoroutines, "cpu-ns/op", "CPU ns/repeat", []string{report.SDK, report.Floor, report.Empty}},
			},
		},
	}
}

// flat is the most that the exponent of a cost may be which should not depend on the size:
// 1.1 for all together. Of a repeat it is counted from the floor's, which meets the same caches.
const flat = 0.1

// section is the table of the samples.
func (g *growth) section(all sample.Samples) report.Section {
	s := report.Section{
		Title: g.title, Text: g.text + "\n\n![" + g.title + ", logarithmic](" + g.chart + ")", After: g.after,
	}
	for _, q := range g.quantities {
		var fits report.Rows
		what, unit := "all of them", "exponent of "+q.as
		for _, who := range q.by {
			fits = append(fits, report.Row{
				What: what, Unit: unit, Contender: who, Values: report.Exponents(q.sweep.Sizes, q.values(all, who)),
			})
		}
		if slices.Contains(q.by, report.Floor) && q.unit == "cpu-ns/op" {
			fits.Demand(what, unit, report.Floor, report.Within(flat))
		} else {
			fits.Demand(what, unit, report.SDK, report.Max(flat))
		}
		for i, size := range q.sweep.Sizes {
			for _, who := range q.by {
				s.Rows = append(s.Rows, report.Row{
					What: fmt.Sprintf("%s: %s", g.sizes, report.Grouped(size)), Unit: q.as, Contender: who,
					Values: q.values(all, who)[i],
				})
			}
		}
		s.Rows = append(s.Rows, fits...)
	}
	return s
}

// values are those at each size, by round.
func (q *quantity) values(all sample.Samples, who string) [][]float64 {
	values := make([][]float64, len(q.sweep.Sizes))
	for i, size := range q.sweep.Sizes {
		values[i] = all.Values(q.sweep.Name(size), who, q.unit)
	}
	return values
}

// picture draws the quantities of the samples.
func (g *growth) picture(all sample.Samples) ([]byte, error) {
	var curves []report.Curve
	for _, q := range g.quantities {
		for _, who := range q.by {
			curves = append(curves, report.Curve{
				Name: q.as + ", " + who, Dashed: who != report.SDK, Sizes: q.sweep.Sizes, Values: q.values(all, who),
			})
		}
	}
	return report.Curves(g.title, g.sizes, "ns or bytes for one, logarithmic", curves)
}
