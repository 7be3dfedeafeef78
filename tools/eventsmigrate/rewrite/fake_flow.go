// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// into follows a fake to a target of some type: another fake, or a recorder's
// interface, which a Recorder of the test kit satisfies as well.
func (a *fakes) into(t types.Type, to, from node, at token.Pos) {
	switch {
	case isFake(t):
		a.link(to, from, at)
	case t != nil && types.IsInterface(t) && !isTypeParam(t) && (isOldRecorder(t) || len(methodsOfOldShape(t)) > 0):
		if from != nil {
			a.handed = append(a.handed, from)
		}
	default:
		a.doubt(from, at, "hands the fake on as something else than a recorder")
	}
}

func (a *fakes) assigned(target ast.Expr, from node, define bool) {
	if id, ok := target.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	t := a.TypesInfo.TypeOf(target)
	if define && isFake(t) {
		a.link(a.of(target), from, target.Pos())
		return
	}
	a.into(t, a.of(target), from, target.Pos())
}

// argument follows a fake that is handed to a function.
func (a *fakes) argument(call *ast.CallExpr, i int, from node, e ast.Expr) {
	tv := a.TypesInfo.Types[call.Fun]
	switch {
	case i < 0:
	case tv.IsType():
		a.into(tv.Type, nil, from, e.Pos())
	case tv.IsBuiltin():
		a.doubt(from, e.Pos(), "does with the fake what has no counterpart")
	default:
		a.parameter(call, i, from, e)
	}
}

func (a *fakes) parameter(call *ast.CallExpr, i int, from node, e ast.Expr) {
	sig, ok := a.TypesInfo.Types[call.Fun].Type.Underlying().(*types.Signature)
	if !ok || call.Ellipsis.IsValid() {
		a.doubt(from, e.Pos(), "hands the fake to what is not followed")
		return
	}
	t := parameter(sig, i)
	var to node
	if i < sig.Params().Len() && a.literals[sig.Params().At(i)] {
		to = a.object(sig.Params().At(i))
	}
	if fn, ok := typeutil.Callee(a.TypesInfo, call).(*types.Func); ok {
		params := fn.Origin().Signature().Params()
		if fn.Pkg() == a.Pkg && !(sig.Variadic() && i >= params.Len()-1) {
			to = a.object(params.At(i))
		}
		if generic := parameter(fn.Origin().Signature(), i); generic != nil && isTypeParam(generic) {
			t = generic
		}
	}
	a.into(t, to, from, e.Pos())
}

// returned follows a fake to the results of the function around.
func (a *fakes) returned(f *file, i int, from node, e ast.Expr, stack []ast.Node) {
	for at := len(stack) - 1; at >= 0; at-- {
		sig, ok := f.signature(stack[at])
		if !ok {
			continue
		}
		var to node
		if decl, ok := stack[at].(*ast.FuncDecl); ok {
			to = a.object(f.TypesInfo.Defs[decl.Name])
		}
		if i < 0 || i >= sig.Results().Len() {
			a.doubt(from, e.Pos(), "hands the fake to what is not followed")
			return
		}
		a.into(sig.Results().At(i).Type(), to, from, e.Pos())
		return
	}
}

// element follows a fake into a literal: to a struct's field, or nowhere.
func (a *fakes) element(lit *ast.CompositeLit, key ast.Expr, from node, e ast.Expr) {
	t := a.TypesInfo.TypeOf(lit)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		field := a.fieldOf(t, lit, key, e)
		if field == nil {
			a.doubt(from, e.Pos(), "hands the fake to what is not followed")
			return
		}
		a.into(field.Type(), a.object(field), from, e.Pos())
	case *types.Slice:
		a.into(t.Elem(), nil, from, e.Pos())
	case *types.Array:
		a.into(t.Elem(), nil, from, e.Pos())
	case *types.Map:
		a.into(t.Elem(), nil, from, e.Pos())
	}
}

func (a *fakes) fieldOf(st *types.Struct, lit *ast.CompositeLit, key ast.Expr, e ast.Expr) *types.Var {
	if id, ok := key.(*ast.Ident); ok {
		field, _ := a.TypesInfo.Uses[id].(*types.Var)
		return field
	}
	for i, elt := range lit.Elts {
		if ast.Unparen(elt) == e && i < st.NumFields() {
			return st.Field(i)
		}
	}
	return nil
}

// selected looks at what is selected from a fake: its channel is read, its
// methods are called as a recorder's.
func (a *fakes) selected(f *file, sel *ast.SelectorExpr, n node, stack []ast.Node) {
	if n == nil {
		return
	}
	switch sel.Sel.Name {
	case "Events":
		a.reads = append(a.reads, &read{file: f, all: a, sel: sel, node: n, stack: slices.Clone(stack)})
	case "IncludeObject":
		f.leave(sel, "fake", "the events API's FakeRecorder has no IncludeObject, so this one stays old: "+
			"compare objects with the SDK's eventstest.NewRecorder instead")
		a.doubts = append(a.doubts, doubt{n, sel.Pos(), reason{a.where(sel.Pos()) + " sets IncludeObject", true}})
	}
}
