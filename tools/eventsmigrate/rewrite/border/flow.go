// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package border

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Flow is a value that is assigned to something: a variable, a parameter, a
// field, an element, a result.
type Flow struct {
	Value  ast.Expr
	Target types.Type
	Side   Side       // of the target
	Define bool       // the target takes its type from the value
	To     ast.Expr   // what takes it, if it has a name: a function, a variable, a literal
	Var    *types.Var // the variable, the parameter or the field of To
}

// Flows calls visit with every value of a file that is assigned to something of
// a known type, in the order of the file.
func (b *Package) Flows(file *ast.File, visit func(Flow)) {
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			b.arguments(n, visit)
			b.expected(n, visit)
		case *ast.AssignStmt:
			b.assignment(n, visit)
		case *ast.ValueSpec:
			b.declaration(n, visit)
		case *ast.ReturnStmt:
			b.results(n, stack, visit)
		case *ast.CompositeLit:
			b.elements(n, visit)
		case *ast.SendStmt:
			if ch, ok := b.info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
				visit(Flow{Value: n.Value, Target: ch.Elem(), Side: b.Of(n.Chan)})
			}
		}
		return true
	})
}

func (b *Package) arguments(call *ast.CallExpr, visit func(Flow)) {
	tv := b.info.Types[call.Fun]
	if tv.IsType() && len(call.Args) == 1 {
		visit(Flow{Value: call.Args[0], Target: tv.Type, Side: b.ofCall(call)})
		return
	}
	if tv.IsBuiltin() {
		b.appended(call, visit)
		return
	}
	if tv.Type == nil {
		return // a function of C has no type
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		return
	}
	side, generic := b.ofParameters(call)
	for i, arg := range call.Args {
		param := parameter(sig, i)
		if param == nil || call.Ellipsis.IsValid() && i == len(call.Args)-1 {
			continue
		}
		if generic != nil && IsTypeParam(parameter(generic, i)) {
			continue // it takes the type of what it is given
		}
		flow := Flow{Value: arg, Target: param, Side: side, To: call.Fun}
		if i < sig.Params().Len() && !(sig.Variadic() && i == sig.Params().Len()-1) {
			flow.Var = sig.Params().At(i)
		}
		flow.Side = b.unlessPassing(flow.Var, side)
		visit(flow)
	}
}

// expected are the arguments of Return in gomock's EXPECT().Method().Return(results...). A method of a mock must return
// what its signature says.
func (b *Package) expected(call *ast.CallExpr, visit func(Flow)) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Return" {
		return
	}
	method := b.Expectation(sel.X)
	if method == nil || method.Signature().Results().Len() != len(call.Args) {
		return
	}
	for i, arg := range call.Args {
		visit(Flow{Value: arg, Target: method.Signature().Results().At(i).Type(), Side: b.ofObject(method)})
	}
}

// Expectation is the method of a mock whose call gomock's EXPECT().Method() and the calls behind it expect, or nil.
func (b *Package) Expectation(e ast.Expr) *types.Func {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return nil
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		if expect, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok {
			mock, ok := expect.Fun.(*ast.SelectorExpr)
			if ok && mock.Sel.Name == "EXPECT" {
				found, _, _ := types.LookupFieldOrMethod(b.info.TypeOf(mock.X), true, b.pass.Pkg, sel.Sel.Name)
				method, _ := found.(*types.Func)
				return method
			}
		}
		e = sel.X
	}
}

// appended are the elements that append adds.
func (b *Package) appended(call *ast.CallExpr, visit func(Flow)) {
	if !isAppend(call) || call.Ellipsis.IsValid() {
		return
	}
	if slice, ok := b.info.TypeOf(call.Args[0]).Underlying().(*types.Slice); ok {
		for _, arg := range call.Args[1:] {
			visit(Flow{Value: arg, Target: slice.Elem(), Side: b.Of(call.Args[0])})
		}
	}
}

// isAppend reports whether the call of a builtin function is one of append.
func isAppend(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "append"
}

// ofParameters is the side of a call's parameters, and the signature of its
// declaration if that is generic.
func (b *Package) ofParameters(call *ast.CallExpr) (Side, *types.Signature) {
	fn, ok := b.callee(call).(*types.Func)
	if !ok {
		return b.Of(call.Fun), nil
	}
	s := b.ofObject(fn)
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

// IsTypeParam reports whether a type is a parameter of a generic declaration.
func IsTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

func (b *Package) assignment(n *ast.AssignStmt, visit func(Flow)) {
	if len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, value := range n.Rhs {
		id, _ := n.Lhs[i].(*ast.Ident)
		if n.Tok == token.DEFINE && id != nil && b.info.Defs[id] != nil || id != nil && id.Name == "_" {
			continue
		}
		visit(Flow{
			Value:  value,
			Target: b.info.TypeOf(n.Lhs[i]),
			Side:   b.Of(n.Lhs[i]),
			To:     n.Lhs[i],
			Var:    b.Data.Variable(n.Lhs[i]),
		})
	}
}

func (b *Package) declaration(n *ast.ValueSpec, visit func(Flow)) {
	if len(n.Values) != len(n.Names) {
		return
	}
	for i, value := range n.Values {
		obj := b.info.Defs[n.Names[i]]
		switch {
		case n.Type != nil:
			v, _ := obj.(*types.Var)
			visit(Flow{Value: value, Target: b.info.TypeOf(n.Type), Side: b.unlessPassing(v, b.written(n)), Var: v})
		case obj != nil && obj.Parent() == b.pass.Pkg.Scope():
			visit(Flow{Value: value, Target: obj.Type(), Side: b.written(n), Define: true})
		}
	}
}

// results are what a statement returns from the innermost function around it.
func (b *Package) results(n *ast.ReturnStmt, stack []ast.Node, visit func(Flow)) {
	for _, around := range slices.Backward(stack) {
		var sig *types.Signature
		side := b.written(n)
		switch fn := around.(type) {
		case *ast.FuncDecl:
			if obj, ok := b.info.Defs[fn.Name].(*types.Func); ok {
				sig = obj.Signature()
			}
			side = b.unlessPinned(fn.Type, side)
		case *ast.FuncLit:
			sig, _ = b.info.TypeOf(fn).(*types.Signature)
			side = b.unlessPinned(fn.Type, side)
		default:
			continue
		}
		if sig != nil && sig.Results().Len() == len(n.Results) {
			for i, value := range n.Results {
				visit(Flow{Value: value, Target: sig.Results().At(i).Type(), Side: side})
			}
		}
		return
	}
}

func (b *Package) elements(lit *ast.CompositeLit, visit func(Flow)) {
	t := b.info.TypeOf(lit)
	if t == nil {
		return
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok { // &T elided inside a slice
		t = ptr.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		b.fields(lit, t, visit)
	case interface{ Elem() types.Type }: // a slice, an array, a map
		for _, elt := range lit.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			visit(Flow{Value: elt, Target: t.Elem(), Side: b.ofLiteral(lit)})
		}
	}
}

func (b *Package) fields(lit *ast.CompositeLit, st *types.Struct, visit func(Flow)) {
	for i, value := range lit.Elts {
		var field *types.Var
		if kv, ok := value.(*ast.KeyValueExpr); ok {
			key, _ := kv.Key.(*ast.Ident)
			field, _ = b.info.Uses[key].(*types.Var)
			value = kv.Value
		} else if i < st.NumFields() {
			field = st.Field(i)
		}
		if field != nil {
			visit(Flow{Value: value, Target: field.Type(), Side: b.ofObject(field), To: lit, Var: field})
		}
	}
}
