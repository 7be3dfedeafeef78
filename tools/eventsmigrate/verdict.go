// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
)

// verdict says in one line what the edits are good for. If they change nothing for those who read Events, -fix writes them
// with -force only. Tests do not count.
func (m *migration) verdict(outcome *verify.Outcome, nodes map[string]*node) {
	calls, left, made, broken, makes := 0, 0, 0, 0, false
	for _, program := range m.programs {
		broken = max(broken, len(program.Broken))
	}
	for _, n := range nodes {
		makes = makes || n.uses.makes
	}
	var first []string // modules that have to move first
	for _, finding := range outcome.Findings {
		edited := len(finding.Edits) > 0
		switch {
		case strings.HasSuffix(finding.Place.Filename, "_test.go"):
		case finding.Rule == "old":
			module, _, _ := strings.Cut(strings.TrimPrefix(finding.Message, "still records through core/v1: "), " must move")
			first = append(first, module)
		case finding.Rule == "leftover":
			makes = true // as soon as a human has done what is left
		case finding.Rule == "call" && edited:
			calls++
		case finding.Rule == "call":
			left++
		case edited && (finding.Rule == "manager" || finding.Rule == "constructor"):
			made++
		}
	}
	slices.Sort(first)
	moving := strings.Join(slices.Compact(first), ", ")
	switch {
	case len(first) > 0 && !makes:
		m.report.Refused = len(m.report.Files) > 0
		m.report.Verdict = "would still write core/v1: " + moving + " must move first"
		if calls+left > 0 {
			all := "all"
			if calls+left == 1 {
				all = "it"
			}
			m.report.Verdict = fmt.Sprintf("0 of %s would write events.k8s.io: %s %s",
				counted(calls+left, "recording call"), all, m.report.Verdict)
		}
	case calls+left+made == 0 && makes:
		m.report.Refused = len(m.report.Files) > 0
		m.report.Verdict = "already on the events API: nothing to do; for the SDK change one import: " +
			"k8s.io/client-go/tools/events becomes " + load.SDK + "/clientgo/events"
	case calls+left > 0:
		m.report.Verdict = fmt.Sprintf("%d of %s would write events.k8s.io", calls, counted(calls+left, "recording call"))
		if len(first) > 0 {
			m.report.Verdict += ", except those on the recorders of " + moving + ", which must move first"
		}
	case made > 0:
		m.report.Verdict = "no call here records an Event: the recorders that are made are used by other modules, or not at all"
	}
	if broken > 0 { // what makes the recorders may be in them
		m.report.Refused = len(m.report.Files) > 0
		first := fmt.Sprintf("%d packages do not compile, or import one that does not", broken)
		if broken == 1 {
			first = "1 package does not compile, or imports one that does not"
		}
		m.report.Verdict = strings.TrimSuffix(first+"; of the others, "+m.report.Verdict, "; of the others, ")
	}
}

// counted returns n with a noun, which is in the plural unless n is 1.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
