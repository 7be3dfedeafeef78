// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/call"
)

// actions reports which actions the reasons have, each with its first call, or the first for which it is a guess.
func (m *migration) actions() {
	slices.SortStableFunc(m.chosen, func(a, b call.Chosen) int {
		return cmp.Or(
			cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.Place.Filename, b.Place.Filename),
			cmp.Compare(a.Place.Offset, b.Place.Offset),
		)
	})
	for _, chosen := range m.chosen {
		action := report.Action{
			Reason: chosen.Reason,
			Action: chosen.Action,
			Guess:  chosen.Guess,
			File:   filepath.ToSlash(m.relative(chosen.Place.Filename)),
			Line:   chosen.Place.Line,
		}
		at := slices.IndexFunc(m.report.Actions, func(known report.Action) bool {
			return known.Reason == action.Reason && known.Action == action.Action
		})
		switch {
		case at < 0:
			m.report.Actions = append(m.report.Actions, action)
		case action.Guess && !m.report.Actions[at].Guess:
			m.report.Actions[at] = action
		}
	}
}

// mostGuesses bounds how many guesses the note names. There may be hundreds.
const mostGuesses = 10

// noteGuesses names the actions that are guesses, for whoever reads the change and does not have the tool.
func (m *migration) noteGuesses() {
	var lines []string
	for _, action := range m.report.Actions {
		if action.Guess {
			lines = append(lines, fmt.Sprintf("\n    %s:%d: %s -> %s", action.File, action.Line, action.Reason, action.Action))
		}
	}
	n := len(lines)
	if n == 0 {
		return
	}
	list := strings.Join(lines[:min(n, mostGuesses)], "")
	if n > mostGuesses {
		list += fmt.Sprintf("\n    and %d more", n-mostGuesses)
	}
	what := counted(n, "action") + agreed(n, " is only a guess", " are only guesses")
	them := agreed(n, "it", "them")
	if m.options.actions == "" {
		m.note("%s: run with -actions=actions.txt to decide %s%s", what, them, list)
		return
	}
	m.note("%s: add %s to %s%s", what, them, m.options.actions, list)
}

// guesses are the reasons with an action that is a guess.
func (m *migration) guesses() (reasons []string) {
	for _, action := range m.report.Actions {
		if action.Guess && !slices.Contains(reasons, action.Reason) {
			reasons = append(reasons, action.Reason)
		}
	}
	return reasons
}

// actionsHead explains the file of actions.
const actionsHead = `# The actions that eventsmigrate writes into the calls of this repository, one for each reason.
# An action names what was attempted, and is the same however the attempt ended:
# https://github.com/eventseries/eventseries/blob/main/docs/actions.md
# Change the actions that are wrong, then run the same command again. With * the tool chooses the action call by call.
`

// writeActions writes the file of actions, in which somebody can decide them.
func (m *migration) writeActions() error {
	guesses := m.guesses()
	var asked, known strings.Builder
	reasons := 0
	for actions := m.report.Actions; len(actions) > 0; {
		end := slices.IndexFunc(actions, func(action report.Action) bool { return action.Reason != actions[0].Reason })
		if end < 0 {
			end = len(actions)
		}
		out := &known
		if slices.Contains(guesses, actions[0].Reason) {
			out = &asked
		}
		out.WriteString(actionLine(actions[:end]))
		reasons++
		actions = actions[end:]
	}
	text := actionsHead
	if asked.Len() > 0 {
		text += "\n# Guesses: the code does not say for certain what was attempted.\n" + asked.String()
	}
	if known.Len() > 0 {
		text += "\n# The code says what was attempted.\n" + known.String()
	}
	file, err := os.OpenFile(m.options.actions, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	m.report.Asked = m.options.actions
	m.report.Verdict = fmt.Sprintf("%s has the actions of %s, and %d %s: edit it, then run the same command again",
		m.options.actions, counted(reasons, "reason"), len(guesses), agreed(len(guesses), "is a guess", "are guesses"))
	return cmp.Or(err, file.Close())
}

// actionLine is the line of a reason, with the first call of each of its actions.
func actionLine(actions []report.Action) string {
	if len(actions) == 1 {
		return fmt.Sprintf("%s: %s # %s:%d\n", actions[0].Reason, actions[0].Action, actions[0].File, actions[0].Line)
	}
	var places []string
	for _, action := range actions {
		places = append(places, fmt.Sprintf("%s in %s:%d", action.Action, action.File, action.Line))
	}
	return fmt.Sprintf("%s: %s # %s\n", actions[0].Reason, call.ByCall, strings.Join(places, ", "))
}

// readActions reads lines of "Reason: Action". It skips empty lines and what follows a #.
func readActions(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	given := map[string]string{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		colon := max(0, strings.LastIndex(line, ":")) // a reason may have one
		reason, action := strings.TrimSpace(line[:colon]), strings.TrimSpace(strings.TrimPrefix(line[colon:], ":"))
		switch previous := given[reason]; {
		case line == "":
		case reason == "" || action == "":
			return nil, fmt.Errorf("%s:%d: %q is not of the form \"Reason: Action\"", name, number, line)
		case previous != "" && previous != action:
			return nil, fmt.Errorf("%s:%d: reason %s has two actions, %s and %s", name, number, reason, previous, action)
		default:
			given[reason] = action
		}
	}
	return given, err
}
