// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"go/ast"
	"go/doc"
	"go/token"
	"strings"
)

// symbol is one exported name of a package, with its documentation.
type symbol struct {
	name string // Func, Type, Type.Method or Type.Field
	doc  string
	pos  token.Pos
}

// exported returns the exported names of a package.
func exported(p *doc.Package) (all []symbol) {
	values := func(group []*doc.Value) {
		for _, v := range group {
			all = append(all, ofValue(v)...)
		}
	}
	funcs := func(prefix string, group []*doc.Func) {
		for _, f := range group {
			all = append(all, symbol{prefix + f.Name, f.Doc, f.Decl.Pos()})
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs("", p.Funcs)
	for _, typ := range p.Types {
		values(typ.Consts)
		values(typ.Vars)
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
		all = append(all, ofType(typ)...)
	}
	return all
}

// ofValue returns the names of a declaration of constants or variables. One that stands alone is documented by the
// comment of its declaration, one of a group by its own.
func ofValue(v *doc.Value) (all []symbol) {
	for _, spec := range v.Decl.Specs {
		spec := spec.(*ast.ValueSpec)
		comment := spec.Doc.Text() + spec.Comment.Text()
		if !v.Decl.Lparen.IsValid() {
			comment += v.Doc
		}
		for _, name := range spec.Names {
			if name.IsExported() {
				all = append(all, symbol{name.Name, comment, name.Pos()})
			}
		}
	}
	return all
}

// ofType returns a type, its exported fields, and the methods of an interface. A comment above several fields counts
// for those that it names.
func ofType(typ *doc.Type) []symbol {
	spec := typ.Decl.Specs[0].(*ast.TypeSpec)
	all := []symbol{{typ.Name, typ.Doc, typ.Decl.Pos()}}
	var fields *ast.FieldList
	switch expr := spec.Type.(type) {
	case *ast.StructType:
		fields = expr.Fields
	case *ast.InterfaceType:
		fields = expr.Methods
	default:
		return all
	}
	above := ""
	for _, field := range fields.List {
		comment := field.Doc.Text() + field.Comment.Text()
		if field.Doc != nil {
			above = comment
		}
		for _, name := range field.Names {
			if comment == "" && strings.Contains(above, name.Name) {
				comment = above
			}
			if name.IsExported() {
				all = append(all, symbol{typ.Name + "." + name.Name, comment, name.Pos()})
			}
		}
	}
	return all
}
