// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// What the analyzer writes has to compile, in every package of the cases.
//
// Caught: imports that the edits leave unused because no name is dropped, a type
// assertion on what is no interface any more.
func TestGoldenCompiles(t *testing.T) {
	texts := maps.Clone(sources())
	maps.Copy(texts, edit(t, configured(), loadCases(t)))
	std := importer.ForCompiler(token.NewFileSet(), "gc", nil)
	for name := range cases {
		t.Run(name, func(t *testing.T) {
			tree := &goldenTree{fset: token.NewFileSet(), texts: texts, std: std, done: map[string]*types.Package{}}
			if _, err := tree.Import("rewrite/" + name); err != nil {
				t.Error(err)
			}
			for _, err := range tree.errors {
				t.Error(err)
			}
		})
	}
}

// goldenTree type-checks packages, as they are after the edits.
type goldenTree struct {
	fset   *token.FileSet
	texts  map[string][]byte // by the names of files; stubs are read
	std    types.Importer
	done   map[string]*types.Package
	errors []error
}

func (g *goldenTree) Import(path string) (*types.Package, error) {
	if pkg, ok := g.done[path]; ok {
		return pkg, nil
	}
	dir := filepath.Join(gopath, "src", filepath.FromSlash(path))
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for name := range g.texts {
		if filepath.Dir(name) == dir {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return g.std.Import(path)
	}
	var files []*ast.File
	for _, name := range names {
		var text any // nil for a stub
		if known, found := g.texts[name]; found {
			text = known
		}
		file, err := parser.ParseFile(g.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(file.Name.Name, "_test") {
			files = append(files, file)
		}
	}
	config := types.Config{Importer: g, Error: func(err error) { g.errors = append(g.errors, err) }}
	pkg, err := config.Check(path, g.fset, files, nil)
	g.done[path] = pkg
	return pkg, err
}
