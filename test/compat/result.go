// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// result is what came of a row.
type result struct {
	Row     string  `json:"row"`
	Version string  `json:"version"`
	Go      string  `json:"go"`
	Date    string  `json:"date"`
	Error   string  `json:"error,omitempty"` // what kept the row from being whole
	Suites  []suite `json:"suites"`
}

// The suites of rows.
const (
	suiteSDK     = "the SDK's tests"
	suiteDropin  = "drop-in"
	suiteContrib = "contrib"
	suiteE2E     = "end to end"
)

const resultsFile = "results.json"

func newResult(r row) *result {
	return &result{Row: r.name(), Go: runtime.Version(), Date: time.Now().UTC().Format(time.DateOnly)}
}

func (r *result) failed() bool {
	return r.Error != "" || slices.ContainsFunc(r.Suites, func(s suite) bool { return s.Failed > 0 })
}

// add adds a suite, to that of the same name if there is one.
func (r *result) add(more suite) {
	i := slices.IndexFunc(r.Suites, func(s suite) bool { return s.Name == more.Name })
	if i < 0 {
		r.Suites = append(r.Suites, more)
		return
	}
	s := &r.Suites[i]
	s.Passed, s.Failed, s.Skipped = s.Passed+more.Passed, s.Failed+more.Failed, s.Skipped+more.Skipped
	s.Failures = append(s.Failures, more.Failures...)
}

// summary is what failed, on one line.
func (r *result) summary() string {
	first, _, _ := strings.Cut(r.Error, "\n")
	failures := []string{first}
	for _, s := range r.Suites {
		failures = append(failures, s.Failures...)
	}
	return strings.TrimPrefix(strings.Join(failures, " "), " ")
}

func load() ([]result, error) {
	text, err := os.ReadFile(resultsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var results []result
	if err == nil {
		err = json.Unmarshal(text, &results)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", resultsFile, err)
	}
	return results, nil
}

// keep puts a result in the place of the row's last one, in the order of rows, and into VERSIONING.md.
func keep(r *result) error {
	results, err := load()
	if err != nil {
		return err
	}
	results = slices.DeleteFunc(results, func(old result) bool { return old.Row == r.Row })
	results = append(results, *r)
	slices.SortFunc(results, func(a, b result) int { return place(a.Row) - place(b.Row) })
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(resultsFile, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return publish()
}

func place(name string) int {
	return slices.IndexFunc(rows, func(r row) bool { return r.name() == name })
}
