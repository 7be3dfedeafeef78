// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A page of facts has tables without demands. The last column of each says whether the row is measured, simulated or
// projected. A figure is a sum of results, such as "2000 × Unit/impl=*/unit=pod requests + Large/impl=*/part=all
// writes", in which "*" stands for the column.

// facts begins a table.
func (p *page) facts(columns ...string) string {
	p.columns = columns
	rule := "\n|---|" + strings.Repeat("--:|", len(columns)) + "---|"
	return line(append(append([]string{""}, columns...), "mark")) + rule
}

// fact is a line with a figure for each column.
func (p *page) fact(mark, label, figure string) (string, error) {
	cells := []string{label}
	for _, column := range p.columns {
		value, err := p.total(column, figure)
		if err != nil {
			return "", err
		}
		cell := amount(value)
		if strings.HasSuffix(figure, "-seconds") {
			cell = short(time.Duration(value * float64(time.Second)))
		}
		cells = append(cells, cell)
	}
	return line(append(cells, mark)), nil
}

// total is a figure of one column.
func (p *page) total(column, figure string) (sum float64, err error) {
	for term := range strings.SplitSeq(figure, " + ") {
		product := 1.0
		factors := strings.Split(term, " × ")
		for _, factor := range factors[:len(factors)-1] {
			f, err := strconv.ParseFloat(factor, 64)
			if err != nil {
				return 0, fmt.Errorf("factor of %q: %w", figure, err)
			}
			product *= f
		}
		key := strings.ReplaceAll(factors[len(factors)-1], "*", slug(column))
		values := p.results.values[key]
		if len(values) == 0 {
			return 0, fmt.Errorf("no results of %q", key)
		}
		sum += product * median(values)
	}
	return sum, nil
}

// reproduced is the largest difference from a public figure with which the model reproduces it.
const reproduced = 0.25

// compare is a line with a public figure, and that of the model.
func (p *page) compare(label string, public float64, figure string) (string, error) {
	model, err := p.total("", figure)
	if err != nil {
		return "", err
	}
	difference := model/public - 1
	p.Compared++
	verdict := "no"
	if math.Abs(difference) <= reproduced {
		p.Reproduced++
		verdict = "yes"
	}
	return line([]string{label, amount(public), amount(model), fmt.Sprintf("%+.0f %%", 100*difference), verdict}), nil
}

// spread says by how many percent the largest of some figures is above the smallest, in the column in which it is most.
func (p *page) spread(figures ...string) (string, error) {
	most := 0.0
	for _, column := range p.columns {
		low, high := math.Inf(1), 0.0
		for _, figure := range figures {
			value, err := p.total(column, figure)
			if err != nil {
				return "", err
			}
			low, high = min(low, value), max(high, value)
		}
		most = max(most, high/low-1)
	}
	return strconv.FormatFloat(100*most, 'f', 1, 64), nil
}

// migrated is a table of the writes that a stored occurrence takes, before and after a migration.
func (p *page) migrated() (string, error) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "evidence", "kubernetes.md"))
	if err != nil {
		return "", err
	}
	rows, err := readMigration(string(text))
	if err != nil {
		return "", fmt.Errorf("kubernetes.md: %w", err)
	}
	table := "| before→after | writes | occurrences stored | writes for each | mark |\n|---|--:|--:|--:|---|"
	for _, row := range rows {
		writes, stored := row.writes, row.stored
		table += "\n" + line([]string{
			row.component,
			amount(writes[0]) + "→" + amount(writes[1]),
			amount(stored[0]) + "→" + amount(stored[1]),
			amount(writes[0]/stored[0]) + "→" + amount(writes[1]/stored[1]),
			"measured",
		})
	}
	return table, nil
}

// migration is a row of the first table of kubernetes.md, with a figure before and one after the migration.
type migration struct {
	component      string
	writes, stored [2]float64
}

// readMigration reads the first table of kubernetes.md.
func readMigration(page string) (rows []migration, err error) {
	_, table, _ := strings.Cut(page, "\n| before→after |")
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split("before→after |"+table, "\n")
	columns := cellsOf(lines[0])
	for _, text := range lines[min(2, len(lines)):] {
		row := migration{component: cellsOf(text)[0]}
		for i, cell := range cellsOf(text) {
			before, after, _ := strings.Cut(cell, "→")
			for side, number := range []string{before, after} {
				switch columns[i] {
				case "writes":
					row.writes[side], err = strconv.ParseFloat(number, 64)
				case "occurrences", "lost":
					var n float64
					n, err = strconv.ParseFloat(number, 64)
					if columns[i] == "lost" {
						n = -n
					}
					row.stored[side] += n
				}
				if err != nil {
					return nil, fmt.Errorf("column %s of %s: %w", columns[i], row.component, err)
				}
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, errors.New("no table begins with before→after")
	}
	return rows, nil
}

// cellsOf splits a line of a table.
func cellsOf(line string) []string {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
