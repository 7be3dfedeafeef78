// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/eventseries/eventseries/"

// layers lists the packages of the module from top to bottom. Production code
// imports only from rows below its own; a name that ends in a slash stands for
// all packages under it, which may import each other.
var layers = [][]string{
	{"examples/", "contrib/"},
	{"internal/testkit/apiserver"},
	{"events/eventstest"},
	{"internal/testkit/"},
	{"debug", "clientgo/"},
	{"clusters"},
	{"adapter"},
	{"eventview/incident"},
	{"legacy", "sinks", "eventview"},
	{"events", "discovery", "conditions"},
	{"internal/options"},
	{"internal/correlator", "internal/engine"},
	{"internal/series", "internal/writer", "internal/apiclient", "internal/broadcast"},
	{"internal/request", "internal/eventlabels"},
	{"internal/stats", "internal/eventconv", "internal/lifecycle", "internal/usercode", "internal/selector", "internal/heap",
		"internal/plural"},
	{"internal/timing"},
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

// production calls visit with every non-test file of the module's own packages. The package of the root is "".
func production(t *testing.T, visit func(pkg string, file *goFile)) {
	t.Helper()
	for _, file := range goFiles(t) {
		pkg := strings.TrimPrefix(file.dir(), ".")
		top, _, _ := strings.Cut(pkg, "/")
		if !file.isTest() && top != "test" && top != "tools" {
			visit(pkg, file)
		}
	}
}

// Dependencies point one way (DESIGN.md, "Layout"), and examples and contrib use only
// what users can import.
func TestLayering(t *testing.T) {
	atRoot(t)
	production(t, func(pkg string, file *goFile) {
		from, shared := layer(pkg)
		if from < 0 {
			t.Errorf("package %q is in no row of layers: add it", pkg)
			return
		}
		asUsers := strings.HasPrefix(pkg, "examples/") || strings.HasPrefix(pkg, "contrib/")
		for _, spec := range file.Imports {
			imported, found := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			if !found {
				continue
			}
			to, _ := layer(imported)
			if to < from || to == from && !shared {
				t.Errorf("package %q imports %q, which is not below it", pkg, imported)
			}
			if asUsers && strings.HasPrefix(imported, "internal/") {
				t.Errorf("%q imports %q, which users cannot", pkg, imported)
			}
		}
	})
}

// DESIGN.md lists the layers in the order of this file: a blank line is between two rows, and a dot is the package of the
// root.
//
// Caught: a package that was added here alone; a package that the page has in a lower layer.
func TestDesignListsTheLayers(t *testing.T) {
	atRoot(t)
	_, section, _ := strings.Cut(text(t, "DESIGN.md"), "\n## Layout\n")
	_, list, _ := strings.Cut(section, "\n```\n")
	list, _, _ = strings.Cut(list, "\n```\n")
	var listed [][]string
	for row := range strings.SplitSeq(list, "\n\n") {
		var names []string
		for line := range strings.Lines(row) {
			name := strings.Fields(line)[0]
			names = append(names, strings.TrimPrefix(name, "."))
		}
		listed = append(listed, names)
	}
	if diff := cmp.Diff(layers, listed); diff != "" {
		t.Errorf("DESIGN.md, Layout (-layers +listed):\n%s", diff)
	}
}

// Every goroutine has one owner, because lifecycle.Group has the only go statement. The test kit, the examples and the modules
// that import only what users can do not count as production code.
func TestOneGoStatement(t *testing.T) {
	atRoot(t)
	var found []string
	production(t, func(pkg string, file *goFile) {
		if strings.HasPrefix(pkg, "examples/") || strings.HasPrefix(pkg, "contrib/") || pkg == "events/eventstest" {
			return
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				found = append(found, fset.Position(g.Pos()).Filename)
			}
			return true
		})
	})
	if want := []string{"internal/lifecycle/group.go"}; !slices.Equal(found, want) {
		t.Errorf("go statements in %v, want them in %v", found, want)
	}
}

// An import of the SDK runs no code, and no code bypasses the compiler's checks.
//
// Caught: an init function; an import for its side effects; a linkname.
func TestNothingRunsOnImport(t *testing.T) {
	atRoot(t)
	production(t, func(_ string, file *goFile) {
		for _, spec := range file.Imports {
			path := spec.Path.Value
			blank := spec.Name != nil && spec.Name.Name == "_" && path != `"embed"` // which has no code to run
			if path == `"C"` || path == `"unsafe"` || blank {
				t.Errorf("%s imports %s", file.path, path)
			}
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", file.path)
			}
		}
		for _, directive := range []string{"//go:linkname", "//go:generate"} {
			if strings.Contains(file.text, "\n"+directive) {
				t.Errorf("%s has a %s", file.path, directive)
			}
		}
	})
}
