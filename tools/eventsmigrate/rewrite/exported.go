// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Exported is the category of diagnostics about exported names whose type changes: users in other modules have to
// change with them. The message begins with the name.
const Exported = "exported"

// exports reports the exported names of a file whose type changes.
func (f *file) exports() {
	internal := slices.Contains(strings.Split(f.Pkg.Path(), "/"), "internal")
	if internal || f.Pkg.Name() == "main" || f.isTest() {
		return
	}
	for _, name := range f.Pkg.Scope().Names() {
		obj := f.Pkg.Scope().Lookup(name)
		if obj.Exported() && f.ast.FileStart <= obj.Pos() && obj.Pos() < f.ast.FileEnd && f.changesType(obj) {
			f.leave(&ast.Ident{NamePos: obj.Pos(), Name: name}, Exported,
				"%s.%s is exported and changes its type: users in other modules change with it", f.Pkg.Name(), name)
		}
	}
}

// changesType reports whether what others see of an object gets another type.
func (p *pass) changesType(obj types.Object) bool {
	name, ok := obj.(*types.TypeName)
	if !ok || name.IsAlias() {
		return mentionsOld(obj.Type())
	}
	method := func(fn *types.Func) bool {
		return fn.Exported() && (p.changes(fn) || mentionsOld(fn.Signature()) && !p.pinnedMethod(fn))
	}
	if named, ok := name.Type().(*types.Named); ok && slices.ContainsFunc(slices.Collect(named.Methods()), method) {
		return true
	}
	switch t := name.Type().Underlying().(type) {
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() && mentionsOld(field.Type()) {
				return true
			}
		}
		return false
	case *types.Interface:
		return slices.ContainsFunc(slices.Collect(t.Methods()), method)
	}
	return mentionsOld(name.Type().Underlying())
}
