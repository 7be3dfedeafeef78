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

// row has reasons that a component records while it does one thing.
type row struct {
	reasons []string
	action  string
	here    bool // elsewhere these reasons may be about something else, so Of does not know them
}

//go:embed table.txt
var table string

// rows has the rows of table.txt.
var rows = parse(table)

func parse(text string) (rows []row) {
	for line := range strings.Lines(text) {
		if line == "\n" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		rows = append(rows, row{
			reasons: strings.Fields(cells[1]),
			action:  strings.TrimSpace(cells[2]),
			here:    strings.Contains(cells[5], "here"),
		})
	}
	return rows
}

// Of returns the actions of a reason, whatever component records it: one, or several if the action depends on the call,
// or none if the reason is not known.
func Of(reason string) []string {
	var actions []string
	for _, row := range rows {
		if !row.here && slices.Contains(row.reasons, reason) && !slices.Contains(actions, row.action) {
			actions = append(actions, row.action)
		}
	}
	return actions
}

var (
	camelCase = regexp.MustCompile("^[A-Z][A-Za-z0-9]*$")
	nothing   = regexp.MustCompile("^(Event|Annotated|Record|Emit|Normal|Warn|Warning|Reconcile|Handle|Process)f?$")
)

// Rest is the action that docs/actions.md has for the rest of a controller's work.
const Rest = "Sync"

// IsUpperCamelCase reports whether a reason or an action is written as alerts and tools expect it.
func IsUpperCamelCase(name string) bool { return camelCase.MatchString(name) }

// SaysNothing reports whether an action is the name of a function that records all kinds of Events, such as a wrapper's
// Eventf, or that works on anything, such as Reconcile.
func SaysNothing(action string) bool { return nothing.MatchString(action) }
