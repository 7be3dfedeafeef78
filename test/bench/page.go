// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

//go:embed page.md.tmpl
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// The page and its chart below the docs directory.
const (
	pageFile  = "benchmarks.md"
	chartFile = "benchmarks.svg"
)

// Failed lists the demands that are not met.
func (r *result) Failed() []string {
	failed, _ := report.Failed(r.Sections)
	return failed
}

// Demands is how many there are.
func (r *result) Demands() int {
	_, n := report.Failed(r.Sections)
	return n
}

// Client is the version of client-go.
func (r *result) Client() string { return r.distinct(func(c *record) string { return c.Code.Client }) }

// Rounds are how many samples there are of what varies, at most.
func (r *result) Rounds() (most int) {
	for _, kept := range r.Records {
		most = max(most, kept.Rounds)
	}
	return most
}

// Machines are those that were measured on.
func (r *result) Machines() string {
	return r.distinct(func(c *record) string { return c.Machine.String() })
}

// Builds is how many different programs measured.
func (r *result) Builds() int {
	builds := map[string]bool{}
	for _, kept := range r.Records {
		builds[kept.Code.Build] = true
	}
	return len(builds)
}

// distinct lists what records have, each once.
func (r *result) distinct(of func(*record) string) string {
	var all []string
	for _, kept := range r.Records {
		if one := of(kept); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return strings.Join(all, "; ")
}

// Day, Minutes and Cores are a record's cells in the page.
func (r *record) Day() string { return r.Began.Format("2006-01-02 15:04") }

// Minutes is how long it took.
func (r *record) Minutes() string {
	if r.Took == 0 {
		return ""
	}
	return minutes(r.Took)
}

// Cores is how many others used.
func (r *record) Cores() string { return cores(r.Others) }

// render makes the page and its chart.
func (r *result) render() (text, chart []byte, err error) {
	var md bytes.Buffer
	if err := page.Execute(&md, r); err != nil {
		return nil, nil, err
	}
	chart, err = report.Chart("CPU of the whole process, median", "ns, logarithmic", r.charted())
	return md.Bytes(), chart, err
}

// charted are the rows of the chart: the CPU that recorders need.
func (r *result) charted() (rows report.Rows) {
	for _, s := range r.Sections {
		for _, row := range s.Rows {
			if strings.HasPrefix(row.Unit, "CPU ns") && row.Contender != report.Empty && len(row.Values) > 0 {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// runText is the file below the results that benchstat reads.
const runText = "run.txt"

// publish writes the page and its chart, and the lines for benchstat.
func (r *result) publish(docs, results string) error {
	text, chart, err := r.render()
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	if err := report.WriteBenchfmt(&lines, r.Sections); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(docs, pageFile), text, 0o644),
		os.WriteFile(filepath.Join(docs, chartFile), chart, 0o644),
		os.WriteFile(filepath.Join(results, runText), lines.Bytes(), 0o644))
}
