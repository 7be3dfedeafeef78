// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/bench/internal/machine"
	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// here is where the tests' run is.
var here = circumstances{
	Code: machine.Code{Build: "1", Commit: "a"}, Machine: machine.Machine{CPU: "fast", Cores: 2}, Rounds: 10,
}

// A run goes on with what is kept of the same code, machine and rounds, and says so.
//
// Caught: figures of other code beside new ones; a commit of a text that had everything measured again; -fresh
// without effect; the time that is kept counted as still to come.
func TestPlan(t *testing.T) {
	other := func(change func(*circumstances)) circumstances { c := here; change(&c); return c }
	for _, tt := range []struct {
		name  string
		kept  circumstances
		again bool
		fresh bool
		left  time.Duration
	}{
		{"the same", here, false, true, guess},
		{"another commit", other(func(c *circumstances) { c.Code.Commit = "b" }), false, true, guess},
		{"-fresh", here, true, false, 2*time.Minute + guess},
		{"other code", other(func(c *circumstances) { c.Code.Build = "2" }), false, false, 2*time.Minute + guess},
		{"another machine", other(func(c *circumstances) { c.Machine.Cores = 4 }), false, false, 2*time.Minute + guess},
		{"fewer rounds", other(func(c *circumstances) { c.Rounds = 5 }), false, false, 4*time.Minute + guess},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, all := t.TempDir(), []part{{title: "One"}, {title: "Two, never measured"}}
			keep(t, &all[0], dir, &record{Title: "One", circumstances: tt.kept, Took: 2 * time.Minute})
			p, err := makePlan(all, dir, &here, tt.again)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]bool{tt.fresh, false}, p.fresh); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if got := p.left(0, here.Rounds); got != tt.left {
				t.Errorf("%v left, want %v", got, tt.left)
			}
			var said bytes.Buffer
			p.announce(&said, here.Rounds)
			if want := map[bool]string{true: "1 kept", false: "0 kept"}[tt.fresh]; !strings.Contains(said.String(), want) {
				t.Errorf("said %q, want %q in it", said.String(), want)
			}
		})
	}
}

// Caught: a field that is not kept; samples of a contender with a space or a slash in the name.
func TestRecordIsKept(t *testing.T) {
	dir, p := t.TempDir(), &part{title: "A section, kept"}
	want := &record{
		Title: p.title, circumstances: here, Began: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Took: time.Minute,
		Load: "0.12", Others: 0.5,
		Samples: sample.Samples{
			{Scenario: "Memory", Contender: report.ToolsEvents, Ops: 7, Values: []sample.Value{{Value: 1.5, Unit: "B/op"}}},
			{Scenario: "Repeat/a=b", Contender: report.Empty, Ops: 8, Values: []sample.Value{{Value: 2, Unit: "cpu-ns/op"}}},
		},
		Whole: report.Section{Title: "x", Rows: report.Rows{{What: "w", Demand: &report.Demand{Text: "d", Pass: true}}}},
	}
	if got, err := load(p, dir); got != nil || err != nil {
		t.Errorf("load of nothing: %v, %v", got, err)
	}
	keep(t, p, dir, want)
	got, err := load(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(record{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A part is run if anything of it is asked for.
//
// Caught: -run that played the simulated hours, too; a regular expression of titles that looked at scenarios.
func TestSelected(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"-sections", "storm|Memory"}, []string{"Memory", "A scheduling storm"}},
		{[]string{"-run", "Backlog/by=eventseries"}, []string{"Goroutines"}},
		{[]string{"-run", "Nothing"}, nil},
		{[]string{"-scale", "0.1", "-sections", "node|Memory"}, []string{"Memory"}},
	} {
		o, err := parse(tt.args)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range o.selected() {
			got = append(got, p.title)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.args, diff)
		}
	}
}

// What is measured is kept as soon as it is, and measured no second time, unless -fresh asks for it. The page is of
// whole runs, and of what is kept.
//
// Caught: nothing kept, or what is kept not used; parts of a run kept; -fresh, -sections or -page without effect; a page
// of some sections; the sections of a run without those that were kept before.
func TestRun(t *testing.T) {
	dir, titles := t.TempDir(), []string(nil)
	for _, p := range parts() {
		titles = append(titles, p.title)
	}
	broken := errors.New("broken")
	for _, tt := range []struct {
		args   string
		breaks string // the section whose measurement fails
		want   []string
		page   bool
	}{
		{"-run Memory", "", titles[3:4], false},
		{"-sections ^Memory", "", titles[3:4], false},
		{"", titles[5], slices.Concat(titles[:3], titles[4:6]), false},
		{"-sections ^Memory", "", nil, false},
		{"-scale 0.5 -sections ^Memory", "", titles[3:4], false},
		{"-fresh -sections ^Memory", "", titles[3:4], false},
		{"", "", titles[5:], true},
		{"", "", nil, true},
		{"-page -sections ^Memory", "", nil, true},
		{"-fresh", "", titles, true},
	} {
		docs := t.TempDir()
		o, err := parse(append(strings.Fields(tt.args), "-results", dir, "-docs", docs))
		if err != nil {
			t.Fatal(err)
		}
		var measured []string
		o.measure = func(_ *bench, _ context.Context, p *part, here *circumstances, _ step) (*record, error) {
			measured = append(measured, p.title)
			if p.title == tt.breaks {
				return nil, broken
			}
			return &record{Title: p.title, circumstances: *here, Samples: charted}, nil
		}
		if err := o.do(t.Context()); errors.Is(err, broken) != (tt.breaks != "") || tt.breaks == "" && err != nil {
			t.Errorf("%q: %v", tt.args, err)
		}
		if diff := cmp.Diff(tt.want, measured); diff != "" {
			t.Errorf("%q measured (-want +got):\n%s", tt.args, diff)
		}
		text, err := os.ReadFile(filepath.Join(docs, pageFile))
		if (err == nil) != tt.page {
			t.Errorf("%q: the page: %v, want one: %v", tt.args, err, tt.page)
		}
		for _, title := range titles {
			if tt.page && !strings.Contains(string(text), title) {
				t.Errorf("%q: a page without %q", tt.args, title)
			}
		}
	}
}

// Caught: an estimate that ignored what is done; a plain line for each sample; a terminal that scrolled.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Now()
	p := newProgress(&out)
	p.now = func() time.Time { return now }
	said := func() (text string) { text = out.String(); out.Reset(); return text }
	p.begin("Memory", 40*time.Second, 10*time.Minute)
	p.step(0, 4, "a")
	if got, want := said(), "Memory, 1 of 4, 10.7 min left: a\n"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	now = now.Add(often - time.Second)
	p.step(1, 4, "b")
	if got := said(); got != "" {
		t.Errorf("said %q, too early", got)
	}
	now = now.Add(46 * time.Second)
	p.step(2, 4, "c")
	if got, want := said(), "Memory, 3 of 4, 11.0 min left: c\n"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	p.end(&record{Took: time.Minute, Others: machine.Unknown})
	if got, want := said(), "Memory: took 1.0 min, others used unknown cores; 10.0 min left\n"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	p.terminal = true
	p.step(2, 4, "c")
	p.step(3, 4, "d")
	if got := said(); strings.Contains(got, "\n") || strings.Count(got, "\r") != 2 {
		t.Errorf("said %q, want one line", got)
	}
}
