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

// render makes the page and its charts, by the names of their files.
func (r *result) render() (map[string][]byte, error) {
	var md bytes.Buffer
	if err := page.Execute(&md, r); err != nil {
		return nil, err
	}
	chart, err := report.Chart("CPU of the whole process, median", "ns, logarithmic", r.charted())
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{pageFile: md.Bytes(), chartFile: chart}
	for i, p := range r.parts {
		if p.picture == nil {
			continue
		}
		if files[p.picture.file], err = p.picture.draw(r.Records[i].Samples); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// charted are the rows of the chart: the CPU that recorders need.
func (r *result) charted() (rows report.Rows) {
	for i, s := range r.Sections {
		if r.parts[i].few {
			continue // has too many rows, or a chart of its own
		}
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
	files, err := r.render()
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	if err := report.WriteBenchfmt(&lines, r.Sections); err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(results, runText), lines.Bytes(), 0o644)
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(docs, name), text, 0o644))
	}
	return err
}
