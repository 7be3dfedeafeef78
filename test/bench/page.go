// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	_ "embed"
	"os"
	"path/filepath"
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
func (r *result) Client() string { return r.Versions["k8s.io/client-go"] }

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

// publish writes the page and its chart.
func (r *result) publish(dir string) error {
	text, chart, err := r.render()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, pageFile), text, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, chartFile), chart, 0o644)
}
