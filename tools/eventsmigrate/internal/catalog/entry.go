// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"go/token"
	"slices"
)

// An Entry has what the Events of one controller, type, reason and action have in common.
type Entry struct {
	// Controller is the name that the recorder was made with. It is empty if the code does not tell it.
	Controller string `yaml:"controller,omitempty"`
	Type       string `yaml:"type,omitempty"`
	Reason     string `yaml:"reason"`
	// Action is empty for the old API, which has none.
	Action string `yaml:"action,omitempty"`

	// Regarding and Related are the kinds of the objects.
	Regarding []string `yaml:"regarding,flow,omitempty"`
	Related   []string `yaml:"related,flow,omitempty"`
	// Notes are the formats of the notes.
	Notes []string `yaml:"notes,omitempty"`
	// Doc is the comment of the constant that has the reason.
	Doc string `yaml:"doc,omitempty"`
	// Meaning is written by hand, and says more than Doc to those who read Events.
	Meaning string `yaml:"meaning,omitempty"`
	// Others are fields that somebody has added to the file.
	Others map[string]any `yaml:",inline"`

	// Places are where the Events are recorded. They are not in the file, which would change with each line of code.
	Places []token.Position `yaml:"-"`
}

// key is what makes an entry: an Event with another key is another one to those who match Events.
type key struct{ controller, kind, reason, action string }

func (e *Entry) key() key { return key{e.Controller, e.Type, e.Reason, e.Action} }

// byHand takes the fields that somebody has written into another entry.
func (e *Entry) byHand(from *Entry) {
	e.Meaning, e.Others = from.Meaning, from.Others
}

// add adds what another entry of the same key has.
func (e *Entry) add(other *Entry) {
	e.Regarding = union(e.Regarding, other.Regarding)
	e.Related = union(e.Related, other.Related)
	e.Notes = union(e.Notes, other.Notes)
	e.Doc = cmp.Or(e.Doc, other.Doc)
	e.Places = slices.Concat(e.Places, other.Places)
	slices.SortFunc(e.Places, comparePlaces)
	e.Places = slices.Compact(e.Places)
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func comparePlaces(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// merged returns the entries in the order of the file, with one of each key.
func merged(entries []*Entry) (all []*Entry) {
	byKey := map[key]*Entry{}
	for _, e := range entries {
		if known := byKey[e.key()]; known != nil {
			known.add(e)
			continue
		}
		byKey[e.key()] = e
		all = append(all, e)
	}
	slices.SortFunc(all, compare)
	return all
}

// compare orders the entries of a file.
func compare(a, b *Entry) int {
	return cmp.Or(
		cmp.Compare(a.Controller, b.Controller),
		cmp.Compare(a.Reason, b.Reason),
		cmp.Compare(a.Type, b.Type),
		cmp.Compare(a.Action, b.Action),
	)
}
