// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"fmt"
	"math"
)

// NotePolicy says what happens to the notes of isomorphic occurrences. The API
// server never lets a note change through events.k8s.io/v1 (API validation:
// "message: field is immutable"), so one series has one note.
type NotePolicy int

const (
	// NotesFirst keeps the first note of a series (KEP-383: the note is no part
	// of what makes occurrences isomorphic). Repeats are not even formatted. It
	// is the default.
	NotesFirst NotePolicy = 0
	// NotesLatest is NotesFirst, and the newest note travels in the annotation
	// eventseries.dev/latest-note with each write of the series.
	NotesLatest NotePolicy = -1
)

// NotesDistinct gives up to n different notes of otherwise isomorphic
// occurrences a series each; further ones count in the newest of these. It is
// what callers who come from core/v1 expect. n must be at least 1.
func NotesDistinct(n int) NotePolicy {
	if n < 1 {
		return math.MinInt // not valid, which the option or the recorder says
	}
	return NotePolicy(n)
}

// String names the policy as it is written in code.
func (p NotePolicy) String() string {
	switch {
	case p == NotesFirst:
		return "NotesFirst"
	case p == NotesLatest:
		return "NotesLatest"
	case p > 0:
		return fmt.Sprintf("NotesDistinct(%d)", int(p))
	default:
		return "an invalid NotePolicy"
	}
}

func (p NotePolicy) valid() bool { return p >= NotesLatest }

// distinct returns how many notes get a series of their own; 0 for one series.
func (p NotePolicy) distinct() int { return max(int(p), 0) }
