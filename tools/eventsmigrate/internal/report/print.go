// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// JSON writes the report for machines.
func (r *Report) JSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

// Unified is the diff for git apply and patch -p1 in the working directory.
func (r *Report) Unified() string {
	var b strings.Builder
	for _, file := range r.Files {
		edits := slideDown(string(file.Before), lineEdits(string(file.Before), string(file.After)))
		text, _ := udiff.ToUnified("a/"+file.Path, "b/"+file.Path, string(file.Before), edits, 3) // they fit the text
		b.WriteString(renumber(text))
	}
	return b.String()
}

// lineEdits are the differences of two texts, line by line. Package udiff finds fifty of them from the beginning and
// fifty from the end, and replaces all that is between, so it is asked again for each part that it replaces.
func lineEdits(before, after string) []udiff.Edit {
	found := udiff.Lines(before, after)
	if len(found) == 1 && before[found[0].Start:found[0].End] == before && found[0].New == after {
		return found // no line of this part stays
	}
	var edits []udiff.Edit
	for _, edit := range found {
		for _, part := range lineEdits(before[edit.Start:edit.End], edit.New) {
			part.Start += edit.Start
			part.End += edit.Start
			edits = append(edits, part)
		}
	}
	return edits
}

// slideDown moves lines that are added as far down as they mean the same, as git does. A list item that resembles the
// one before it is then shown as a whole, and not as the end of that item and the beginning of its own.
func slideDown(before string, edits []udiff.Edit) []udiff.Edit {
	for i, edit := range edits {
		limit := len(before)
		if i+1 < len(edits) {
			limit = edits[i+1].Start
		}
		for edit.Start == edit.End {
			first, rest, _ := strings.Cut(edit.New, "\n")
			first += "\n"
			lines := strings.HasSuffix(edit.New, "\n")
			if !lines || !strings.HasPrefix(before[edit.Start:limit], first) {
				break
			}
			edit.Start += len(first)
			edit.End = edit.Start
			edit.New = rest + first
		}
		edits[i] = edit
	}
	return edits
}

// hunk is the first line of a hunk.
var hunk = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@$`)

// renumber corrects where the hunks of a file begin in the new one. Package udiff does not count lines between two edits of
// an earlier hunk; git looks only at where they begin in the old file, and a reviewer at both.
func renumber(diff string) string {
	grown := 0
	return hunk.ReplaceAllStringFunc(diff, func(line string) string {
		var n [3]int // where it begins in the old file, its lines there, and those in the new one
		for i, text := range hunk.FindStringSubmatch(line)[1:] {
			n[i], _ = strconv.Atoi(cmp.Or(text, "1")) // digits
		}
		begin := max(1, n[0]+grown)
		grown += n[2] - n[1]
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@", n[0], n[1], begin, n[2])
	})
}

// Text writes the report for people.
func (r *Report) Text(w io.Writer) error {
	out := &lines{}
	fmt.Fprintf(out, "%s\n", r.Verdict)
	out.places("Needs a human:", r.Places, Human, math.MaxInt)
	out.places("Stays with the old API, or has no effect any more:", r.Places, Kept, mostKept)
	out.places("RBAC that needs a human:", r.Manifests, Human, math.MaxInt)
	out.places("RBAC that changes:", r.Manifests, Rewritten, math.MaxInt)
	out.places("RBAC that stays as it is:", r.Manifests, Kept, math.MaxInt)
	out.places("Events that differ:", r.Events, Human, math.MaxInt)
	out.places("Events that change:", r.Events, Rewritten, math.MaxInt)
	out.places("Not in the catalogue:", r.Events, Kept, math.MaxInt)
	if len(r.Notes) > 0 {
		fmt.Fprintf(out, "\nNotes:\n")
	}
	for _, note := range r.Notes {
		fmt.Fprintf(out, "  %s\n", note)
	}
	_, err := io.WriteString(w, out.String()+r.conclusion())
	return err
}

// conclusion is the last line: what was done with files, and what to do next.
func (r *Report) conclusion() string {
	switch {
	case r.Asked != "":
		return "\nNothing else was written.\n"
	case len(r.Files) > 0 && r.Written:
		return fmt.Sprintf("\nFiles written: %d.\n", len(r.Files))
	case r.Refused:
		return fmt.Sprintf("\nNothing written. Files that would change: %d. -diff shows how, -fix -force writes.\n", len(r.Files))
	case len(r.Files) > 0:
		return fmt.Sprintf("\nFiles to change: %d. -diff shows how, -fix writes.\n", len(r.Files))
	default:
		return ""
	}
}

// lines are those of a report.
type lines struct{ strings.Builder }

// mostKept bounds how many places that stay are listed, and for how many reasons. There may be hundreds.
const mostKept = 5

// places lists the places of one status below a title, those with the same message below that. There are as many messages
// as most at the most, and as many places for each.
func (l *lines) places(title string, places []Place, status Status, most int) {
	var messages []string
	where := map[string][]string{}
	for _, place := range places {
		if place.Status != status {
			continue
		}
		if len(where[place.Message]) == 0 {
			messages = append(messages, place.Message)
		}
		where[place.Message] = append(where[place.Message], place.where())
	}
	if len(messages) == 0 {
		return
	}
	fmt.Fprintf(l, "\n%s\n", title)
	for _, message := range messages[:min(most, len(messages))] {
		l.message(message, where[message], most)
	}
	l.more("  ", len(messages)-most)
}

// message writes a message with its places.
func (l *lines) message(message string, where []string, most int) {
	if len(where) == 1 {
		fmt.Fprintf(l, "  %s: %s\n", where[0], message)
		return
	}
	fmt.Fprintf(l, "  %s:\n", message)
	for _, place := range where[:min(most, len(where))] {
		fmt.Fprintf(l, "    %s\n", place)
	}
	l.more("    ", len(where)-most)
}

// more says how many are not listed.
func (l *lines) more(indent string, n int) {
	if n > 0 {
		fmt.Fprintf(l, "%sand %d more, see -json\n", indent, n)
	}
}

func (p Place) where() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	default:
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
}
