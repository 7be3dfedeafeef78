// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// A Difference is one between the file and the code, for those who match Events by what is in the key of an entry.
type Difference struct {
	Before *Entry // of the file, nil for a new entry
	After  *Entry // of the code, nil for an entry that is gone
}

// Update compares the entries of a file with those of the code. It gives the entries of the code what was written by hand
// into the file, also where a reason or an action was renamed.
func Update(before, after []*Entry) []Difference {
	name(before, after)
	gone, added := without(before, after), without(after, before)
	known := map[key]*Entry{}
	for _, e := range before {
		known[e.key()] = e
	}
	for _, e := range after {
		if from := known[e.key()]; from != nil {
			e.byHand(from)
		}
	}
	var differences []Difference
	for _, e := range added {
		i := renamed(gone, e)
		if i < 0 {
			differences = append(differences, Difference{After: e})
			continue
		}
		e.byHand(gone[i])
		differences = append(differences, Difference{gone[i], e})
		gone = slices.Delete(gone, i, i+1)
	}
	for _, e := range gone {
		differences = append(differences, Difference{Before: e})
	}
	slices.SortStableFunc(differences, func(a, b Difference) int { return cmp.Compare(a.order(), b.order()) })
	return differences
}

// name gives entries of which the code does not tell the controller that which the file has.
func name(before, after []*Entry) {
	known := map[key]bool{}
	for _, e := range after {
		known[e.key()] = true
	}
	for _, e := range after {
		if e.Controller != "" {
			continue
		}
		var controllers []string
		for _, from := range before {
			k := from.key()
			k.controller = ""
			if k == e.key() && !known[from.key()] {
				controllers = append(controllers, from.Controller)
			}
		}
		if len(controllers) == 1 {
			e.Controller = controllers[0]
		}
	}
	slices.SortFunc(after, compare)
}

// without returns the entries whose keys the others do not have.
func without(entries, others []*Entry) (rest []*Entry) {
	for _, e := range entries {
		if !slices.ContainsFunc(others, func(other *Entry) bool { return other.key() == e.key() }) {
			rest = append(rest, e)
		}
	}
	return rest
}

// renamed returns the index of the entry that has become e, or -1: one that differs in one part of the key, and records
// the same note, or the only one that differs in no more than that.
func renamed(gone []*Entry, e *Entry) int {
	var candidates []int
	for i, from := range gone {
		if len(changes(from, e)) != 1 {
			continue
		}
		if slices.ContainsFunc(e.Notes, func(note string) bool { return slices.Contains(from.Notes, note) }) {
			return i
		}
		if slices.Equal(from.Regarding, e.Regarding) {
			candidates = append(candidates, i)
		}
	}
	if len(candidates) == 1 {
		return candidates[0]
	}
	return -1
}

// changes returns which parts of the key two entries differ in, with the values of both.
func changes(a, b *Entry) (all []string) {
	for _, part := range []struct{ name, before, after string }{
		{"controller", a.Controller, b.Controller},
		{"type", a.Type, b.Type},
		{"reason", a.Reason, b.Reason},
		{"action", a.Action, b.Action},
	} {
		if part.before != part.after {
			all = append(all, fmt.Sprintf("%s %s -> %s", part.name, cmp.Or(part.before, "(none)"), cmp.Or(part.after, "(none)")))
		}
	}
	return all
}

// order puts what breaks readers first.
func (d Difference) order() int {
	switch {
	case d.After == nil:
		return 1
	case d.Before == nil:
		return 2
	}
	return 0
}

// String returns the difference as a reviewer reads it.
func (d Difference) String() string {
	switch d.order() {
	case 1:
		return "gone: " + d.Before.String()
	case 2:
		return "new: " + d.After.String()
	}
	text := "renamed: " + strings.Join(changes(d.Before, d.After), ", ")
	context := []string{}
	if d.Before.Reason == d.After.Reason {
		context = append(context, "of reason "+d.After.Reason)
	}
	if d.Before.Controller == d.After.Controller && d.After.Controller != "" {
		context = append(context, d.After.Controller)
	}
	if len(context) == 0 {
		return text
	}
	return text + " (" + strings.Join(context, ", ") + ")"
}

// Places are where the code records the Event.
func (d Difference) Places() []token.Position {
	if d.After == nil {
		return nil
	}
	return d.After.Places
}

// String returns the key of the entry as a reviewer reads it.
func (e *Entry) String() string {
	text := strings.TrimSpace(e.Type + " reason " + e.Reason)
	if e.Action != "" {
		text += ", action " + e.Action
	}
	if e.Controller != "" {
		text += " (" + e.Controller + ")"
	}
	return text
}
