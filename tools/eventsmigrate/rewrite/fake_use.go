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

// collect finds every expression that is a fake, and follows it one step.
func (a *fakes) collect(f *file) {
	ast.PreorderStack(f.ast, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if name, ok := f.TypesInfo.Uses[n].(*types.TypeName); ok && isNamed(name, recordPath, "FakeRecorder") {
				a.typeName(f, n, stack)
				return true
			}
		case *ast.AssignStmt:
			a.several(f, n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				names[i] = name
			}
			a.several(f, names, n.Values)
		}
		e, ok := n.(ast.Expr)
		if !ok || !f.TypesInfo.Types[e].IsValue() || !isFake(f.TypesInfo.TypeOf(e)) {
			return true
		}
		if _, isParen := e.(*ast.ParenExpr); isParen || f.TypesInfo.Types[e].IsNil() {
			return true
		}
		if f.makes(e) {
			a.makers = append(a.makers, &maker{file: f, expr: e, stack: slices.Clone(stack)})
			a.literal(e)
		}
		a.use(f, e, stack)
		return true
	})
}

// literal looks at what a literal of the fake's type sets.
func (a *fakes) literal(e ast.Expr) {
	unary, ok := e.(*ast.UnaryExpr)
	if !ok {
		return
	}
	for _, elt := range ast.Unparen(unary.X).(*ast.CompositeLit).Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Events" {
				continue
			}
		}
		a.doubt(e, elt.Pos(), "sets more than the channel")
	}
}

// typeName finds what is declared with the fake's type.
func (a *fakes) typeName(f *file, id *ast.Ident, stack []ast.Node) {
	var expr ast.Expr = id
	i := len(stack) - 1
	if sel, ok := stack[i].(*ast.SelectorExpr); ok {
		expr = sel
		i--
	}
	if _, ok := stack[i].(*ast.StarExpr); !ok {
		return
	}
	switch decl := stack[i-1].(type) {
	case *ast.ValueSpec:
		a.declared(f, expr, decl.Names)
	case *ast.Field:
		a.field(f, expr, decl, stack[:i-1])
	case *ast.TypeAssertExpr:
		a.asserts = append(a.asserts, decl.Pos())
	case *ast.CaseClause:
		a.asserts = append(a.asserts, decl.Pos())
	}
}

// declared notes variables of the fake's type.
func (a *fakes) declared(f *file, expr ast.Expr, names []*ast.Ident) {
	var first node
	for _, name := range names {
		switch obj := a.object(f.TypesInfo.Defs[name]); {
		case obj == nil: // _
		case first == nil:
			first = obj
			a.typed = append(a.typed, typed{f, expr, obj})
		default:
			a.link(first, obj, name.Pos())
		}
	}
}

// field notes fields, parameters and results of the fake's type.
func (a *fakes) field(f *file, expr ast.Expr, field *ast.Field, stack []ast.Node) {
	switch holder := stack[len(stack)-2].(type) {
	case *ast.StructType:
		a.declared(f, expr, field.Names)
	case *ast.FuncType:
		switch fn := stack[len(stack)-3].(type) {
		case *ast.FuncDecl:
			a.declared(f, expr, field.Names)
			switch result := a.object(f.TypesInfo.Defs[fn.Name]); {
			case holder.Results != stack[len(stack)-1]:
			case len(field.Names) > 0:
				a.link(result, a.object(f.TypesInfo.Defs[field.Names[0]]), field.Pos())
			default:
				a.typed = append(a.typed, typed{f, expr, result})
			}
		case *ast.FuncLit:
			switch stack[len(stack)-4].(type) {
			case *ast.ValueSpec, *ast.AssignStmt:
				a.literalParams(f, expr, field.Names)
			}
		}
	}
}

// literalParams notes parameters of a function literal that a variable holds: who
// calls the variable sees them in its type.
func (a *fakes) literalParams(f *file, expr ast.Expr, names []*ast.Ident) {
	a.declared(f, expr, names)
	for _, name := range names {
		if v, ok := f.TypesInfo.Defs[name].(*types.Var); ok {
			a.literals[v] = true
		}
	}
}

// several follows the results of a call, or the values of a statement, into
// variables that get more than one.
func (a *fakes) several(f *file, names, values []ast.Expr) {
	if len(values) != 1 || len(names) == 1 {
		return
	}
	for _, name := range names {
		if id, ok := name.(*ast.Ident); ok && id.Name == "_" || !isFake(f.TypesInfo.TypeOf(name)) {
			continue
		}
		var from node
		if call, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok {
			from = a.of(call)
		}
		a.link(a.of(name), from, name.Pos())
	}
}

// of is what an expression's fake is held by, or nil.
func (a *fakes) of(e ast.Expr) node {
	e = ast.Unparen(e)
	if a.makes(e) {
		return e
	}
	var obj types.Object
	switch e := e.(type) {
	case *ast.Ident:
		obj = a.TypesInfo.ObjectOf(e)
	case *ast.SelectorExpr:
		obj = a.TypesInfo.Uses[e.Sel]
	case *ast.CallExpr:
		obj = typeutil.Callee(a.TypesInfo, e)
	}
	return a.object(obj)
}

// object is an object as a node, if it is this package's.
func (a *fakes) object(obj types.Object) node {
	if obj == nil || obj.Pkg() != a.Pkg {
		return nil
	}
	switch o := obj.(type) {
	case *types.Var:
		if o.Embedded() {
			return nil
		}
		obj = o.Origin()
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return nil
		}
		obj = o.Origin()
	}
	a.objects[obj] = true
	return obj
}

// use follows a fake to where its parent in the syntax puts it.
func (a *fakes) use(f *file, e ast.Expr, stack []ast.Node) {
	n, i := a.of(e), len(stack)-1
	outer := e
	for paren, ok := stack[i].(*ast.ParenExpr); ok; paren, ok = stack[i].(*ast.ParenExpr) {
		outer = paren
		i--
	}
	switch parent := stack[i].(type) {
	case *ast.SelectorExpr:
		if parent.X == outer {
			a.selected(f, parent, n, stack[:i])
		}
	case *ast.AssignStmt:
		if at := index(parent.Rhs, outer); at >= 0 && len(parent.Lhs) == len(parent.Rhs) {
			a.assigned(parent.Lhs[at], n, parent.Tok == token.DEFINE)
		}
	case *ast.ValueSpec:
		if at := index(parent.Values, outer); at >= 0 && len(parent.Names) == len(parent.Values) {
			a.assigned(parent.Names[at], n, parent.Type == nil)
		}
	case *ast.CallExpr:
		a.argument(parent, index(parent.Args, outer), n, e)
	case *ast.ReturnStmt:
		a.returned(f, index(parent.Results, outer), n, e, stack[:i])
	case *ast.KeyValueExpr:
		if lit, ok := stack[i-1].(*ast.CompositeLit); ok && parent.Value == outer {
			a.element(lit, parent.Key, n, e)
		}
	case *ast.CompositeLit:
		a.element(parent, nil, n, e)
	case *ast.BinaryExpr:
		if !f.TypesInfo.Types[parent.X].IsNil() && !f.TypesInfo.Types[parent.Y].IsNil() {
			a.doubt(n, e.Pos(), "compares fakes")
		}
	case *ast.ExprStmt:
	default:
		a.doubt(n, e.Pos(), "does with the fake what has no counterpart")
	}
}

func index(list []ast.Expr, e ast.Expr) int {
	for i := range list {
		if list[i] == e {
			return i
		}
	}
	return -1
}
