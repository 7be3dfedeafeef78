// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// forReaders says what the SDK's recorders change for the readers of Events that client-go's tools/events recorded.
const forReaders = "repeats of an Event are one Event with a higher count, also after its object has changed; " +
	"up to ten messages under one reason have one each, where client-go kept the first until the object changed; " +
	"and Events that client-go loses arrive: see " +
	"https://github.com/eventseries/eventseries/blob/main/MIGRATING.md#a-project-on-toolsevents"

// verdict says in one line what the edits are good for. If no call of the old API would write events.k8s.io, or no recorder
// is made where there is no such call, -fix writes the edits of code with -force only.
func (m *migration) verdict(outcome *verify.Outcome, nodes map[string]*node, facts *facts) {
	c := m.count(outcome, facts)
	m.report.Refused = len(outcome.Files) > 0 && c.moved == 0 && (c.old > 0 || c.made()+c.wired() == 0)
	var says []string
	switch migrated := c.migrated(); {
	case migrated != "":
		says = append(says, migrated)
	case c.wired() == 0:
		says = append(says, m.state(outcome, nodes))
	}
	if c.wired() > 0 {
		m.note(forReaders)
		says = append(says, c.rewired()...)
	}
	if c.wired() > 0 && m.report.Refused {
		says = append(says, "-from-events moves the recorders of tools/events alone")
	}
	if makers := m.foreign(); len(makers) > 0 {
		says[0] = strings.TrimSuffix(says[0], nothingToDo)
		n := len(makers)
		slices.Sort(makers)
		says = append(says, fmt.Sprintf("%s %s made by %s, and %s through client-go", counted(n, "recorder"), agreed(n, "is", "are"),
			joinSome(slices.Compact(makers)), agreed(n, "records", "record")))
	}
	if c.left > 0 {
		says[0] = strings.TrimSuffix(says[0], nothingToDo)
		says = append(says, fmt.Sprintf("%s %s through tools/record, which -from-events leaves: run without it",
			counted(c.left, "call"), agreed(c.left, "records", "record")))
	}
	if c.elsewhere > 0 {
		says[0] = strings.TrimSuffix(says[0], nothingToDo)
		says = append(says, fmt.Sprintf("%s %s through %s, with a recorder of the old API", counted(c.elsewhere, "other call"),
			agreed(c.elsewhere, "records", "record"), joinSome(c.takers)))
	}
	m.report.Verdict = strings.Join(says, "; ")
	if broken := len(m.broken); broken > 0 { // what makes the recorders may be in them
		m.report.Refused = len(m.report.Files) > 0
		m.report.Verdict = fmt.Sprintf("%s %s one that does not; of the others, %s", counted(broken, "package"),
			agreed(broken, "does not compile, or imports", "do not compile, or import"), m.report.Verdict)
	}
}

// counts are what a verdict tells. Tests do not count.
type counts struct {
	old       int            // calls that record through the old API
	moved     int            // those of them that would write events.k8s.io
	recording int            // calls that record through the events API already, counted if a recorder is wired
	left      int            // calls of the old API that -from-events leaves
	elsewhere int            // calls of functions that record, in the packages of takers
	takers    []string       // packages of other modules that get a recorder of the old API
	edited    map[string]int // places with edits, by their categories
	first     []string       // modules that have to move first
	withdrawn []string       // files that stay as they are
}

// made is how many recorders and broadcasters become new.
func (c *counts) made() int { return c.edited[plan.Manager] + c.edited[plan.Constructor] }

// wired is how many recorders and broadcasters of tools/events become the SDK's.
func (c *counts) wired() int { return c.edited[plan.Wiring] }

// count counts a call as moved if it becomes new, and a recorder that does so may reach it: not if it is only in programs
// whose recorders all stay old, unless a human is asked to finish what makes them.
func (m *migration) count(outcome *verify.Outcome, facts *facts) *counts {
	c := &counts{edited: map[string]int{}}
	for _, finding := range withoutTests(outcome.First) {
		if finding.Rule == plan.Call {
			c.old++
		}
	}
	findings := withoutTests(outcome.Findings)
	asked := slices.ContainsFunc(findings, func(finding analyze.Finding) bool {
		return len(finding.Edits) == 0 && (finding.Rule == plan.Leftover || finding.Rule == plan.Manager)
	})
	for _, finding := range findings {
		switch {
		case finding.Rule == plan.Old:
			c.first = append(c.first, finding.Subject)
		case finding.Rule == plan.Kept && finding.Subject != "":
			c.takers = append(c.takers, finding.Subject)
		case len(finding.Edits) == 0:
			continue
		case finding.Rule == plan.Call && (asked || facts.mayRecord(finding.Place.Filename)):
			c.moved++
		}
		c.edited[finding.Rule]++
	}
	slices.Sort(c.first)
	c.first = slices.Compact(c.first)
	c.countElsewhere(m)
	for _, withdrawal := range outcome.Withdrawn {
		if !load.IsTest(withdrawal.File) {
			c.withdrawn = append(c.withdrawn, filepath.ToSlash(m.relative(withdrawal.File)))
		}
	}
	if c.wired() > 0 {
		c.recording = m.calls(api.HasNewShape)
	}
	if m.options.fromEvents {
		c.left = m.calls(func(fn *types.Func) bool { return api.OldShape(fn) != "" })
	}
	return c
}

// countElsewhere counts the calls that record through a package which gets a recorder of the old API.
func (c *counts) countElsewhere(m *migration) {
	slices.Sort(c.takers)
	c.takers = slices.Compact(c.takers)
	if len(c.takers) == 0 {
		return
	}
	c.elsewhere = m.calls(func(fn *types.Func) bool {
		return fn.Pkg() != nil && slices.Contains(c.takers, fn.Pkg().Path()) && api.RecordsByItself(fn)
	})
}

func withoutTests(findings []analyze.Finding) []analyze.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(finding analyze.Finding) bool {
		return load.IsTest(finding.Place.Filename)
	})
}

// calls counts the calls, outside of tests, of functions for which records returns true.
func (m *migration) calls(records func(*types.Func) bool) (n int) {
	m.eachCall(func(fn *types.Func, _ token.Position) {
		if records(fn) {
			n++
		}
	})
	return n
}

// migrated is the verdict about code of the old API: about its calls, or about its recorders if there is no call. It is
// empty if there are neither.
func (c *counts) migrated() string {
	of := counted(c.old, "recording call") + " would write events.k8s.io"
	first, files := joinSome(c.first), joinSome(c.withdrawn)
	stay := agreed(len(c.withdrawn), "stays as it is", "stay as they are")
	switch {
	case c.old == 0 && c.made() > 0:
		return "no call here records an Event through the old API: " +
			"the recorders that are made are used by other modules, or not at all"
	case c.old == 0 && first != "":
		return "no further call would write events.k8s.io: " + first + " must move first"
	case c.old == 0 && files != "":
		return "no call here records an Event through the old API, and " + files + " " + stay
	case c.old == 0:
		return ""
	case c.moved == 0 && first != "":
		return fmt.Sprintf("0 of %s: %s must move first", of, first)
	case c.moved == 0 && files != "":
		return fmt.Sprintf("0 of %s, because %s %s", of, files, stay)
	case c.moved == 0:
		return fmt.Sprintf("0 of %s: nothing here makes a recorder that does", of)
	case first != "":
		return fmt.Sprintf("%d of %s; those on the recorders of %s, which must move first, would not", c.moved, of, first)
	case c.edited[plan.ToNew] > 0 && files != "":
		return fmt.Sprintf("%d of %s; those on the recorders of %s, which %s, would not", c.moved, of, files, stay)
	default:
		return fmt.Sprintf("%d of %s", c.moved, of)
	}
}

// rewired is the verdict about recorders of tools/events that become the SDK's.
func (c *counts) rewired() (says []string) {
	noun := "recording call"
	if c.old > 0 {
		noun = "other call"
	}
	if c.recording > 0 {
		uses := agreed(c.recording, "uses", "use")
		says = append(says, fmt.Sprintf("%s already %s the events API", counted(c.recording, noun), uses))
	}
	return append(says, counted(c.wired(), "recorder")+" would record through eventseries")
}

// state is the verdict about code that has neither calls nor recorders of the old API, but perhaps types.
func (m *migration) state(outcome *verify.Outcome, nodes map[string]*node) string {
	all := uses{}
	for _, n := range nodes {
		all.add(n.uses)
	}
	verdict := "no call here records an Event"
	switch {
	case len(outcome.Files) > 0:
		return "only types change: no call here records an Event through the old API"
	case all.sdk:
		verdict = "already on the SDK"
	case all.makes || all.clientGo:
		verdict = "already on the events API"
	case m.options.fromEvents:
		verdict = "no call here records through tools/events"
	}
	if len(m.report.Files) > 0 {
		return verdict + ": only RBAC changes"
	}
	return m.finished(verdict)
}
