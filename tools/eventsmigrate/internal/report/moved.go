// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"slices"
	"strings"
)

// Wrote notes that the files are written, and gives each place and action the line that it has now.
func (r *Report) Wrote() {
	r.Written = true
	for _, places := range [][]Place{r.Places, r.Manifests, r.Events} {
		for i, place := range places {
			line, same := r.Now(place.File, place.Line)
			places[i].Line = line
			if !same {
				places[i].Column = 0
			}
		}
	}
	for i, action := range r.Actions {
		r.Actions[i].Line, _ = r.Now(action.File, action.Line)
	}
}

// Now returns the line of a file that a line of before the run has become, and whether it is the same.
func (r *Report) Now(path string, line int) (now int, same bool) {
	i := slices.IndexFunc(r.Files, func(file File) bool { return file.Path == path })
	if i < 0 || !r.Written || line == 0 {
		return line, true
	}
	before := string(r.Files[i].Before)
	now = line
	for _, edit := range lineEdits(before, string(r.Files[i].After)) {
		first := strings.Count(before[:edit.Start], "\n") + 1
		gone, added := strings.Count(before[edit.Start:edit.End], "\n"), strings.Count(edit.New, "\n")
		switch {
		case line < first:
			return now, true
		case line < first+gone: // the lines of an edit become those that it has, one by one
			return now + min(0, added-1-(line-first)), false
		}
		now += added - gone
	}
	return now, true
}
