// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// verdict says in one line what the edits are good for. If no call would write events.k8s.io, and no recorder is made
// for the calls of other modules, -fix writes them with -force only. Tests do not count.
func (m *migration) verdict(outcome *verify.Outcome, nodes map[string]*node, facts *facts) {
	t := m.tally(outcome, facts)
	m.report.Refused = len(m.report.Files) > 0 && t.calls == 0 && (t.all > 0 || t.made == 0)
	m.report.Verdict = t.verdict()
	switch wired := m.wired(outcome); {
	case wired != "" && t.all+len(t.first) == 0:
		m.report.Refused = false
		m.report.Verdict = m.withWired("", wired)
	case wired != "":
		m.report.Refused = false
		m.report.Verdict = m.withWired(m.report.Verdict, wired)
	case t.all+t.made+len(t.first)+len(t.withdrawn) == 0:
		m.report.Verdict = m.already(nodes)
	}
	if old := m.leavesOld(); old != "" {
		m.report.Verdict = strings.TrimSuffix(m.report.Verdict, nothingToDo) + "; " + old
	}
	if broken := len(m.broken); broken > 0 { // what makes the recorders may be in them
		m.report.Refused = len(m.report.Files) > 0
		first := fmt.Sprintf("%d packages do not compile, or import one that does not", broken)
		if broken == 1 {
			first = "1 package does not compile, or imports one that does not"
		}
		m.report.Verdict = first + "; of the others, " + m.report.Verdict
	}
}

// tally is what a verdict counts.
type tally struct {
	all       int      // calls that record through the old API
	calls     int      // those that would write events.k8s.io
	made      int      // recorders and broadcasters that become new
	bridges   int      // recorders that stay old and are handed to new code
	first     []string // modules that have to move first
	withdrawn []string // files that stay as they are
}

// tally counts a call as one that would write events.k8s.io if it becomes new, and a recorder that does so may reach
// it: not if it is only in programs whose recorders all stay old, unless a human is asked to finish what makes them.
func (m *migration) tally(outcome *verify.Outcome, facts *facts) *tally {
	t := &tally{}
	for _, finding := range withoutTests(outcome.First) {
		if finding.Rule == "call" {
			t.all++
		}
	}
	findings := withoutTests(outcome.Findings)
	asked := slices.ContainsFunc(findings, func(finding analyze.Finding) bool {
		return len(finding.Edits) == 0 && (finding.Rule == "leftover" || finding.Rule == "manager")
	})
	for _, finding := range findings {
		edited := len(finding.Edits) > 0
		switch {
		case finding.Rule == "old":
			module, _, _ := strings.Cut(strings.TrimPrefix(finding.Message, "still records through core/v1: "), " must move")
			t.first = append(t.first, module)
		case !edited:
		case finding.Rule == "call" && (asked || facts.mayRecord(finding.Place.Filename)):
			t.calls++
		case finding.Rule == "manager" || finding.Rule == "constructor":
			t.made++
		case finding.Rule == "boundary" && strings.HasSuffix(finding.Message, "legacy.FromLegacy"):
			t.bridges++
		}
	}
	for _, withdrawal := range outcome.Withdrawn {
		if !strings.HasSuffix(withdrawal.File, "_test.go") {
			t.withdrawn = append(t.withdrawn, filepath.ToSlash(m.relative(withdrawal.File)))
		}
	}
	slices.Sort(t.first)
	t.first = slices.Compact(t.first)
	return t
}

func withoutTests(findings []analyze.Finding) []analyze.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(finding analyze.Finding) bool {
		return strings.HasSuffix(finding.Place.Filename, "_test.go")
	})
}

// verdict is that about calls, or about recorders if there is no call.
func (t *tally) verdict() string {
	of := counted(t.all, "recording call") + " would write events.k8s.io"
	moving, files, stay := strings.Join(t.first, ", "), listed(t.withdrawn), "stays as it is"
	if len(t.withdrawn) > 1 {
		stay = "stay as they are"
	}
	switch {
	case t.all == 0 && t.made > 0:
		return "no call here records an Event: the recorders that are made are used by other modules, or not at all"
	case t.all == 0 && len(t.first) > 0:
		return "no further call would write events.k8s.io: " + moving + " must move first"
	case t.all == 0:
		return "no call here records an Event through the old API, and " + files + " " + stay
	case t.calls == 0 && len(t.first) > 0:
		return fmt.Sprintf("0 of %s: %s must move first", of, moving)
	case t.calls == 0 && len(t.withdrawn) > 0:
		return fmt.Sprintf("0 of %s, because %s %s", of, files, stay)
	case t.calls == 0:
		return fmt.Sprintf("0 of %s: nothing here makes a recorder that does", of)
	case len(t.first) > 0:
		return fmt.Sprintf("%d of %s, except those on the recorders of %s, which must move first", t.calls, of, moving)
	case t.bridges > 0 && len(t.withdrawn) > 0:
		return fmt.Sprintf("%d of %s, except those on the recorders of %s, which %s", t.calls, of, files, stay)
	default:
		return fmt.Sprintf("%d of %s", t.calls, of)
	}
}

// leavesOld says how many calls of the old API a run with -from=events leaves, or returns "" if there are none.
func (m *migration) leavesOld() string {
	if m.options.from != fromEvents {
		return ""
	}
	switch old := m.calls(func(fn *types.Func) bool { return api.OldShape(fn) != "" }); old {
	case 0:
		return ""
	case 1:
		return "1 call records through tools/record, which -from=events leaves: run without it"
	default:
		return fmt.Sprintf("%d calls record through tools/record, which -from=events leaves: run without it", old)
	}
}

// already is the verdict about code that has neither calls nor recorders of the old API, but perhaps types.
func (m *migration) already(nodes map[string]*node) string {
	all := uses{}
	for _, n := range nodes {
		all.add(n.uses)
	}
	verdict := "no call here records an Event"
	if m.options.from == fromEvents {
		verdict = "no call here records through tools/events"
	}
	switch {
	case len(m.report.Files) > 0:
		return "only types change: no call here records an Event through the old API"
	case all.sdk:
		verdict = "already on the SDK"
	case all.makes || all.clientGo:
		verdict = "already on the events API"
	}
	return m.finished(verdict)
}

// finished adds to a verdict that nothing is to do, unless something is.
func (m *migration) finished(verdict string) string {
	if m.report.Left() {
		return verdict
	}
	return verdict + nothingToDo
}

// nothingToDo ends a verdict if nothing is left.
const nothingToDo = ": nothing to do"

// mostListed bounds how many files a verdict names.
const mostListed = 3

// listed joins the names of files.
func listed(files []string) string {
	if more := len(files) - mostListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(files[:mostListed], ", "), more)
	}
	return strings.Join(files, ", ")
}

// counted returns n with a noun, which is in the plural unless n is 1.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
