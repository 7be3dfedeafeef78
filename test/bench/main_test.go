// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// A page of what is kept is written without measuring; a demand that is not met
// is an error with -strict only.
//
// Caught: -strict without effect; a partial run that wrote a page.
func TestRender(t *testing.T) {
	dir := t.TempDir()
	r := newResult(1)
	r.Sections = []report.Section{{Title: "A repeat", Rows: report.Rows{
		{What: "w", Unit: cpuPerCall, Contender: report.SDK, Values: []float64{10}},
		{What: "w", Unit: cpuPerCall, Contender: report.Floor, Values: []float64{1}},
	}}}
	r.Sections[0].Rows.Demand("w", cpuPerCall, report.Floor, report.AtMost(2))
	if err := r.save(dir); err != nil {
		t.Fatal(err)
	}
	args := []string{"-render", "-results", dir, "-docs", dir}
	if err := run(t.Context(), args); err != nil {
		t.Errorf("run(%q) = %v", args, err)
	}
	for _, file := range []string{runJSON, runText, pageFile, chartFile} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	if err := run(t.Context(), append(args, "-strict")); !errors.Is(err, errDemands) {
		t.Errorf("with -strict: %v, want %v", err, errDemands)
	}
}

func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		whole bool
	}{
		{nil, true}, {[]string{"-rounds", "3"}, true}, {[]string{"-strict"}, true},
		{[]string{"-run", "Repeat"}, false}, {[]string{"-scale", "0.1"}, false},
		{[]string{"-real=false"}, false}, {[]string{"-counts=false"}, false},
	} {
		o, err := parse(tt.args)
		if err != nil || o.whole() != tt.whole {
			t.Errorf("%q: whole %v, %v, want %v", tt.args, o.whole(), err, tt.whole)
		}
	}
	if _, err := parse([]string{"-run", "("}); err == nil {
		t.Error("-run takes what is no regular expression")
	}
	if err := run(t.Context(), []string{"-h"}); err != nil && !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
	for _, wrong := range []string{"Repeat", "Nothing by floor", "Memory by nobody"} {
		if err := run(t.Context(), []string{"-sample", wrong}); err == nil {
			t.Errorf("-sample %q was taken", wrong)
		}
	}
}
