// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package changelog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = `# Changelog

## [Unreleased]

### Fixed

- 'sinks': a fix.

## [0.2.0] - 2026-12-01

### Changed

- ⚠ 'events': 'Broadcaster.Start' takes a context, and returns
  what 'Check' returned.
- 'legacy': a new option.

## [0.1.0] - 2026-11-21

- First.
`

// Caught: a second line of an entry that is dropped; a heading read as an entry.
func TestParse(t *testing.T) {
	got, err := parse(example)
	if err != nil {
		t.Fatal(err)
	}
	want := Changelog{
		{Version: Unreleased, Entries: []string{"'sinks': a fix."}},
		{Version: "v0.2.0", Date: "2026-12-01", Entries: []string{
			"⚠ 'events': 'Broadcaster.Start' takes a context, and returns what 'Check' returned.",
			"'legacy': a new option.",
		}},
		{Version: "v0.1.0", Date: "2026-11-21", Entries: []string{"First."}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Caught: a date that is not looked at; a heading without brackets that is skipped.
func TestParseRefuses(t *testing.T) {
	for name, content := range map[string]string{
		"\"0.1\" is no semantic version":               "## [0.1] - 2026-11-21",
		"version 0.1.0 has the date \"\"":              "## [0.1.0]",
		"version 0.1.0 has the date \"soon\"":          "## [0.1.0] - soon",
		"\"## 0.1.0 - 2026-11-21\" is no heading like": "## 0.1.0 - 2026-11-21",
	} {
		if _, err := parse("# Changelog\n\n" + content); err == nil || !strings.Contains(err.Error(), "line 3: "+name) {
			t.Errorf("%q: got %v, want %s", content, err, name)
		}
	}
}

// Caught: the section of the release itself among those since it.
func TestSince(t *testing.T) {
	c, err := parse(example)
	if err != nil {
		t.Fatal(err)
	}
	for base, want := range map[string]int{"": 3, "v0.0.1": 3, "v0.1.0": 2, "v0.1.5": 2, "v0.2.0": 1} {
		if got := len(c.Since(base)); got != want {
			t.Errorf("since %s: %d sections, want %d", base, got, want)
		}
	}
	if got := c.Next(); got != "v0.2.0" {
		t.Errorf("next is %s", got)
	}
}

// Caught: words that are found within others; entries without the mark.
func TestWarns(t *testing.T) {
	c, err := parse(example)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		words []string
		want  bool
	}{
		{[]string{"events", "Broadcaster.Start"}, true},
		{[]string{"events", "Check"}, true},
		{[]string{"events", "Broadcaster.Star"}, false},
		{[]string{"event", "Broadcaster.Start"}, false},
		{[]string{"legacy"}, false},
	} {
		if got := c.Warns(test.words...); got != test.want {
			t.Errorf("%q: %t", test.words, got)
		}
	}
}
