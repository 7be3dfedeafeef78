// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package actions finds the action for a call that records an Event: what was attempted. It has a table of the
// reasons that Kubernetes' own components record, and reads other reasons, notes and names of functions with the help
// of a list of verbs. docs/actions.md is the guide to actions, and leads to the table.
package actions

import (
	_ "embed" // of the table
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

var (
	camelCase = regexp.MustCompile("^[A-Z][A-Za-z0-9]*$")
	nothing   = regexp.MustCompile("^(Event|Annotated|Record|Emit|Normal|Warn|Warning|Reconcile)f?$")
)

// Rest is the action that docs/actions.md has for the rest of a controller's work.
const Rest = "Sync"

// Name is a reason as a name in UpperCamelCase, such as NotEnoughSpace of "not enough space", or Rest.
func Name(reason string) string {
	name := strings.Join(splitWords(reason), "")
	switch {
	case IsUpperCamelCase(reason):
		return reason
	case IsUpperCamelCase(name) && !isSentence(reason):
		return name
	}
	return Rest
}

// IsUpperCamelCase reports whether a reason or an action is written as alerts and tools expect it.
func IsUpperCamelCase(name string) bool { return camelCase.MatchString(name) }

// SaysNothing reports whether an action is the name of a function that records all kinds of Events, such as a wrapper's
// Eventf, or in which a controller does all of its work.
func SaysNothing(action string) bool { return nothing.MatchString(action) }
