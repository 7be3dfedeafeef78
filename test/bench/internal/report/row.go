// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"golang.org/x/perf/benchmath"
)

// The names of the contenders.
const (
	SDK         = "eventseries"
	ToolsEvents = "tools/events"
	ToolsRecord = "tools/record"
	Floor       = "floor"
	Empty       = "empty call"
	Bare        = "bare client"
)

// Section is a table and what a reader needs to understand it.
type Section struct {
	Title string
	Text  string // Markdown, before the table
	Rows  Rows
	After string // Markdown, after the table
}

// Rows are in the order in which they are shown.
type Rows []Row

// Row is what one contender came to in one quantity.
type Row struct {
	What      string    // what was done
	Unit      string    // of the values: "CPU ns/op", "B/op", "writes", "%"
	Contender string    // who did it
	Values    []float64 // one a round; a count that cannot vary has one
	Demand    *Demand   // nil where nothing is demanded
	Note      string    // what is not in the number, shown below the table
}

// Median is the middle of the row's values.
func (r *Row) Median() float64 { return r.summary().Center }

func (r *Row) summary() benchmath.Summary {
	return benchmath.AssumeNothing.Summary(r.sample(), confidence)
}

const confidence = 0.95

func (r *Row) sample() *benchmath.Sample {
	return benchmath.NewSample(r.Values, &benchmath.DefaultThresholds)
}

// find returns the row of a contender in one quantity, or nil.
func (rows Rows) find(what, unit, contender string) *Row {
	for i := range rows {
		if r := &rows[i]; r.What == what && r.Unit == unit && r.Contender == contender {
			return r
		}
	}
	return nil
}
