// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowsOf returns the rows that are tagged with rule, or all rows.
func rowsOf(rule string) []Row {
	var all []Row
	for _, file := range Load() {
		for _, scene := range file.Scenes {
			for _, row := range scene.Rows {
				if rule == "" || slices.Contains(row.Rules, rule) {
					all = append(all, row)
				}
			}
		}
	}
	return all
}

// Every rule is broken by some row, in each way that the rule names, and kept by another; and no row is tagged with a
// rule that nobody knows. Caught: L6 without the rows of an empty instance; a row tagged L11.
func TestEveryRuleIsCovered(t *testing.T) {
	known := map[string]bool{}
	for _, rule := range rules {
		known[rule.number] = true
		rows := rowsOf(rule.number)
		for _, refusal := range rule.refusals {
			refuses := func(row Row) bool {
				return !accepted(row) && slices.ContainsFunc(words(row.Answer), func(word string) bool {
					return strings.HasPrefix(word, refusal)
				})
			}
			if !slices.ContainsFunc(rows, refuses) {
				t.Errorf("%s (%s): no row is refused with %s", rule.number, rule.text, refusal)
			}
		}
		if !rule.noneAccepted && !slices.ContainsFunc(rows, accepted) {
			t.Errorf("%s (%s): no row is accepted", rule.number, rule.text)
		}
	}
	for _, row := range rowsOf("") {
		for _, number := range row.Rules {
			if !known[number] {
				t.Errorf("%d: %s: no rule %s", row.Line, row.Request, number)
			}
		}
	}
}

// words are the status and the causes of an answer, so that a cause is not found within another one.
func words(answer string) []string {
	all := strings.Split(answer, " ")
	for i := range all {
		if i+1 < len(all) {
			all = append(all, all[i]+" "+all[i+1])
		}
	}
	return append(all, answer)
}

func accepted(row Row) bool { return strings.HasPrefix(row.Answer, "ok") }

// The rules for every Event are broken through both groups, by what creates and by what changes. Caught: L2 without the
// patch through events.k8s.io/v1.
func TestRulesOfEveryEventAreBrokenThroughBothGroups(t *testing.T) {
	for _, number := range []string{"L1", "L2", "L3", "L5", "L6", "L7", "L8", "L9"} {
		broken := map[string]bool{}
		for _, row := range rowsOf(number) {
			if accepted(row) {
				continue
			}
			r := read(row.Request, strings.NewReplacer())
			group, _, _ := strings.Cut(r.group, "/")
			broken[r.verb+" "+group] = true
		}
		for _, way := range []string{"create events", "create core", "patch events", "patch core", "update core"} {
			if !broken[way] {
				t.Errorf("%s: no row with %s breaks it", number, way)
			}
		}
	}
}

// Caught: an answer that was deleted; "kit:" with the answer that the server gives.
func TestEveryRowHasAnAnswer(t *testing.T) {
	rows := rowsOf("")
	if len(rows) < 200 {
		t.Errorf("%d rows, want some two hundred at least", len(rows))
	}
	for _, row := range rows {
		if row.Answer == "" || row.Answer == row.Kit || strings.Contains(row.Answer, "no more") {
			t.Errorf("%d: %s: answer %q, kit %q", row.Line, row.Request, row.Answer, row.Kit)
		}
	}
}

// Format is what -update writes. Caught: two blank lines between scenes; a kit line before its answer.
func TestFilesAreFormatted(t *testing.T) {
	for _, file := range Load() {
		text, err := files.ReadFile("table/" + file.Name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), file.Format()); diff != "" {
			t.Errorf("%s (-file +formatted):\n%s", file.Name, diff)
		}
	}
}

// Caught: a second answer in the place of the first.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"L1", "    ok", "L1 get core\n    ok\n    ok"} {
		if scenes, err := parse(text); err == nil {
			t.Errorf("parse(%q) = %v, want an error", text, scenes)
		}
	}
}

// Caught: the first byte repeated for the text.
func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"<3*x>": "xxx", "a<2*é>b<1*€>": "aééb€", "<x*3>": "<x*3>", "<2*example.>": "example.example.", "": "",
	} {
		if got := expand(text); got != want {
			t.Errorf("expand(%q) = %q, want %q", text, got, want)
		}
	}
}

// Caught: names that were not generated, abbreviated.
func TestAbbreviated(t *testing.T) {
	for _, r := range []struct {
		answer    string
		generated bool
		want      string
	}{
		{"422 Invalid Event/Bad_46spx metadata.name:X", true, "422 Invalid Event/Bad_????? metadata.name:X"},
		{"409 AlreadyExists events/$name", false, "409 AlreadyExists events/$name"},
		{"404 NotFound events/" + strings.Repeat("x", 254), false, "404 NotFound events/<254*x>"},
	} {
		if got := abbreviated(r.answer, r.generated); got != r.want {
			t.Errorf("abbreviated(%q) = %q, want %q", r.answer, got, r.want)
		}
	}
}
