// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import "fmt"

// NotePolicy is an events.NotePolicy. The zero value is NotesFirst.
type NotePolicy struct {
	kind     noteKind
	distinct int
}

type noteKind uint8

const (
	notesFirst noteKind = iota
	notesLatest
	notesDistinct
)

// NotesLatest returns events.NotesLatest.
func NotesLatest() NotePolicy { return NotePolicy{kind: notesLatest} }

// NotesDistinct returns events.NotesDistinct(n).
func NotesDistinct(n int) NotePolicy { return NotePolicy{kind: notesDistinct, distinct: n} }

// Valid reports whether there is such a policy.
func (p NotePolicy) Valid() bool { return p.kind != notesDistinct || p.distinct >= 1 }

// First reports whether the note of a repeat does not matter.
func (p NotePolicy) First() bool { return p.kind == notesFirst }

// Latest reports whether the newest note is kept as an annotation.
func (p NotePolicy) Latest() bool { return p.kind == notesLatest }

// Distinct returns how many notes get a series of their own, 0 if all have one series.
func (p NotePolicy) Distinct() int { return p.distinct }

// String returns the policy as it is written in code.
func (p NotePolicy) String() string {
	switch p.kind {
	case notesFirst:
		return "NotesFirst"
	case notesLatest:
		return "NotesLatest"
	default:
		return fmt.Sprintf("NotesDistinct(%d)", p.distinct)
	}
}

// Option returns the option that sets the policy for a reason, or for all if reason is empty, as it is
// written in code.
func (p NotePolicy) Option(reason string) string {
	if reason == "" {
		return fmt.Sprintf("WithNotePolicy(%v)", p)
	}
	return fmt.Sprintf("WithNotePolicy(%v, %q)", p, reason)
}
