// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
)

// collectOrigins finds where local variables without a declared type come from,
// and which function declares each parameter.
func (p *pass) collectOrigins() {
	for _, f := range p.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				p.define(n.Lhs, n.Rhs)
			case *ast.ValueSpec:
				if n.Type == nil {
					names := make([]ast.Expr, len(n.Names))
					for i, name := range n.Names {
						names[i] = name
					}
					p.define(names, n.Values)
				}
			case *ast.RangeStmt:
				p.define([]ast.Expr{n.Key}, []ast.Expr{n.X})
				p.define([]ast.Expr{n.Value}, []ast.Expr{n.X})
			case *ast.FuncDecl:
				p.parameters(n, n.Type)
			case *ast.FuncLit:
				p.parameters(n, n.Type)
			}
			return true
		})
	}
}

func (p *pass) define(names, values []ast.Expr) {
	for i, name := range names {
		id, ok := name.(*ast.Ident)
		if !ok {
			continue
		}
		obj, ok := p.TypesInfo.Defs[id].(*types.Var)
		if !ok || obj.Parent() == p.Pkg.Scope() || !mentionsOld(obj.Type()) {
			continue
		}
		switch {
		case len(values) == len(names):
			p.origin[obj] = values[i]
		case len(values) == 1:
			p.origin[obj] = values[0]
		}
	}
}

func (p *pass) parameters(fn ast.Node, sig *ast.FuncType) {
	for _, list := range []*ast.FieldList{sig.Params, sig.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if obj := p.TypesInfo.Defs[name]; obj != nil {
					p.scope[obj] = fn
				}
			}
		}
	}
}
