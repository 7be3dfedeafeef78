// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strconv"
)

// Demand is what the project asks of the SDK in one line, and whether it was so.
type Demand struct {
	Text string
	Pass bool
}

// Test decides a demand by the medians of the SDK and of the row that the
// demand stands in.
type Test struct {
	text string
	pass func(sdk, row float64) bool
}

// Less demands that the row's contender needs at least factor times what the
// SDK needs.
func Less(factor float64) Test {
	return Test{"≥ " + number(factor) + "× less", func(sdk, row float64) bool { return row >= factor*sdk }}
}

// AtMost demands that the SDK needs at most factor times what the row's
// contender needs.
func AtMost(factor float64) Test {
	return Test{"≤ " + number(factor) + "× of it", func(sdk, row float64) bool { return sdk <= factor*row }}
}

// AtLeast demands that the SDK reaches at least factor times what the row's
// contender reaches.
func AtLeast(factor float64) Test {
	return Test{"≥ " + number(factor) + "× of it", func(sdk, row float64) bool { return sdk >= factor*row }}
}

// MinOrAtLeast demands a value of the SDK, or factor times what the row's contender
// reaches, if the machine does not allow more.
func MinOrAtLeast(value, factor float64) Test {
	return Test{
		"≥ " + number(value) + ", or ≥ " + number(factor) + "× of it",
		func(sdk, row float64) bool { return sdk >= value || sdk >= factor*row },
	}
}

// Within demands that the SDK's value is at most so much more than the row's.
func Within(more float64) Test {
	return Test{"≤ it + " + number(more), func(sdk, row float64) bool { return sdk <= row+more }}
}

// Min demands a value of the SDK's own row.
func Min(value float64) Test {
	return Test{"≥ " + number(value), func(sdk, _ float64) bool { return sdk >= value }}
}

// Max demands a value of the SDK's own row.
func Max(value float64) Test {
	return Test{"≤ " + number(value), func(sdk, _ float64) bool { return sdk <= value }}
}

// Demand puts a demand into the row of contender, unless the run left one of the
// two rows out. It panics if there is no such row at all, which is a mistake of
// the program.
func (rows Rows) Demand(what, unit, contender string, test Test) {
	sdk, row := rows.find(what, unit, SDK), rows.find(what, unit, contender)
	if sdk == nil || row == nil {
		panic(fmt.Sprintf("report: no rows of %s and %s for %q in %q", SDK, contender, what, unit))
	}
	if len(sdk.Values) > 0 && len(row.Values) > 0 {
		row.Demand = &Demand{Text: test.text, Pass: test.pass(sdk.Median(), row.Median())}
	}
}

// Failed lists what is not met, a line each, and says how many demands there are.
func Failed(sections []Section) (failed []string, of int) {
	for _, section := range sections {
		for _, row := range section.Rows {
			if row.Demand == nil {
				continue
			}
			of++
			if !row.Demand.Pass {
				failed = append(failed, fmt.Sprintf("%s, %s, %s, %s: %s",
					section.Title, row.What, row.Unit, row.Contender, row.Demand.Text))
			}
		}
	}
	return failed, of
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
