// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// result is a whole run: what docs/benchmarks.md is made of.
type result struct {
	Date     string
	Machine  machine
	Versions map[string]string // of modules
	Rounds   int
	Sections []report.Section
}

type machine struct {
	CPU, System, Go string
	Cores           int
	Load            string // what else there was to do in the minute before
}

func newResult(rounds int) *result {
	r := &result{
		Date: time.Now().UTC().Format(time.DateOnly), Rounds: rounds, Versions: map[string]string{},
		Machine: machine{
			CPU: processor(), Cores: runtime.NumCPU(),
			System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Load: loadAverage(),
		},
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			r.Versions[dep.Path] = dep.Version
		}
	}
	return r
}

// processor is the model, where the system tells it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	_, after, _ := strings.Cut(string(text), "model name")
	model, _, _ := strings.Cut(strings.TrimLeft(after, "\t :"), "\n")
	return model
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

// The files of a run below the results directory.
const (
	runJSON = "run.json"
	runText = "run.txt" // for benchstat
)

func (r *result) save(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, runJSON), append(data, '\n'), 0o644); err != nil {
		return err
	}
	var lines strings.Builder
	if err := report.WriteBenchfmt(&lines, r.Sections); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, runText), []byte(lines.String()), 0o644)
}

// load reads a run that was kept. What is said about the tables is as it is now.
func load(dir string) (*result, error) {
	data, err := os.ReadFile(filepath.Join(dir, runJSON))
	if err != nil {
		return nil, err
	}
	r := &result{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	for _, now := range tables(nil) {
		for i := range r.Sections {
			if s := &r.Sections[i]; s.Title == now.Title {
				s.Text, s.After = now.Text, now.After
			}
		}
	}
	return r, nil
}
