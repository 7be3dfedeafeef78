// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package border

import (
	"go/ast"
	"go/types"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// origin is the expression that a local variable without a declared type comes from, or nil.
func (b *Package) origin(obj types.Object) ast.Expr {
	v, ok := obj.(*types.Var)
	if !ok || v.Parent() == b.pass.Pkg.Scope() || !api.MentionsOld(v.Type()) {
		return nil
	}
	return b.Data.Declared(v)
}

// Origin is the expression that a local variable comes from, and any other expression itself.
func (b *Package) Origin(value ast.Expr) ast.Expr {
	value = ast.Unparen(value)
	if id, ok := value.(*ast.Ident); ok {
		if from := b.origin(b.info.Uses[id]); from != nil {
			return b.Origin(from)
		}
	}
	return value
}

// Maker is the call of the old package or the literal that makes what a local variable holds, or nil.
func (b *Package) Maker(value ast.Expr) ast.Expr {
	switch e := b.Origin(value).(type) {
	case *ast.CallExpr:
		if api.IsTopLevel(b.callee(e)) {
			return e
		}
	case *ast.CompositeLit:
		if api.IsOld(b.info.TypeOf(e)) {
			return e
		}
	case *ast.UnaryExpr:
		return b.Maker(e.X)
	}
	return nil
}
