// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// load loads packages of testdata/src with their tests, perhaps with other texts of some files. The stubs there are all that
// they import outside of the standard library. Unlike analysistest, it loads the imports as export data: reading the standard
// library from source takes longer than all tests.
func load(t *testing.T, edited map[string][]byte, patterns ...string) []*packages.Package {
	t.Helper()
	dir, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedExportFile | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax |
			packages.NeedTypesInfo | packages.NeedModule,
		Dir:   dir,
		Tests: true, Overlay: edited,
		Env: append(os.Environ(), "GOPATH="+dir, "GO111MODULE=off", "GOWORK=off"),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	// The main packages of tests have no code of testdata.
	all = slices.DeleteFunc(all, func(p *packages.Package) bool { return strings.HasSuffix(p.PkgPath, ".test") })
	if len(all) == 0 {
		t.Fatalf("no packages match %v", patterns)
	}
	for _, p := range all {
		for _, err := range p.Errors {
			t.Error(err)
		}
	}
	return all
}

// compareGoldens runs an analyzer over packages and compares its diagnostics, and what the edits change, with a golden file of
// each package. With -update it writes them, for a person to read before they are believed. It returns one result for each
// package.
func compareGoldens(t *testing.T, a *analysis.Analyzer, all []*packages.Package) []*checker.Action {
	t.Helper()
	results := analyze(t, a, all)
	for name, got := range goldens(t, results) {
		if *update {
			_ = os.Remove(name)
			if got != "" {
				write(t, name, []byte(got))
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	return results
}

// edit returns the files of the packages after the edits, by name.
func edit(t *testing.T, a *analysis.Analyzer, all []*packages.Package) map[string][]byte {
	t.Helper()
	edited := map[string][]byte{}
	for _, result := range analyze(t, a, all) {
		for _, file := range filesOf(result) {
			edited[file.name] = file.edited(t)
		}
	}
	return edited
}

// goldens returns the golden files by name. Each has, for the files of a package, the diagnostics behind the numbers of their
// lines, and the lines that the edits change.
func goldens(t *testing.T, results []*checker.Action) map[string]string {
	t.Helper()
	changes := map[string]string{}
	for _, result := range results {
		for _, file := range filesOf(result) {
			changes[file.name] = file.reports() + file.changes(t)
		}
	}
	all := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		golden := filepath.Join(filepath.Dir(name), "edits.golden")
		if all[golden] += ""; changes[name] != "" {
			all[golden] += "-- " + filepath.Base(name) + " --\n" + changes[name]
		}
	}
	return all
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func analyze(t *testing.T, a *analysis.Analyzer, all []*packages.Package) []*checker.Action {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range graph.Roots {
		if result.Err != nil {
			t.Fatalf("%v: %v", result, result.Err)
		}
	}
	return graph.Roots
}

// goldenFile is one file of testdata with what was reported there.
type goldenFile struct {
	name     string
	text     []byte
	messages map[int][]string // by line
	edits    []udiff.Edit
}

func filesOf(result *checker.Action) (all []*goldenFile) {
	fset := result.Package.Fset
	byName := map[string]*goldenFile{}
	for _, syntax := range result.Package.Syntax {
		f := &goldenFile{name: fset.Position(syntax.FileStart).Filename, messages: map[int][]string{}}
		f.text, _ = os.ReadFile(f.name) // it has been parsed
		byName[f.name] = f
		all = append(all, f)
	}
	for _, d := range result.Diagnostics {
		at := fset.Position(d.Pos)
		byName[at.Filename].messages[at.Line] = append(byName[at.Filename].messages[at.Line], d.Message)
		for _, fix := range d.SuggestedFixes {
			for _, e := range fix.TextEdits {
				in := fset.File(e.Pos)
				end := e.Pos
				if e.End.IsValid() {
					end = e.End
				}
				byName[in.Name()].edits = append(byName[in.Name()].edits, udiff.Edit{
					Start: in.Offset(e.Pos), End: in.Offset(end), New: string(e.NewText),
				})
			}
		}
	}
	return all
}

// edited returns the file after all edits, formatted.
func (f *goldenFile) edited(t *testing.T) []byte {
	t.Helper()
	edited, err := udiff.ApplyBytes(f.text, f.edits)
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	formatted, err := format.Source(edited)
	if err != nil {
		t.Fatalf("%s does not parse after the edits: %v\n%s", f.name, err, edited)
	}
	return formatted
}

// reports are the diagnostics of the file.
func (f *goldenFile) reports() string {
	var out strings.Builder
	for _, line := range slices.Sorted(maps.Keys(f.messages)) {
		for _, message := range f.messages[line] {
			fmt.Fprintf(&out, "// %d: %s\n", line, message)
		}
	}
	return out.String()
}

// changes are the lines of the file that the edits change.
func (f *goldenFile) changes(t *testing.T) string {
	t.Helper()
	return changes(string(f.text), string(f.edited(t)))
}

// changes has the new lines of a text in order, each behind the number of the line in whose place it is, or behind those
// of all lines that it takes the place of with others. A number with a plus is that of the line before a new one.
func changes(before, after string) string {
	var out strings.Builder
	for _, e := range udiff.Lines(before, after) {
		first := 1 + strings.Count(before[:e.Start], "\n")
		last := first - 1 + len(slices.Collect(strings.Lines(before[e.Start:e.End])))
		lines := strings.Split(strings.TrimSuffix(e.New, "\n"), "\n")
		for i, line := range lines {
			place := fmt.Sprintf("%d-%d:", first, last)
			switch {
			case last < first:
				place = fmt.Sprintf("%d+:", last)
			case last == first, last-first == len(lines)-1:
				place = fmt.Sprintf("%d:", first+min(i, last-first))
			}
			out.WriteString(strings.TrimRight(place+" "+line, " ") + "\n")
		}
	}
	return out.String()
}
