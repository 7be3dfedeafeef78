// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// deprecated are the objects whose comment has a paragraph that begins with "Deprecated:".
func deprecated(p *packages.Package) map[types.Object]bool {
	found := map[types.Object]bool{}
	mark := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if strings.Contains("\n\n"+c.Text(), "\n\nDeprecated: ") {
				found[p.TypesInfo.Defs[name]] = true
			}
		}
	}
	for _, file := range p.Syntax {
		for node := range ast.Preorder(file) {
			switch n := node.(type) {
			case *ast.FuncDecl:
				mark(n.Name, n.Doc)
			case *ast.GenDecl:
				for _, spec := range n.Specs {
					markSpec(spec, n.Doc, mark)
				}
			case *ast.Field:
				for _, name := range n.Names {
					mark(name, n.Doc)
				}
			}
		}
	}
	return found
}

// markSpec marks the names of a declaration. The comment of a group is that of each of its names.
func markSpec(spec ast.Spec, group *ast.CommentGroup, mark func(*ast.Ident, ...*ast.CommentGroup)) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		mark(s.Name, s.Doc, group)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			mark(name, s.Doc, group)
		}
	}
}
