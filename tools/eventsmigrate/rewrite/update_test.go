// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// writeGoldens writes what the analyzer says and does today into testdata, for
// somebody to read before it is believed.
func writeGoldens(t *testing.T, dir string, a *analysis.Analyzer, packages ...string) {
	t.Helper()
	for _, result := range analysistest.Run(quiet{t}, dir, a, packages...) {
		for _, file := range result.Pass.Files {
			name := result.Pass.Fset.Position(file.FileStart).Filename
			writeWants(t, name, result)
		}
	}
	for _, result := range analysistest.Run(quiet{t}, dir, a, packages...) {
		for _, file := range result.Pass.Files {
			writeGolden(t, result.Pass.Fset.Position(file.FileStart).Filename, result)
		}
	}
}

// quiet drops what analysistest finds wrong, since that is what is being written.
type quiet struct{ *testing.T }

func (quiet) Errorf(string, ...any) {}

var want = regexp.MustCompile(`\s*// want .*$`)

func writeWants(t *testing.T, name string, result *analysistest.Result) {
	t.Helper()
	messages := map[int][]string{}
	for _, d := range result.Diagnostics {
		if at := result.Pass.Fset.Position(d.Pos); at.Filename == name {
			messages[at.Line] = append(messages[at.Line], d.Message)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		line = want.ReplaceAllString(line, "")
		if found := messages[i+1]; len(found) > 0 {
			line += " // want"
			for _, m := range found {
				line += fmt.Sprintf(" %q", regexp.QuoteMeta(m))
			}
		}
		lines[i] = line
	}
	formatted, err := format.Source([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, formatted, 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeGolden(t *testing.T, name string, result *analysistest.Result) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var edits []analysis.TextEdit
	for _, d := range result.Diagnostics {
		for _, fix := range d.SuggestedFixes {
			for _, e := range fix.TextEdits {
				if result.Pass.Fset.Position(e.Pos).Filename == name {
					edits = append(edits, e)
				}
			}
		}
	}
	if len(edits) == 0 {
		_ = os.Remove(name + ".golden")
		return
	}
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End))
	})
	file := result.Pass.Fset.File(edits[0].Pos)
	var out bytes.Buffer
	last := 0
	for _, e := range edits {
		out.Write(text[last:file.Offset(e.Pos)])
		out.Write(e.NewText)
		last = file.Offset(e.End)
	}
	out.Write(text[last:])
	formatted, err := format.Source(out.Bytes())
	if err != nil {
		t.Fatalf("%s does not parse after the edits: %v\n%s", name, err, out.Bytes())
	}
	if err := os.WriteFile(name+".golden", formatted, 0o644); err != nil {
		t.Fatal(err)
	}
}
