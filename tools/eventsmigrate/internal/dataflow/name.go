// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow

import (
	"go/ast"
	"go/types"
)

// Object returns what a name or a selector stands for, or nil.
func (p *Package) Object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.Info.ObjectOf(e)
	case *ast.SelectorExpr:
		return p.Info.Uses[e.Sel]
	}
	return nil
}

// Variable is what an expression names, if that is a variable or a field, or nil.
func (p *Package) Variable(e ast.Expr) *types.Var {
	v, _ := p.Object(e).(*types.Var)
	return v
}

// EmbeddedFields are the fields through which a selection finds its method.
func EmbeddedFields(selection *types.Selection) (fields []*types.Var) {
	t := selection.Recv()
	for _, i := range selection.Index()[:len(selection.Index())-1] {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		structure, ok := t.Underlying().(*types.Struct)
		if !ok {
			return fields
		}
		fields = append(fields, structure.Field(i))
		t = structure.Field(i).Type()
	}
	return fields
}
