// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// mostExported bounds how many declarations the note names. The packages of a program may export hundreds.
const mostExported = 5

// exported notes the exported declarations that change for modules that import them, and what spares them that.
func (m *migration) exported() error {
	var list strings.Builder
	all := 0
	for _, file := range m.report.Files {
		if !m.importable(file) {
			continue
		}
		changed, err := changedExports(file.Before, file.After)
		if err != nil {
			return err
		}
		for _, declaration := range changed {
			all++
			if all <= mostExported {
				fmt.Fprintf(&list, "\n    %s:%d: %s", file.Path, declaration.line, declaration.name)
			}
		}
	}
	if all == 0 {
		return nil
	}
	if all > mostExported {
		fmt.Fprintf(&list, "\n    and %d more", all-mostExported)
	}
	m.note("%s %s, and modules that import the package may not compile any more: release a new major version, or keep "+
		"the old declaration and add a new one beside it, see "+
		"https://github.com/eventseries/eventseries/blob/main/MIGRATING.md#a-library%s",
		counted(all, "exported declaration"), agreed(all, "changes", "change"), list.String())
	return nil
}

// importable reports whether other modules can import the package of a file.
func (m *migration) importable(file report.File) bool {
	if !strings.HasSuffix(file.Name, ".go") || load.IsTest(file.Name) {
		return false
	}
	module := m.project.Owner(file.Name)
	within, err := filepath.Rel(module.Dir, filepath.Dir(file.Name))
	path := strings.Split(module.Path+"/"+filepath.ToSlash(within), "/")
	return err == nil && !slices.Contains(path, "internal")
}

// declaration is one that a file exports.
type declaration struct {
	name string
	line int
	text string
}

// changedExports are the exported declarations of a file that another text of it declares differently. A program
// exports none.
func changedExports(before, after []byte) ([]declaration, error) {
	old, err := exports(before)
	if err != nil {
		return nil, err
	}
	changed, err := exports(after)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(old, func(d declaration) bool {
		return slices.ContainsFunc(changed, func(other declaration) bool {
			return d.name == other.name && d.text == other.text
		})
	}), nil
}

// exports are the exported declarations of a file, without function bodies and what is not exported of a type.
func exports(text []byte) (all []declaration, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil || file.Name.Name == "main" {
		return nil, err
	}
	add := func(name *ast.Ident, prefix string, n ast.Node) {
		var printed strings.Builder
		_ = printer.Fprint(&printed, token.NewFileSet(), n) // without the lines of the file; it was parsed
		all = append(all, declaration{
			name: prefix + name.Name,
			line: fset.Position(name.Pos()).Line,
			text: printed.String(),
		})
	}
	ast.FileExports(file)
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if receiver, exported := receiverOf(decl); exported {
				add(decl.Name, receiver, decl.Type)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, "", spec)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name, "", spec)
					}
				}
			}
		}
	}
	return all, nil
}

// receiverOf returns the type of a method with a dot, "" of a function, and whether it is exported.
func receiverOf(decl *ast.FuncDecl) (string, bool) {
	if decl.Recv == nil {
		return "", true
	}
	name := ""
	ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name + ".", ast.IsExported(name)
}
