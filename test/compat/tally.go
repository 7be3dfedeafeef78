// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// suite is what came of one run of go test. Subtests are not counted.
type suite struct {
	Name     string   `json:"name"`
	Passed   int      `json:"passed"`
	Failed   int      `json:"failed"`
	Skipped  int      `json:"skipped"`
	Failures []string `json:"failures,omitempty"`
}

func (s suite) String() string {
	text := fmt.Sprintf("%d passed", s.Passed)
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	if s.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Skipped)
	}
	return text
}

// tally reads what go test -json writes.
type tally struct {
	suite    suite
	failures bytes.Buffer // what failed tests printed
	rest     []byte       // of a line
	printed  map[string]*bytes.Buffer
	failed   map[string]bool // packages with a failed test
}

func newTally(name string) *tally {
	return &tally{suite: suite{Name: name}, printed: map[string]*bytes.Buffer{}, failed: map[string]bool{}}
}

// event is a line of go test -json.
type event struct{ Action, Package, Test, Output string }

// Write takes any part of the output.
func (t *tally) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		line, rest, found := bytes.Cut(t.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		t.rest = slices.Clone(rest)
		var e event
		if json.Unmarshal(line, &e) == nil { // else it is go's own, and stands on stderr too
			t.take(e)
		}
	}
}

func (t *tally) take(e event) {
	test, _, inner := strings.Cut(e.Test, "/")
	key := e.Package + "." + test
	switch {
	case e.Action == "output":
		if t.printed[key] == nil {
			t.printed[key] = &bytes.Buffer{}
		}
		t.printed[key].WriteString(e.Output)
	case inner:
	case test == "":
		t.takePackage(e, key)
	case e.Action == "pass":
		t.suite.Passed++
		delete(t.printed, key)
	case e.Action == "skip":
		t.suite.Skipped++
		delete(t.printed, key)
	case e.Action == "fail":
		t.failed[e.Package] = true
		t.fail(key)
	}
}

// takePackage counts a package that fails without a test that does: it was not built, or leaks a goroutine.
func (t *tally) takePackage(e event, key string) {
	if e.Action == "fail" && !t.failed[e.Package] {
		t.fail(key)
	}
}

func (t *tally) fail(key string) {
	t.suite.Failed++
	t.suite.Failures = append(t.suite.Failures, strings.TrimSuffix(key, "."))
	if printed := t.printed[key]; printed != nil {
		t.failures.Write(printed.Bytes())
	}
}
