// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the analyzer writes has to compile, in every package of testdata.
//
// Caught: imports that the edits leave unused because no name is dropped, a type
// assertion on what is no interface any more.
func TestGoldenCompiles(t *testing.T) {
	src := filepath.Join("..", "testdata", "src")
	entries, err := os.ReadDir(filepath.Join(src, "rewrite"))
	if err != nil {
		t.Fatal(err)
	}
	std := importer.ForCompiler(token.NewFileSet(), "gc", nil)
	for _, entry := range entries {
		t.Run(entry.Name(), func(t *testing.T) {
			tree := &goldenTree{fset: token.NewFileSet(), src: src, std: std, done: map[string]*types.Package{}}
			if _, err := tree.Import("rewrite/" + entry.Name()); err != nil {
				t.Error(err)
			}
			for _, err := range tree.errors {
				t.Error(err)
			}
		})
	}
}

// goldenTree type-checks packages of testdata, with golden files in place of
// those that they belong to.
type goldenTree struct {
	fset   *token.FileSet
	src    string
	std    types.Importer
	done   map[string]*types.Package
	errors []error
}

func (g *goldenTree) Import(path string) (*types.Package, error) {
	if pkg, ok := g.done[path]; ok {
		return pkg, nil
	}
	names, err := filepath.Glob(filepath.Join(g.src, filepath.FromSlash(path), "*.go"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return g.std.Import(path)
	}
	var files []*ast.File
	for _, name := range names {
		if _, err := os.Stat(name + ".golden"); err == nil {
			name += ".golden"
		}
		file, err := parser.ParseFile(g.fset, name, nil, parser.SkipObjectResolution)
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
