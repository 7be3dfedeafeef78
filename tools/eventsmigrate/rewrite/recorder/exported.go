// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// exports reports the exported names of a file whose type changes.
func (f *file) exports() {
	internal := slices.Contains(strings.Split(f.Pkg.Path(), "/"), "internal")
	if internal || f.Pkg.Name() == "main" || f.IsTest() {
		return
	}
	for _, name := range f.Pkg.Scope().Names() {
		obj := f.Pkg.Scope().Lookup(name)
		if obj.Exported() && f.AST.FileStart <= obj.Pos() && obj.Pos() < f.AST.FileEnd && f.changesType(obj) {
			f.Leave(&ast.Ident{NamePos: obj.Pos(), Name: name}, plan.Exported,
				"%s.%s is exported and changes its type: users in other modules change with it", f.Pkg.Name(), name)
		}
	}
}

// changesType reports whether what others see of an object gets another type.
func (f *file) changesType(obj types.Object) bool {
	name, ok := obj.(*types.TypeName)
	if !ok || name.IsAlias() {
		return api.MentionsOld(obj.Type())
	}
	method := func(fn *types.Func) bool {
		return fn.Exported() && (f.Changes(fn) || api.MentionsOld(fn.Signature()) && !f.PinnedMethod(fn))
	}
	if named, ok := name.Type().(*types.Named); ok && slices.ContainsFunc(slices.Collect(named.Methods()), method) {
		return true
	}
	switch t := name.Type().Underlying().(type) {
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() && api.MentionsOld(field.Type()) {
				return true
			}
		}
		return false
	case *types.Interface:
		return slices.ContainsFunc(slices.Collect(t.Methods()), method)
	}
	return api.MentionsOld(name.Type().Underlying())
}
