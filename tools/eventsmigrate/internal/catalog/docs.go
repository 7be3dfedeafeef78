// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// docs has the comments of constants. It parses their files, because the program does not keep the comments of all packages.
type docs struct {
	fset  *token.FileSet
	files map[string]map[int]string // by the offset of the name
}

// of returns the comment of a constant in one line: that above it, or that beside it.
func (d *docs) of(c *types.Const) string {
	if !c.Pos().IsValid() {
		return ""
	}
	at := d.fset.PositionFor(c.Pos(), false)
	if d.files == nil {
		d.files = map[string]map[int]string{}
	}
	if d.files[at.Filename] == nil {
		d.files[at.Filename] = parse(at.Filename)
	}
	return d.files[at.Filename][at.Offset]
}

// parse returns the comments of the constants in a file. A file that does not parse has none.
func parse(name string) map[int]string {
	all := map[int]string{}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return all
	}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.ValueSpec)
			text := spec.Doc.Text()
			if text == "" {
				text = spec.Comment.Text()
			}
			if text == "" && len(group.Specs) == 1 {
				text = group.Doc.Text()
			}
			for _, id := range spec.Names {
				all[fset.Position(id.Pos()).Offset] = strings.Join(strings.Fields(text), " ")
			}
		}
	}
	return all
}
