// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// flow is a value that is assigned to something: a variable, a parameter, a
// field, an element, a result.
type flow struct {
	value  ast.Expr
	target types.Type
	side   side       // of the target
	define bool       // the target takes its type from the value
	to     ast.Expr   // what takes it, if it has a name: a function, a variable, a literal
	field  *types.Var // of the literal
}

// flows calls visit with every value of the file that is assigned to something of
// a known type, in the order of the file.
func (f *file) flows(visit func(flow)) {
	var functions []ast.Node // around the current node
	f.visit(func(n ast.Node, stack []ast.Node) {
		functions = functions[:0]
		for _, around := range stack {
			switch around.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				functions = append(functions, around)
			}
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			f.arguments(n, visit)
		case *ast.AssignStmt:
			f.assignment(n, visit)
		case *ast.ValueSpec:
			f.declaration(n, visit)
		case *ast.ReturnStmt:
			if len(functions) > 0 {
				f.results(functions[len(functions)-1], n, visit)
			}
		case *ast.CompositeLit:
			f.elements(n, visit)
		case *ast.SendStmt:
			if ch, ok := f.TypesInfo.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
				visit(flow{value: n.Value, target: ch.Elem(), side: f.ofExpr(n.Chan)})
			}
		}
	})
}

func (f *file) arguments(call *ast.CallExpr, visit func(flow)) {
	tv := f.TypesInfo.Types[call.Fun]
	if tv.IsType() && len(call.Args) == 1 {
		visit(flow{value: call.Args[0], target: tv.Type, side: f.ofCall(call)})
		return
	}
	if tv.IsBuiltin() {
		f.appended(call, visit)
		return
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		return
	}
	target, generic := f.ofParameters(call)
	for i, arg := range call.Args {
		param := parameter(sig, i)
		if param == nil || call.Ellipsis.IsValid() && i == len(call.Args)-1 {
			continue
		}
		if generic != nil && isTypeParam(parameter(generic, i)) {
			continue // it takes the type of what it is given
		}
		visit(flow{value: arg, target: param, side: target, to: call.Fun})
	}
}

// appended are the elements that append adds.
func (f *file) appended(call *ast.CallExpr, visit func(flow)) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != "append" || call.Ellipsis.IsValid() {
		return
	}
	slice, ok := f.TypesInfo.TypeOf(call.Args[0]).Underlying().(*types.Slice)
	if !ok {
		return
	}
	for _, arg := range call.Args[1:] {
		visit(flow{value: arg, target: slice.Elem(), side: f.ofExpr(call.Args[0])})
	}
}

// ofParameters is the side of a call's parameters, and the signature of its
// declaration if that is generic.
func (f *file) ofParameters(call *ast.CallExpr) (side, *types.Signature) {
	fn, ok := typeutil.Callee(f.TypesInfo, call).(*types.Func)
	if !ok {
		return f.ofExpr(call.Fun), nil
	}
	s := f.ofObject(fn)
	if generic := fn.Origin().Signature(); generic.TypeParams().Len() > 0 || generic.RecvTypeParams().Len() > 0 {
		return s, generic
	}
	return s, nil
}

func parameter(sig *types.Signature, i int) types.Type {
	params := sig.Params()
	if sig.Variadic() && i >= params.Len()-1 {
		if slice, ok := params.At(params.Len() - 1).Type().(*types.Slice); ok {
			return slice.Elem()
		}
		return nil
	}
	if i >= params.Len() {
		return nil
	}
	return params.At(i).Type()
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

func (f *file) assignment(n *ast.AssignStmt, visit func(flow)) {
	if len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, value := range n.Rhs {
		id, _ := n.Lhs[i].(*ast.Ident)
		if n.Tok == token.DEFINE && id != nil && f.TypesInfo.Defs[id] != nil || id != nil && id.Name == "_" {
			continue
		}
		visit(flow{value: value, target: f.TypesInfo.TypeOf(n.Lhs[i]), side: f.ofExpr(n.Lhs[i]), to: n.Lhs[i]})
	}
}

func (f *file) declaration(n *ast.ValueSpec, visit func(flow)) {
	if len(n.Values) != len(n.Names) {
		return
	}
	for i, value := range n.Values {
		obj := f.TypesInfo.Defs[n.Names[i]]
		switch {
		case n.Type != nil:
			visit(flow{value: value, target: f.TypesInfo.TypeOf(n.Type), side: sideIf(!f.frozen)})
		case obj != nil && obj.Parent() == f.Pkg.Scope():
			visit(flow{value: value, target: obj.Type(), side: sideIf(!f.frozen), define: true})
		}
	}
}

func (f *file) results(function ast.Node, n *ast.ReturnStmt, visit func(flow)) {
	sig, ok := f.signature(function)
	if !ok || sig.Results().Len() != len(n.Results) {
		return
	}
	target := sideIf(!f.frozen && !f.pinned[function])
	for i, value := range n.Results {
		visit(flow{value: value, target: sig.Results().At(i).Type(), side: target})
	}
}

func (f *file) signature(function ast.Node) (*types.Signature, bool) {
	switch fn := function.(type) {
	case *ast.FuncDecl:
		obj, ok := f.TypesInfo.Defs[fn.Name].(*types.Func)
		if !ok {
			return nil, false
		}
		return obj.Signature(), true
	case *ast.FuncLit:
		sig, ok := f.TypesInfo.TypeOf(fn).(*types.Signature)
		return sig, ok
	}
	return nil, false
}

func (f *file) elements(lit *ast.CompositeLit, visit func(flow)) {
	t := f.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok { // &T elided inside a slice
		t = ptr.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for i, elt := range lit.Elts {
			f.fieldValue(lit, t, i, elt, visit)
		}
	case *types.Slice:
		f.values(lit, t.Elem(), visit)
	case *types.Array:
		f.values(lit, t.Elem(), visit)
	case *types.Map:
		f.values(lit, t.Elem(), visit)
	}
}

func (f *file) fieldValue(lit *ast.CompositeLit, st *types.Struct, i int, elt ast.Expr, visit func(flow)) {
	if kv, ok := elt.(*ast.KeyValueExpr); ok {
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			return
		}
		if field, ok := f.TypesInfo.Uses[key].(*types.Var); ok {
			visit(flow{value: kv.Value, target: field.Type(), side: f.ofObject(field), to: lit, field: field})
		}
		return
	}
	if i < st.NumFields() {
		field := st.Field(i)
		visit(flow{value: elt, target: field.Type(), side: f.ofObject(field), to: lit, field: field})
	}
}

func (f *file) values(lit *ast.CompositeLit, elem types.Type, visit func(flow)) {
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		visit(flow{value: elt, target: elem, side: f.ofLiteral(lit)})
	}
}
