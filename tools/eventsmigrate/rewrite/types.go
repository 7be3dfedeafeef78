// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
)

// types rewrites the names of the old recorder's types wherever they are
// written: fields, parameters, results, variables, embedded, type arguments.
func (f *file) types() {
	ast.PreorderStack(f.ast, nil, func(n ast.Node, stack []ast.Node) bool {
		if f.pinned[n] {
			f.leavePinned(n)
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		name, ok := f.TypesInfo.Uses[id].(*types.TypeName)
		if !ok || !isNamed(name, recordPath, "EventRecorder", "EventRecorderLogger", "FakeRecorder") {
			return true
		}
		var expr ast.Expr = id
		if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && sel.Sel == id {
			expr = sel
		}
		if !f.edited[expr] && !f.inPinnedSignature(n, stack) {
			f.edited[expr] = true
			f.retype(expr, name.Name())
			if name.Name() != "FakeRecorder" {
				f.embedding(expr, stack)
			}
		}
		return true
	})
}

func (f *file) retype(expr ast.Expr, name string) {
	f.dropName(expr)
	replacement := f.pkg(f.config.eventsPath()) + "." + name
	f.rewrite(expr, "type", "record.%s is %s.%s in the events API", name, short(f.config.eventsPath()), name).
		replace(expr.Pos(), expr.End(), replacement)
}

// embedding names a struct that loses its AnnotatedEventf: the events API's
// recorder has none to promote, and annotations recorded through the struct
// would go missing unnoticed.
func (f *file) embedding(expr ast.Expr, stack []ast.Node) {
	var field *ast.Field
	var spec *ast.TypeSpec
	for _, around := range stack {
		switch n := around.(type) {
		case *ast.TypeSpec:
			spec, field = n, nil
		case *ast.Field:
			field = n
		}
	}
	if field == nil || spec == nil || len(field.Names) > 0 {
		return
	}
	st, ok := spec.Type.(*ast.StructType)
	if !ok || field.Pos() < st.Pos() {
		return
	}
	t := f.TypesInfo.Defs[spec.Name].Type()
	if sel := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, string(annotatedf)); sel == nil || len(sel.Index()) == 1 {
		return
	}
	f.keep(expr, "%s has no AnnotatedEventf any more: declare one if annotations are to pass through it", spec.Name.Name)
}

// inPinnedSignature says whether a node is part of the signature of a function
// whose signature others dictate.
func (f *file) inPinnedSignature(n ast.Node, stack []ast.Node) bool {
	for _, around := range stack {
		var sig *ast.FuncType
		switch fn := around.(type) {
		case *ast.FuncDecl:
			sig = fn.Type
		case *ast.FuncLit:
			sig = fn.Type
		}
		if sig != nil && f.pinned[around] && sig.Pos() <= n.Pos() && n.End() <= sig.End() {
			return true
		}
	}
	return false
}

func (f *file) leavePinned(n ast.Node) {
	if fn, ok := n.(*ast.FuncDecl); ok {
		f.keep(fn.Name, "an interface of another module dictates the signature of %s", fn.Name.Name)
	}
}
