// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// figureLink is a figure that links to the section of benchmarks.md in which it was measured.
var figureLink = regexp.MustCompile(`\[([\d.,]+)\]\(benchmarks\.md#([a-z0-9-]+)\)`)

// The figures of comparison.md are the figures of benchmarks.md, which is written from the results of the newest runs.
// A row of the table has the figures of one row of the section that it links to, in the columns of the same names.
//
// Caught: two rows with the figures of an earlier run; two columns that were swapped; a figure of another section.
func TestComparisonHasTheNewestFigures(t *testing.T) {
	atRoot(t)
	const page = "docs/evidence/comparison.md"
	sections := measuredIn(text(t, "docs/evidence/benchmarks.md"))
	contenders := []string{"eventseries", "tools/events", "tools/record"}
	found := 0
	for line := range strings.Lines(text(t, page)) {
		for _, link := range figureLink.FindAllStringSubmatch(line, -1) {
			found++
			figure, anchor := link[1], link[2]
			want := []string{figure}
			if cells := cellsOf(line); len(cells) == 1+len(contenders) {
				want = cells[1:]
			}
			isMeasured := func(row map[string]string) bool {
				for i, figure := range want {
					if row[contenders[i]] != figure {
						return false
					}
				}
				return true
			}
			if !slices.ContainsFunc(sections[anchor], isMeasured) {
				t.Errorf("%s: the section %s of benchmarks.md has no row with %v", page, anchor, want)
			}
		}
	}
	if found < 10 {
		t.Errorf("%s links to %d figures, want all of its table", page, found)
	}
}

// measuredIn returns the rows of the tables of benchmarks.md by the anchors of their sections. A row has the figures by
// the names of the columns, without their confidence intervals.
func measuredIn(page string) map[string][]map[string]string {
	sections := map[string][]map[string]string{}
	anchor := ""
	var columns []string
	for line := range strings.Lines(page) {
		if match := heading.FindStringSubmatch(strings.TrimSpace(line)); match != nil {
			anchor = slugOf(match[1])
		}
		cells := cellsOf(line)
		switch {
		case cells == nil:
			columns = nil
		case columns == nil:
			columns = cells
		default:
			row := map[string]string{}
			for i, column := range columns {
				row[column] = cells[i]
			}
			sections[anchor] = append(sections[anchor], row)
		}
	}
	return sections
}

// cellsOf returns the figures in the cells of a line, or nil if it is no row of a table.
func cellsOf(line string) []string {
	row, isRow := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !isRow {
		return nil
	}
	cells := strings.Split(strings.TrimSuffix(row, "|"), "|")
	for i, cell := range cells {
		cell = figureLink.ReplaceAllString(strings.ReplaceAll(cell, "*", ""), "$1")
		cell, _, _ = strings.Cut(cell, "±")
		cells[i] = strings.Trim(cell, " ~")
	}
	return cells
}
