// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow

import (
	"go/ast"
	"go/types"
)

// Only returns the value of a variable that is set once: where it is declared, and its address is not taken. It returns nil
// for any other expression. An element of a list and one of several results have no expression of their own, so that
// variables with these have none.
func (p *Package) Only(e ast.Expr) ast.Expr {
	v := p.Variable(e)
	if v == nil || len(p.values[v]) != 1 {
		return nil
	}
	value := p.values[v][0]
	if !value.Defines || value.Element {
		return nil
	}
	if _, several := p.Info.TypeOf(value.Expr).(*types.Tuple); several {
		return nil
	}
	return value.Expr
}

// Declared returns the expression that gives a variable its type, because the declaration has no other one, or nil. The type
// may be that of an element or of one of several results.
func (p *Package) Declared(v *types.Var) ast.Expr {
	if len(p.values[v]) == 0 || !p.values[v][0].Defines {
		return nil
	}
	return p.values[v][0].Expr
}

// Resolve follows an expression through variables that are set once. It returns any other expression itself.
func (p *Package) Resolve(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if only := p.Only(e); only != nil {
		return p.Resolve(only)
	}
	return e
}
