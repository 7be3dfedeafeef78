// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package report judges what was measured, and shows it: as a table on a
// terminal, as docs/benchmarks.md with its chart, and as lines that benchstat
// reads.
//
// Whoever measures returns a [Section], a title with rows. A [Row] is what one
// contender came to in one quantity, with one value per round, or a single one
// where it is a count that no repetition would change:
//
//	report.Section{
//		Title: "A scheduling storm",
//		Text:  "10,000 pods, each failing every minute for a simulated hour.",
//		Rows: []report.Row{
//			{What: "API writes", Unit: "writes", Contender: report.SDK, Values: []float64{20000}},
//			{What: "API writes", Unit: "writes", Contender: report.ToolsEvents, Values: []float64{20000},
//				Demand: &report.Demand{Text: "no more than tools/events", Pass: true}},
//		},
//	}
//
// Rows of the same What and Unit belong together, and should follow each other.
// Medians, confidence intervals, the ratio to the SDK's row and the p-value are
// computed here, by golang.org/x/perf/benchmath. A demand stands in the row that
// it compares the SDK with, or in the SDK's own; the one who measures decides
// whether it is met, usually with [Rows.Demand]:
//
//	rows.Demand("API writes", "writes", report.ToolsEvents, report.AtMost(1))
//
// What a contender cannot do is said in [Row.Note], which is shown below the table.
package report
