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

// flow follows a value of a broadcaster's type to what is done with it.
func (s *survey) flow(u use, key any) {
	i := len(u.stack) - 1
	value := u.expr
	for ; ; i-- {
		paren, ok := u.stack[i].(*ast.ParenExpr)
		if !ok {
			break
		}
		value = paren
	}
	part := s.part(key)
	switch around := u.stack[i].(type) {
	case *ast.SelectorExpr:
		s.method(use{file: u.file, stack: u.stack[:i]}, around, part)
	case *ast.AssignStmt:
		if at := slices.Index(around.Rhs, value); at >= 0 && len(around.Lhs) == len(around.Rhs) {
			s.assigned(key, around.Lhs[at])
		}
	case *ast.ValueSpec:
		if at := slices.Index(around.Values, value); at >= 0 && len(around.Names) == len(around.Values) {
			s.assigned(key, around.Names[at])
		}
	case *ast.ReturnStmt:
		s.returned(u, key, slices.Index(around.Results, value), len(around.Results))
	case *ast.CallExpr:
		s.argument(key, around, slices.Index(around.Args, value))
	case *ast.KeyValueExpr, *ast.CompositeLit:
		s.element(u.stack[:i+1], key, value)
	case *ast.BinaryExpr:
		if around.Op != token.EQL && around.Op != token.NEQ {
			part.refuse("it is part of an expression (%s)", s.place(value))
		}
	case *ast.ExprStmt:
	default:
		part.refuse("it is kept in a map, a slice or an interface (%s)", s.place(value))
	}
}

// method is a method that is selected from a broadcaster.
func (s *survey) method(u use, sel *ast.SelectorExpr, part *broadcaster) {
	call, ok := u.stack[len(u.stack)-1].(*ast.CallExpr)
	if !ok || call.Fun != ast.Expr(sel) {
		part.refuse("its method %s is used as a value (%s)", sel.Sel.Name, s.place(sel))
		return
	}
	u.expr, u.stack = call, slices.Clone(u.stack[:len(u.stack)-1])
	switch sel.Sel.Name {
	case "StartRecordingToSink":
		part.starts = append(part.starts, u)
		s.result(u, part)
	case "StartLogging", "StartStructuredLogging":
		part.loggings = append(part.loggings, u)
		s.result(u, part)
	case "NewRecorder":
		part.recorders = append(part.recorders, u)
		if call.Ellipsis.IsValid() || len(call.Args) != 2 {
			part.refuse("the arguments of NewRecorder come from another call (%s)", s.place(call))
		}
	case "Shutdown":
		part.ends = append(part.ends, u)
	default:
		part.refuse("%s handles Events of core/v1 (%s): give the new one a handler of events.k8s.io/v1",
			sel.Sel.Name, s.place(sel))
	}
}

func (s *survey) assigned(key any, to ast.Expr) {
	id, ok := ast.Unparen(to).(*ast.Ident)
	if sel, isSel := ast.Unparen(to).(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	}
	if ok && id.Name == "_" {
		return
	}
	if ok {
		if v, isVar := s.TypesInfo.ObjectOf(id).(*types.Var); isVar && isOldBroadcaster(v.Type()) {
			s.union(key, v.Origin())
			return
		}
	}
	s.part(key).refuse("it is kept in a map, a slice or an interface (%s)", s.place(to))
}

// tuple joins the results of one call with what they are assigned to.
func (s *survey) tuple(names, values []ast.Expr) {
	if len(values) != 1 || len(names) < 2 {
		return
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	tuple, ok := s.TypesInfo.TypeOf(call).(*types.Tuple)
	if !ok {
		return
	}
	for i := range names {
		if i >= tuple.Len() || !isOldBroadcaster(tuple.At(i).Type()) {
			continue
		}
		fn, ok := typeutil.Callee(s.TypesInfo, call).(*types.Func)
		if !ok || fn.Pkg() != s.Pkg {
			s.part(call).foreign = true
			s.part(call).refuse("it comes from %s, which stays old", types.ExprString(call.Fun))
			s.assigned(call, names[i])
			continue
		}
		s.assigned(s.member(fn, fn.Origin().Signature().Results().At(i)), names[i])
	}
}

func (s *survey) returned(u use, key any, at, count int) {
	fn, ok := u.function().(*ast.FuncDecl)
	if ok {
		obj := s.TypesInfo.Defs[fn.Name].(*types.Func)
		results := obj.Signature().Results()
		if results.Len() == count && isOldBroadcaster(results.At(at).Type()) {
			s.union(key, s.member(obj, results.At(at)))
			return
		}
	}
	s.part(key).refuse("a function value returns it, or something that holds it (%s)", s.place(u.expr))
}

func (s *survey) argument(key any, call *ast.CallExpr, at int) {
	fn, ok := typeutil.Callee(s.TypesInfo, call).(*types.Func)
	if ok && fn.Pkg() == s.Pkg && at >= 0 {
		params := fn.Origin().Signature().Params()
		if at < params.Len() && isOldBroadcaster(params.At(at).Type()) {
			s.union(key, s.member(fn, params.At(at)))
			return
		}
	}
	s.part(key).refuse("it is handed to %s (%s)", types.ExprString(call.Fun), s.place(call))
}

// element is a broadcaster in a struct literal.
func (s *survey) element(stack []ast.Node, key any, value ast.Expr) {
	last := stack[len(stack)-1]
	lit, _ := last.(*ast.CompositeLit)
	var field *types.Var
	if kv, ok := last.(*ast.KeyValueExpr); ok {
		if id, ok := kv.Key.(*ast.Ident); ok {
			field, _ = s.TypesInfo.Uses[id].(*types.Var)
		}
	} else if st, ok := s.TypesInfo.TypeOf(lit).Underlying().(*types.Struct); ok {
		field = st.Field(slices.Index(lit.Elts, value))
	}
	if field == nil || !isOldBroadcaster(field.Type()) || !field.IsField() {
		s.part(key).refuse("it is kept in a map, a slice or an interface (%s)", s.place(value))
		return
	}
	s.union(key, field.Origin())
}

// name is an identifier: the broadcaster's type, or a function that takes or
// returns one and is used as a value.
func (s *survey) name(f *file, id *ast.Ident, stack []ast.Node) {
	switch obj := f.TypesInfo.Uses[id].(type) {
	case *types.TypeName:
		if isNamed(obj, recordPath, "EventBroadcaster") {
			s.typeWritten(f, id, stack)
		}
	case *types.Func:
		if obj.Pkg() == s.Pkg && !isCalled(id, stack) {
			s.functionValue(obj)
		}
	}
}

func isCalled(id *ast.Ident, stack []ast.Node) bool {
	inner := ast.Expr(id)
	for i := len(stack) - 1; i >= 0; i-- {
		switch around := stack[i].(type) {
		case *ast.SelectorExpr:
			inner = around
			continue
		case *ast.ParenExpr:
			inner = around
			continue
		case *ast.CallExpr:
			return around.Fun == inner
		}
		return false
	}
	return false
}

func (s *survey) functionValue(fn *types.Func) {
	sig := fn.Origin().Signature()
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if isOldBroadcaster(v.Type()) {
				s.part(v).refuse("%s is used as a value", fn.Name())
			}
		}
	}
}
