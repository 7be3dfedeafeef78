// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// Caught: AsLegacy taken for all recorders; a wrapper of a new recorder taken for an
// old one; NotesDistinct taken to be on everywhere.
func TestDistinctLooksOnlyWhereNotesAreToldApart(t *testing.T) {
	analysistest.Run(t, testdata(t), newDistinct(), "lint/distinctlegacy", "lint/distinctoff")
}

// Caught: the flag ignored.
func TestDistinctCanBeForced(t *testing.T) {
	analyzer := newDistinct()
	if err := analyzer.Flags.Set("force", "true"); err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, testdata(t), analyzer, "lint/distinctforced")
}
