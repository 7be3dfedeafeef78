// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package assignments finds where the values of variables come from.
package assignments

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Value is what a variable or a field is set to.
type Value struct {
	Expr    ast.Expr // nil for any value: that of an assignment through an address is not known
	Index   int      // of the result, if Expr is a call with several
	Element bool     // an element or a key of Expr, by range
	Defines bool     // the variable is declared here, and takes its type from the value
}

// In returns the values that are assigned to variables and fields in a file or a part of one, by variable and in the order
// of the file. It adds them to those in all.
func In(node ast.Node, info *types.Info, all map[*types.Var][]Value) {
	c := collector{info, all}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN {
				c.add(n.Lhs[0], Value{Expr: &ast.BinaryExpr{X: n.Lhs[0], Op: token.ADD, Y: n.Rhs[0]}})
			} else {
				c.assign(n.Lhs, n.Rhs, n.Tok == token.DEFINE)
			}
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				names[i] = name
			}
			c.assign(names, n.Values, n.Type == nil)
		case *ast.RangeStmt:
			c.add(n.Key, Value{Expr: n.X, Element: true, Defines: n.Tok == token.DEFINE})
			c.add(n.Value, Value{Expr: n.X, Element: true, Defines: n.Tok == token.DEFINE})
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				c.add(n.X, Value{})
			}
		case *ast.CompositeLit:
			c.fields(n)
		}
		return true
	})
}

type collector struct {
	info *types.Info
	all  map[*types.Var][]Value
}

// assign adds the values of several variables, which may be the results of one call.
func (c collector) assign(left, right []ast.Expr, defines bool) {
	for i, l := range left {
		switch len(right) {
		case len(left):
			c.add(l, Value{Expr: right[i], Defines: defines})
		case 1:
			c.add(l, Value{Expr: right[0], Index: i, Defines: defines})
		}
	}
}

func (c collector) add(left ast.Expr, value Value) {
	id, _ := left.(*ast.Ident)
	if selector, ok := left.(*ast.SelectorExpr); ok {
		id = selector.Sel
	}
	if id == nil {
		return
	}
	value.Defines = value.Defines && c.info.Defs[id] != nil
	if v, ok := c.info.ObjectOf(id).(*types.Var); ok {
		c.all[v] = append(c.all[v], value)
	}
}

// fields adds the values that a literal assigns to the fields of a struct.
func (c collector) fields(literal *ast.CompositeLit) {
	t := c.info.TypeOf(literal)
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			c.add(pair.Key, Value{Expr: pair.Value})
		} else {
			field := structure.Field(i)
			c.all[field] = append(c.all[field], Value{Expr: element})
		}
	}
}
