// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"cmp"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sections returns the text below each heading of a page, by the heading's anchor.
func sections(t testing.TB, page string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, section := range strings.Split("\n"+read(t, page), "\n#")[1:] {
		heading, text, _ := strings.Cut(strings.TrimLeft(section, "# "), "\n")
		anchor := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading), "")
		all[strings.ReplaceAll(anchor, " ", "-")] += text
	}
	return all
}

// rowsOf returns the cells of a section's tables.
func rowsOf(section string) (rows [][]string) {
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

var (
	figure = regexp.MustCompile(`\[([^\]]*[0-9][^\]]*)\]\(((?:[\w./]+/)?(?:benchmarks|scale|reliability)\.md)#([^)]+)\)`)
	number = regexp.MustCompile(`[0-9](?:[0-9.,]*[0-9])?`)
)

// A figure in a page is a link to the section that has it, in the same words or as a cell of a table.
//
// Caught: 21 minutes that became 20, as in ± 20%; a figure of another section.
func TestFiguresStandWhereTheyAreFrom(t *testing.T) {
	found := 0
	for _, page := range pages(t) {
		for _, match := range figure.FindAllStringSubmatch(read(t, page), -1) {
			section := sections(t, path.Join(path.Dir(page), match[2]))[match[3]]
			cells := slices.Concat(rowsOf(section)...)
			for i, cell := range cells {
				cells[i] = plain(cell)
			}
			for _, n := range number.FindAllString(match[1], -1) {
				found++
				if !slices.Contains(cells, match[1]) && !slices.Contains(cells, n) && !strings.Contains(section, " "+match[1]+" ") {
					t.Errorf("%s: %s is not in %s#%s", page, match[1], match[2], match[3])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no page has a figure")
	}
}

// contenders has the rows of a measurement, in the order of the comparison's columns.
var contenders = []string{"eventseries", "tools/events", "tools/record"}

// measure is a row of the comparison: the place of its figures, and whether more is better.
type measure struct {
	text, page, anchor string // the page is beside the comparison
	what               string // of a row
	more               bool
}

// row quotes the figures, of which the SDK's is a link to their section. The best one is bold, unless the page says that
// the difference may be chance.
func (m measure) row(t *testing.T) []string {
	t.Helper()
	var cells []string
	chance := false
	for _, contender := range contenders {
		value, mayBe := m.find(t, contender)
		cells, chance = append(cells, value), chance || mayBe
	}
	best := slices.MinFunc(cells, func(a, b string) int {
		if m.more {
			a, b = b, a
		}
		return cmp.Compare(amount(a), amount(b))
	})
	for i, cell := range cells {
		bold := amount(cell) == amount(best) && !chance
		if i == 0 {
			cells[i] = "[" + cell + "](" + m.page + ".md#" + m.anchor + ")"
		}
		if bold {
			cells[i] = "**" + cells[i] + "**"
		}
	}
	return append([]string{m.text}, cells...)
}

// plain is a figure without its confidence interval and the mark of what may be chance.
func plain(cell string) string {
	value, _, _ := strings.Cut(strings.TrimSuffix(cell, "~"), "±")
	return value
}

// find returns the contender's figure.
func (m measure) find(t *testing.T, contender string) (value string, chance bool) {
	t.Helper()
	column := -1
	for _, row := range rowsOf(sections(t, "evidence/"+m.page+".md")[m.anchor]) {
		if row[0] == "" {
			column = slices.Index(row, contender)
		}
		if row[0] == m.what && column > 0 {
			return plain(row[column]), strings.HasSuffix(row[column], "~")
		}
	}
	t.Errorf("evidence/%s.md#%s has no %q of %s", m.page, m.anchor, m.what, contender)
	return "", false
}

// amount returns the number in a figure. Of a median and a p99 it is the p99.
func amount(figure string) float64 {
	parts := strings.Split(figure, ", ")
	last := parts[len(parts)-1]
	if d, err := time.ParseDuration(last); err == nil {
		return d.Seconds()
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(number.FindString(last), ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}
