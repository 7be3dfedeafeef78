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
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
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
				line, _ := m.report.Now(file.Path, declaration.line)
				fmt.Fprintf(&list, "\n    %s:%d: %s", file.Path, line, declaration.name)
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

// noteLeft notes the modules of the repository that may use what changes, and that are not built with what is edited.
func (m *migration) noteLeft() {
	if len(m.report.Files) == 0 || len(m.project.Left) == 0 {
		return
	}
	var dirs []string
	for _, module := range m.project.Left {
		dirs = append(dirs, m.slashed(module.Dir))
	}
	m.note("nothing is edited in %s: code there uses recorders and requires a module of this run, but is built with another "+
		"version of it, because there is neither a replace directive nor a go.work. To edit it, too, run eventsmigrate in a "+
		"workspace (go work init . %s)", joinSome(dirs), strings.Join(dirs, " "))
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

// exports are the exported declarations of a file, without function bodies and what is not exported of a type. Packages have
// their import paths for names.
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
	nameByPath(file)
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			prefix := ""
			if decl.Recv != nil {
				prefix = receiver(decl.Recv.List[0].Type) + "."
			}
			if prefix == "" || ast.IsExported(prefix) {
				add(decl.Name, prefix, decl.Type)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, "", spec)
				case *ast.ValueSpec:
					for i, name := range spec.Names {
						add(name, "", declaredType(spec, i))
					}
				}
			}
		}
	}
	return all, nil
}

// nameByPath gives the packages in a file their import paths for names. The names of clientgo/events are aliases of those of
// tools/events.
func nameByPath(file *ast.File) {
	imported := importsOf(file, nil)
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && imported[x.Name] != "" {
			sel.X = ast.NewIdent(strings.Replace(imported[x.Name], api.OurEvents, api.ClientEvents, 1))
		}
		return true
	})
}

// declaredType returns what tells the type of a variable or constant: its type, or else what tells the type of its value.
func declaredType(spec *ast.ValueSpec, i int) ast.Node {
	if spec.Type != nil || len(spec.Values) == 0 {
		return &ast.ValueSpec{Names: spec.Names[i : i+1], Type: spec.Type}
	}
	value := spec.Values[min(i, len(spec.Values)-1)]
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			n.Body = &ast.BlockStmt{}
		case *ast.CompositeLit:
			n.Elts = nil
		}
		return true
	})
	return value
}
