// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import "fmt"

// NotePolicy determines which notes of repeated occurrences reach the server. It implements
// events.NotePolicy, which documents the policies. The zero value is NotesFirst.
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

// NotesLatest returns the policy of events.NotesLatest.
func NotesLatest() NotePolicy { return NotePolicy{kind: notesLatest} }

// NotesDistinct returns the policy of events.NotesDistinct(n).
func NotesDistinct(n int) NotePolicy { return NotePolicy{kind: notesDistinct, distinct: n} }

// Valid reports whether the policy is valid. NotesDistinct(n) is invalid if n is less than 1.
func (p NotePolicy) Valid() bool { return p.kind != notesDistinct || p.distinct >= 1 }

// First reports whether the policy is NotesFirst. With this policy only the first note of a series
// matters, so the notes of repeats need not be formatted.
func (p NotePolicy) First() bool { return p.kind == notesFirst }

// Latest reports whether the policy is NotesLatest, which keeps the newest note as an annotation.
func (p NotePolicy) Latest() bool { return p.kind == notesLatest }

// Distinct returns the number of different notes that get their own series with the policy
// NotesDistinct. It returns 0 for the other policies, with which all notes share one series.
func (p NotePolicy) Distinct() int { return p.distinct }

// String returns the policy as it is written in Go code, such as "NotesDistinct(3)".
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

// Option returns the option that sets the policy for a reason, as it is written in Go code, such as
// "WithNotePolicy(NotesLatest, "Killing")". An empty reason stands for all reasons.
func (p NotePolicy) Option(reason string) string {
	if reason == "" {
		return fmt.Sprintf("WithNotePolicy(%v)", p)
	}
	return fmt.Sprintf("WithNotePolicy(%v, %q)", p, reason)
}
