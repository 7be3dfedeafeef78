// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/machine"
	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// circumstances are what must be the same for figures to be of one run.
type circumstances struct {
	Code    machine.Code
	Machine machine.Machine
	Rounds  int // that were asked for
}

func newCircumstances(rounds int) (*circumstances, error) {
	code, err := machine.ThisCode()
	return &circumstances{Code: code, Machine: machine.This(), Rounds: rounds}, err
}

// sameRun reports whether figures of both may stand side by side. A commit that does
// not change the program does not matter.
func (c *circumstances) sameRun(as *circumstances) bool {
	a, b := *c, *as
	a.Code.Commit, b.Code.Commit = "", ""
	return a == b
}

// record is what was measured of one section. Samples are kept as they are: what is
// said and demanded of them is always that of today.
type record struct {
	Title string
	circumstances
	Began   time.Time
	Took    time.Duration
	Load    string         // average of the minute before
	Others  float64        // cores that other programs used meanwhile, or machine.Unknown
	Samples sample.Samples `json:",omitempty"`
	Whole   report.Section `json:",omitzero"` // of a part without samples
}

// section is the table of the record.
func (r *record) section(p *part) report.Section {
	if p.table != nil {
		return p.table(r.Samples)
	}
	return r.Whole
}

var noName = regexp.MustCompile(`[^a-z0-9]+`)

// path is the file of a part.
func (p *part) path(dir string) string {
	return filepath.Join(dir, strings.Trim(noName.ReplaceAllString(strings.ToLower(p.title), "-"), "-")+".json")
}

func (r *record) save(p *part, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(p.path(dir), append(data, '\n'), 0o644)
}

// load returns what is kept of a part, and nil if nothing is.
func load(p *part, dir string) (*record, error) {
	data, err := os.ReadFile(p.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", p.path(dir), err)
	}
	return r, nil
}

// result is what docs/benchmarks.md is made of.
type result struct {
	Records  []*record
	Sections []report.Section

	parts []*part // of the records
}

func (r *result) add(p *part, kept *record) {
	r.parts = append(r.parts, p)
	r.Records, r.Sections = append(r.Records, kept), append(r.Sections, kept.section(p))
}

// loadAll reads everything that is kept. A part that is missing is an error.
func loadAll(all []part, dir string) (*result, error) {
	r := &result{}
	var missing []error
	for i := range all {
		kept, err := load(&all[i], dir)
		if err != nil {
			return nil, err
		}
		if kept == nil {
			missing = append(missing, fmt.Errorf("not measured yet: %s", all[i].title))
			continue
		}
		r.add(&all[i], kept)
	}
	return r, errors.Join(missing...)
}

// loadAverage is of one minute, where the system tells it.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	load, _, _ := strings.Cut(string(text), " ")
	return load
}
