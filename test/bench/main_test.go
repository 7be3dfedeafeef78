// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// A page of what is kept is written without measuring; a demand that is not met
// is an error with -strict only.
//
// Caught: -strict without effect; a page of a run that is not complete.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	all := parts()
	for i := range all[1:] {
		keep(t, &all[i+1], dir, &record{Title: all[i+1].title})
	}
	args := []string{"-page", "-results", dir, "-docs", dir}
	if err := run(t.Context(), args); err == nil || !strings.Contains(err.Error(), all[0].title) {
		t.Errorf("run(%q) = %v, want that %q is missing", args, err, all[0].title)
	}
	keep(t, &all[0], dir, &record{Title: all[0].title, Samples: charted})
	if err := run(t.Context(), args); err != nil {
		t.Errorf("run(%q) = %v", args, err)
	}
	for _, file := range []string{runText, pageFile, chartFile} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	if err := run(t.Context(), append(args, "-strict")); !errors.Is(err, errDemands) {
		t.Errorf("with -strict: %v, want %v", err, errDemands)
	}
}

// charted are the least samples that there is a chart of.
var charted = sample.Samples{
	{Scenario: "Repeat/series=1/args=no", Contender: report.SDK, Values: []sample.Value{{Value: 10, Unit: "cpu-ns/op"}}},
	{Scenario: "Repeat/series=1/args=no", Contender: report.Floor, Values: []sample.Value{{Value: 1, Unit: "cpu-ns/op"}}},
}

func keep(t *testing.T, p *part, dir string, r *record) {
	t.Helper()
	if err := r.save(p, dir); err != nil {
		t.Fatal(err)
	}
}

func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		whole bool
	}{
		{nil, true}, {[]string{"-rounds", "3"}, true}, {[]string{"-strict"}, true},
		{[]string{"-run", "Repeat"}, false}, {[]string{"-scale", "0.1"}, false},
		{[]string{"-sections", "Memory"}, false},
	} {
		o, err := parse(tt.args)
		if err != nil || o.whole() != tt.whole {
			t.Errorf("%q: whole %v, %v, want %v", tt.args, o.whole(), err, tt.whole)
		}
	}
	for _, wrong := range [][]string{{"-run", "("}, {"-sections", "("}, {"-rounds", "0"}} {
		if _, err := parse(wrong); err == nil {
			t.Errorf("%q was taken", wrong)
		}
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
