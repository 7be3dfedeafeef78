// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"regexp"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
)

// text is a file before and after its edits.
type text struct {
	name   string
	before []byte
	after  []byte
	edits  []analyze.Edit // sorted, without overlaps
}

// apply applies the edits of one file. It applies equal replacements from two findings once, but all insertions at one
// place, which may be two closing parentheses.
func apply(name string, edits []analyze.Edit) (*text, error) {
	before, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b analyze.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	t := &text{name: name, before: before}
	var after bytes.Buffer
	last := 0
	for _, edit := range edits {
		if edit.End > edit.Start && slices.Contains(t.edits, edit) {
			continue
		}
		if edit.Start < last || edit.End > len(before) {
			return nil, conflict{place: t.place(edit.Start), text: edit.Text}
		}
		after.Write(before[last:edit.Start])
		after.WriteString(edit.Text)
		last = edit.End
		t.edits = append(t.edits, edit)
	}
	after.Write(before[last:])
	t.after = after.Bytes()
	return t, nil
}

// conflict is an edit that overlaps another one.
type conflict struct {
	place token.Position
	text  string
}

func (c conflict) Error() string {
	return fmt.Sprintf("%s: two edits overlap, one would write %q", c.place, c.text)
}

// original returns where in the file before the edits an offset of the edited file comes from.
func (t *text) original(offset int) token.Position {
	shift := 0 // how much longer the text before the offset has become
	for _, edit := range t.edits {
		if offset < edit.Start+shift {
			break
		}
		if offset < edit.Start+shift+len(edit.Text) {
			return t.place(edit.Start)
		}
		shift += len(edit.Text) - (edit.End - edit.Start)
	}
	return t.place(offset - shift)
}

// place is the line and column of an offset in the file before the edits.
func (t *text) place(offset int) token.Position {
	offset = max(0, min(offset, len(t.before)))
	line := bytes.Count(t.before[:offset], []byte("\n")) + 1
	column := offset - bytes.LastIndexByte(t.before[:offset], '\n')
	return token.Position{Filename: t.name, Offset: offset, Line: line, Column: column}
}

// formatted is the edited text, formatted if the file was formatted before.
func (t *text) formatted() []byte {
	if before, err := format.Source(t.before); err != nil || !bytes.Equal(before, t.before) {
		return t.after
	}
	if after, err := format.Source(t.after); err == nil {
		return after
	}
	return t.after
}

// generated reports whether a generator will overwrite the file.
func (t *text) generated() bool { return generated.Match(t.before) }

// generated is the line by which Go knows the files that a generator has written.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
