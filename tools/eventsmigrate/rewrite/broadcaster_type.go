// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// typeWritten joins the name of the broadcaster's type with what is declared to
// have it. A name that declares nothing here stays, and so does what it is for.
func (s *survey) typeWritten(f *file, id *ast.Ident, stack []ast.Node) {
	expr := ast.Expr(id)
	if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok {
		expr, stack = sel, stack[:len(stack)-1]
	}
	u := use{file: f, expr: expr, stack: slices.Clone(stack)}
	var declared []any
	switch around := stack[len(stack)-1].(type) {
	case *ast.ValueSpec:
		if around.Type == expr {
			declared = s.declared(around.Names)
		}
	case *ast.Field:
		declared = s.declared(around.Names)
		if len(around.Names) == 0 {
			declared = s.unnamed(id, around, stack[:len(stack)-1])
		}
	}
	for i, key := range declared {
		if i > 0 {
			s.union(declared[0], key)
		}
	}
	if len(declared) == 0 {
		return
	}
	part := s.part(declared[0])
	part.types = append(part.types, u)
	if f.frozen {
		part.refuse("part of it is in a file that stays old (%s)", s.place(id))
	}
	s.inFunctionType(part, stack)
}

func (s *survey) declared(names []*ast.Ident) []any {
	var vars []any
	for _, name := range names {
		if v, ok := s.TypesInfo.Defs[name].(*types.Var); ok {
			vars = append(vars, v)
		}
	}
	return vars
}

// unnamed is an embedded field, or a parameter or result without a name.
func (s *survey) unnamed(id *ast.Ident, field *ast.Field, stack []ast.Node) []any {
	if v, ok := s.TypesInfo.Defs[id].(*types.Var); ok {
		s.part(v).refuse("it is embedded (%s)", s.place(id))
		return []any{v}
	}
	decl, ok := around[*ast.FuncDecl](stack, 2)
	if !ok {
		return nil
	}
	sig := s.TypesInfo.Defs[decl.Name].(*types.Func).Signature()
	tuple, list := sig.Params(), decl.Type.Params
	if decl.Type.Results != nil && decl.Type.Results.Pos() <= field.Pos() {
		tuple, list = sig.Results(), decl.Type.Results
	}
	if at := slices.Index(list.List, field); at >= 0 && len(list.List) == tuple.Len() {
		return []any{tuple.At(at)}
	}
	return nil
}

// inFunctionType refuses what a function type, a literal or an interface
// declares: who else has that type is not known.
func (s *survey) inFunctionType(part *broadcaster, stack []ast.Node) {
	if len(stack) < 3 {
		return
	}
	list, isList := stack[len(stack)-2].(*ast.FieldList)
	fn, isFunc := stack[len(stack)-3].(*ast.FuncType)
	if !isList || !isFunc {
		return
	}
	decl, isDecl := around[*ast.FuncDecl](stack, 3)
	switch {
	case !isDecl:
		part.refuse("a function type mentions it (%s)", s.place(list))
	case decl.Type == fn:
		s.member(s.TypesInfo.Defs[decl.Name].(*types.Func), part.holders[0])
	}
}

// around is the nth node before the end of a stack, if it is of that type.
func around[T ast.Node](stack []ast.Node, n int) (T, bool) {
	var none T
	if len(stack) <= n {
		return none, false
	}
	found, ok := stack[len(stack)-1-n].(T)
	return found, ok
}
