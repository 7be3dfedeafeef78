// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// stubs is a GOPATH with stubs of all that packages of the archives import outside of the standard library.
var stubs = must(filepath.Abs(filepath.Join("..", "testdata")))

// gopath is one with the packages of the archives, until the tests end.
var gopath = must(filepath.EvalSymlinks(must(os.MkdirTemp("", "eventsmigrate-"))))

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(gopath)
	os.Exit(code)
}

// archives are testdata/KIND/NAME.txtar by the directories of their packages, KIND/NAME in gopath, which it makes. Each has
// Go files, and after some of them what is reported there, and what becomes of it.
var archives = sync.OnceValue(func() map[string]*archive {
	all := map[string]*archive{}
	for _, name := range must(filepath.Glob(filepath.Join(stubs, "*", "*.txtar"))) {
		kind, file := filepath.Base(filepath.Dir(name)), strings.TrimSuffix(filepath.Base(name), ".txtar")
		a, dir := &archive{name, must(txtar.ParseFile(name))}, filepath.Join(gopath, "src", kind, file)
		if err := os.CopyFS(dir, must(txtar.FS(a.Archive))); err != nil {
			panic(err)
		}
		all[dir] = a
	}
	return all
})

type archive struct {
	name string
	*txtar.Archive
}

// golden is the end of the names of what is compared.
const golden = ".golden"

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// load loads packages of the archives with their tests, perhaps with other texts of some files. Unlike analysistest, it loads
// the imports as export data: reading the standard library from source takes longer than all tests.
func load(t *testing.T, edited map[string][]byte, patterns ...string) []*packages.Package {
	t.Helper()
	archives()
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedExportFile | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax |
			packages.NeedTypesInfo | packages.NeedModule,
		Dir:   gopath,
		Tests: true, Overlay: edited,
		Env: append(os.Environ(), "GOPATH="+gopath+string(filepath.ListSeparator)+stubs, "GO111MODULE=off", "GOWORK=off"),
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

// compareGoldens runs an analyzer over packages and compares its diagnostics, and what the edits change, with what their
// archives have. With -update it writes them, for a person to read before they are believed. It returns one result for each
// package.
func compareGoldens(t *testing.T, a *analysis.Analyzer, all []*packages.Package) []*checker.Action {
	t.Helper()
	results := analyze(t, a, all)
	changes := map[string]string{}
	for _, result := range results {
		for _, file := range filesOf(result) {
			changes[file.name] = file.reports() + file.changes(t)
		}
	}
	for dir, archive := range archives() {
		got := &txtar.Archive{}
		for _, file := range archive.Files {
			change, analyzed := changes[filepath.Join(dir, file.Name)]
			if analyzed || filepath.Ext(file.Name) == ".yml" {
				got.Files = append(got.Files, file)
			}
			if change != "" {
				got.Files = append(got.Files, txtar.File{Name: file.Name + golden, Data: []byte(change)})
			}
		}
		if !slices.ContainsFunc(got.Files, func(file txtar.File) bool { return filepath.Ext(file.Name) == ".go" }) {
			continue // a package of others
		}
		if *update {
			if err := os.WriteFile(archive.name, txtar.Format(got), 0o600); err != nil {
				t.Fatal(err)
			}
		} else if diff := gocmp.Diff(string(txtar.Format(archive.Archive)), string(txtar.Format(got))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", archive.name, diff)
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

// goldenFile is one file of an archive with what was reported there.
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
