// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package border

import (
	"go/ast"
	"go/types"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// collectOrigins finds where local variables without a declared type come from.
func (b *Package) collectOrigins() {
	for _, f := range b.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				b.define(n.Lhs, n.Rhs)
			case *ast.ValueSpec:
				if n.Type == nil {
					names := make([]ast.Expr, len(n.Names))
					for i, name := range n.Names {
						names[i] = name
					}
					b.define(names, n.Values)
				}
			case *ast.RangeStmt:
				b.define([]ast.Expr{n.Key, n.Value}, []ast.Expr{n.X})
			}
			return true
		})
	}
}

func (b *Package) define(names, values []ast.Expr) {
	for i, name := range names {
		id, _ := name.(*ast.Ident)
		obj, ok := b.info.Defs[id].(*types.Var)
		if !ok || obj.Parent() == b.pass.Pkg.Scope() || !api.MentionsOld(obj.Type()) {
			continue
		}
		switch {
		case len(values) == len(names):
			b.origin[obj] = values[i]
		case len(values) == 1:
			b.origin[obj] = values[0]
		}
	}
}

// Origin is the expression that a local variable comes from, and any other expression itself.
func (b *Package) Origin(value ast.Expr) ast.Expr {
	value = ast.Unparen(value)
	if id, ok := value.(*ast.Ident); ok {
		if from, ok := b.origin[b.info.Uses[id]]; ok {
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
