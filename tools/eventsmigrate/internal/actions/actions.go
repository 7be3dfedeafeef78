// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package actions has the action for reasons that Kubernetes' own components record. docs/actions.md is the guide to
// actions, and leads to the table.
package actions

import (
	_ "embed" // of the table and the verbs
	"regexp"
	"slices"
	"strings"
)

// Row has reasons that a component records about a kind of object while it does one thing.
type Row struct {
	By        string // the component or controller
	Action    string
	Regarding string
	Related   string // "" if there is no related object
	Reasons   string // separated by spaces

	Own  bool // the component records through events.k8s.io/v1, and this is its own action
	Here bool // elsewhere these reasons may be about something else, so Of does not know them
}

//go:embed table.txt
var table string

// Table has the rows of table.txt.
var Table = parse(table)

func parse(text string) (rows []Row) {
	for line := range strings.Lines(text) {
		if line == "\n" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, Row{
			By: cells[0], Reasons: cells[1], Action: cells[2], Regarding: cells[3], Related: cells[4],
			Own: strings.Contains(cells[5], "own"), Here: strings.Contains(cells[5], "here"),
		})
	}
	return rows
}

// Of returns the actions of a reason, whatever component records it: one, or several if the action depends on the call,
// or none if the reason is not known.
func Of(reason string) []string {
	var actions []string
	for _, row := range Table {
		if !row.Here && slices.Contains(strings.Fields(row.Reasons), reason) && !slices.Contains(actions, row.Action) {
			actions = append(actions, row.Action)
		}
	}
	return actions
}

//go:embed verbs.txt
var verbs string

// bases has the verbs by their regular forms, in lower case.
var bases = func() map[string]string {
	forms := map[string]string{}
	for _, verb := range strings.Fields(verbs) {
		stem, last := strings.TrimSuffix(verb, "e"), verb[len(verb)-1:]
		for _, form := range []string{
			verb, stem + "ing", stem + "ed", verb + last + "ing", verb + last + "ed", strings.TrimSuffix(verb, "y") + "ied",
		} {
			forms[strings.ToLower(form)] = verb
		}
	}
	return forms
}()

var (
	words     = regexp.MustCompile("^([A-Z][a-z]+|[A-Z]+$)([A-Z0-9][A-Za-z0-9]*?)??(?:By[A-Z].*)?$")
	ended     = regexp.MustCompile("^(?:(?:Failed(?:To)?|Error|Successful(?:ly)?)([A-Z].*)|(.*?)(?:Failed|Error|Succeed(?:ed)?))$")
	tried     = regexp.MustCompile("^(?:(?i:failed to|unable to|cannot|could not|error) |.* (?:has been|was|were) )?([A-Za-z]*)")
	camelCase = regexp.MustCompile("^[A-Z][A-Za-z0-9]*$")
	nothing   = regexp.MustCompile("^(Event|Annotated|Record|Emit|Normal|Warn|Warning|Reconcile)f?$")
)

// For returns the action for a reason: the known one, or that which it names, such as SyncWork for SyncWorkFailed and
// CreatePod for CreatingPod. A reason that is no name, or that is known for several actions, has that which the note names,
// such as "failed to create the pod"; one that is no name else has that of the function around the call. For returns "" if
// there is no action but the reason.
func For(reason, note, function string) (action string) {
	known, match := Of(reason), ended.FindStringSubmatch(reason)
	unnamed := reason != "" && !IsUpperCamelCase(reason)
	switch {
	case len(known) == 1:
		return known[0]
	case len(known) > 1 || unnamed:
		action = bases[strings.ToLower(tried.FindStringSubmatch(note)[1])]
		if action == "" && unnamed && attempt(function) == function {
			action = function
		}
	case match != nil:
		action = attempt(match[1] + match[2])
	default:
		action = attempt(reason)
	}
	if action == reason || SaysNothing(action) {
		return ""
	}
	return action
}

// attempt is a name that begins with a form of a verb, with that verb in its base form, or "".
func attempt(name string) string {
	if parts := words.FindStringSubmatch(name); parts != nil && bases[strings.ToLower(parts[1])] != "" {
		return bases[strings.ToLower(parts[1])] + parts[2]
	}
	return ""
}

// IsUpperCamelCase reports whether a reason or an action is written as alerts and tools expect it.
func IsUpperCamelCase(name string) bool { return camelCase.MatchString(name) }

// SaysNothing reports whether an action is the name of a function that records all kinds of Events, such as a wrapper's
// Eventf, or in which a controller does all of its work.
func SaysNothing(action string) bool { return nothing.MatchString(action) }
