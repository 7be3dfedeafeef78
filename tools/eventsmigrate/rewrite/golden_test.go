// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// What the analyzer writes has to compile, in every package of the cases.
//
// Caught: imports that the edits leave unused because no name is dropped, a type
// assertion on what is no interface any more.
func TestGoldenCompiles(t *testing.T) {
	edited := edit(t, configured(), loadCases(t))
	std := importer.ForCompiler(token.NewFileSet(), "gc", nil)
	for name := range cases {
		t.Run(name, func(t *testing.T) {
			tree := &goldenTree{fset: token.NewFileSet(), edited: edited, std: std, done: map[string]*types.Package{}}
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
	edited map[string][]byte
	std    types.Importer
	done   map[string]*types.Package
	errors []error
}

func (g *goldenTree) Import(path string) (*types.Package, error) {
	if pkg, ok := g.done[path]; ok {
		return pkg, nil
	}
	var names []string
	for _, root := range []string{gopath, stubs} {
		found, err := filepath.Glob(filepath.Join(root, "src", filepath.FromSlash(path), "*.go"))
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return g.std.Import(path)
	}
	var files []*ast.File
	for _, name := range names {
		var text any // that of the file, unless the analyzer looked at it
		if edited, found := g.edited[name]; found {
			text = edited
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
