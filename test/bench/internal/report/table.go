// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"
)

var header = []string{"what", "unit", "contender", "median", "±", "of " + SDK, "p", "demand"}

// cells are the table's lines. What and unit stand in the first of the rows that
// belong together.
func (rows Rows) cells() (lines [][]string) {
	var what, unit string
	for i := range rows {
		r := &rows[i]
		if len(r.Values) == 0 {
			continue
		}
		line := []string{"", "", r.Contender, amount(r.Median()), r.spread()}
		if r.What != what || r.Unit != unit {
			what, unit = r.What, r.Unit
			line[0], line[1] = what, unit
		}
		ratio, p := r.against(rows.find(r.What, r.Unit, SDK))
		lines = append(lines, append(line, ratio, p, r.Demand.String()))
	}
	return lines
}

// String is the demand with its verdict.
func (d *Demand) String() string {
	switch {
	case d == nil:
		return ""
	case d.Pass:
		return d.Text + ": pass"
	}
	return d.Text + ": FAIL"
}

// spread is the confidence interval of the median.
func (r *Row) spread() string {
	if len(r.Values) < 2 || r.Median() == 0 || slices.Min(r.Values) == slices.Max(r.Values) {
		return ""
	}
	return r.summary().PctRangeString()
}

// against is how many times the SDK's median the row has, and how likely such a
// difference is by chance.
func (r *Row) against(sdk *Row) (ratio, p string) {
	if sdk == nil || sdk.Contender == r.Contender || len(sdk.Values) == 0 || sdk.Median() == 0 {
		return "", ""
	}
	ratio = amount(r.Median()/sdk.Median()) + "×"
	if len(r.Values) < 2 || len(sdk.Values) < 2 {
		return ratio, ""
	}
	c := benchmath.AssumeNothing.Compare(sdk.sample(), r.sample())
	if p = fmt.Sprintf("%.3f", c.P); c.P > c.Alpha {
		p += " (chance)"
	}
	return ratio, p
}

// amount is a value with three significant digits, and whole where it is a
// thousand or more.
func amount(v float64) string {
	switch size := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "–"
	case v == math.Trunc(v) || size >= 100:
		return grouped(int64(math.Round(v)))
	case size >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// Grouped separates the thousands of a number.
func Grouped(n int) string { return grouped(int64(n)) }

// grouped separates thousands.
func grouped(n int64) string {
	if n < 0 {
		return "-" + grouped(-n)
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// WriteText writes all sections as one table for a terminal.
func WriteText(w io.Writer, sections []Section) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(header, "\t"))
	for _, s := range sections {
		lines := s.Rows.cells()
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(t, "\n%s\n", s.Title)
		for _, line := range lines {
			fmt.Fprintln(t, strings.Join(line, "\t"))
		}
	}
	return t.Flush()
}

// Markdown is the section's table with its notes.
func (rows Rows) Markdown() string {
	var b strings.Builder
	write := func(line []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(line, " | ")) }
	write(header)
	b.WriteString("|---|---|---|--:|--:|--:|--:|---|\n")
	for _, line := range rows.cells() {
		write(line)
	}
	for _, r := range rows {
		if r.Note != "" && len(r.Values) > 0 {
			fmt.Fprintf(&b, "\n* %s, %s: %s", r.Contender, r.What, r.Note)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
