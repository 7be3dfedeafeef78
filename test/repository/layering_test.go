// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/eventseries/eventseries/"

// layers lists the packages of the module from top to bottom. Production code
// imports only from rows below its own; a name that ends in a slash stands for
// all packages under it, which may import each other.
var layers = [][]string{
	{"examples/"},
	{"internal/testkit/apiserver"},
	{"events/eventstest"},
	{"internal/testkit/"},
	{"adapter"},
	{"legacy", "sinks"},
	{"events", "discovery"},
	{"internal/series", "internal/writer", "internal/apiclient", "internal/broadcast"},
	{"internal/request"},
	{"internal/stats", "internal/eventconv", "internal/lifecycle", "internal/usercode"},
	{""},
}

// layer returns the row of layers that pkg is in, and -1 if there is none.
func layer(pkg string) (row int, shared bool) {
	for row, names := range layers {
		for _, name := range names {
			if under := strings.HasSuffix(name, "/"); pkg == name || under && strings.HasPrefix(pkg+"/", name) {
				return row, under
			}
		}
	}
	return -1, false
}

// production calls visit with every non-test file of the module's own packages.
func production(t *testing.T, visit func(pkg string, fset *token.FileSet, file *ast.File, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "bin", "test", "tools", "contrib", "testdata"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		visit(strings.TrimPrefix(strings.TrimPrefix(pkg, "."), "/"), fset, file, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Dependencies point one way (DESIGN.md, "Layout"), and examples use only what
// users can import.
func TestLayering(t *testing.T) {
	atRoot(t)
	production(t, func(pkg string, _ *token.FileSet, file *ast.File, _ []byte) {
		from, shared := layer(pkg)
		if from < 0 {
			t.Errorf("package %q is in no row of layers: add it", pkg)
			return
		}
		inExample := strings.HasPrefix(pkg, "examples/")
		for _, spec := range file.Imports {
			imported, found := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			if !found {
				continue
			}
			to, _ := layer(imported)
			if to < from || to == from && !shared {
				t.Errorf("package %q imports %q, which is not below it", pkg, imported)
			}
			if inExample && strings.HasPrefix(imported, "internal/") {
				t.Errorf("example %q imports %q, which users cannot", pkg, imported)
			}
		}
	})
}

// Only tests and the example's comparison with client-go may use test modules.
func TestProductionImportsNoTestModules(t *testing.T) {
	atRoot(t)
	production(t, func(pkg string, _ *token.FileSet, file *ast.File, _ []byte) {
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if strings.HasPrefix(path, "go.uber.org/goleak") || strings.HasPrefix(path, "github.com/google/go-cmp") {
				t.Errorf("package %q imports %q", pkg, path)
			}
		}
	})
}

// Every goroutine has one owner: lifecycle.Group has the only go statement. The
// test kit and the examples are not the SDK's production code.
func TestOneGoStatement(t *testing.T) {
	atRoot(t)
	var found []string
	production(t, func(pkg string, fset *token.FileSet, file *ast.File, _ []byte) {
		if strings.HasPrefix(pkg, "examples/") || pkg == "events/eventstest" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				found = append(found, filepath.ToSlash(fset.Position(g.Pos()).Filename))
			}
			return true
		})
	})
	if want := []string{"internal/lifecycle/group.go"}; !slices.Equal(found, want) {
		t.Errorf("go statements in %v, want them in %v", found, want)
	}
}

// Whoever imports the SDK runs nothing by that, and gets nothing past the compiler.
//
// Caught: an init function; an import for its side effects; a linkname.
func TestNothingRunsOnImport(t *testing.T) {
	atRoot(t)
	production(t, func(_ string, fset *token.FileSet, file *ast.File, text []byte) {
		name := fset.Position(file.Pos()).Filename
		for _, spec := range file.Imports {
			blank := spec.Name != nil && spec.Name.Name == "_"
			if path := spec.Path.Value; path == `"C"` || path == `"unsafe"` || blank {
				t.Errorf("%s imports %s", name, path)
			}
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", name)
			}
		}
		for _, directive := range []string{"//go:linkname", "//go:generate"} {
			if bytes.Contains(text, []byte("\n"+directive)) {
				t.Errorf("%s has a %s", name, directive)
			}
		}
	})
}

// Files and functions stay short enough to be read at once.
func TestBudgets(t *testing.T) {
	atRoot(t)
	const maxFile, maxFunction, maxColumns = 400, 60, 120
	production(t, func(_ string, fset *token.FileSet, file *ast.File, text []byte) {
		name := fset.Position(file.Pos()).Filename
		lines := strings.Split(string(text), "\n")
		if len(lines) > maxFile {
			t.Errorf("%s: %d lines, want at most %d", name, len(lines), maxFile)
		}
		for i, line := range lines {
			if len([]rune(strings.ReplaceAll(line, "\t", "    "))) > maxColumns {
				t.Errorf("%s:%d: over %d columns", name, i+1, maxColumns)
			}
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line; n > maxFunction {
				t.Errorf("%s: func %s has %d lines, want at most %d", name, f.Name.Name, n, maxFunction)
			}
		}
	})
}
