// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// renames puts new names in the place of old ones wherever they are written: in declarations, calls, literals and
// assertions.
func (f *file) renames() {
	ast.PreorderStack(f.ast, nil, func(n ast.Node, stack []ast.Node) bool {
		if f.removed[n] {
			return false
		}
		if f.pinned[n] {
			f.leavePinned(n)
		}
		if e, ok := n.(ast.Expr); ok && f.decided[e] == oldSide {
			return false // with all of its options
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			f.dropOptions(n)
		case *ast.Ident:
			if to, ok := f.config.becomes(f.TypesInfo.Uses[n]); ok && !f.inPinnedSignature(n, stack) {
				f.rename(n, stack, to)
			}
		}
		return true
	})
}

func (f *file) rename(id *ast.Ident, stack []ast.Node, to newName) {
	var expr ast.Expr = id
	if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && sel.Sel == id {
		expr, stack = sel, stack[:len(stack)-1]
	}
	if f.edited[expr] || to.lost != "" && !isCalled(expr, stack) {
		return
	}
	f.edited[expr] = true
	f.dropName(expr)
	category := "type"
	if _, isFunc := f.TypesInfo.Uses[id].(*types.Func); isFunc {
		category = "constructor"
	}
	f.rewrite(expr, category, "record.%s becomes %s.%s", id.Name, short(to.path), to.name).
		replace(expr.Pos(), expr.End(), f.pkg(to.path)+"."+to.name)
	if strings.HasPrefix(id.Name, "EventRecorder") {
		f.embedding(expr, stack)
	}
}

// isCalled reports whether an expression is the function of the call around it.
func isCalled(expr ast.Expr, stack []ast.Node) bool {
	call, ok := stack[len(stack)-1].(*ast.CallExpr)
	return ok && ast.Unparen(call.Fun) == expr
}

// dropOptions takes away what a call hands to a new broadcaster and nothing there takes.
func (f *file) dropOptions(call *ast.CallExpr) {
	made := f.callee(call)
	to, ok := f.config.becomes(made)
	if !ok || to.name != "NewBroadcaster" || len(call.Args) == 0 {
		return
	}
	var lost []string
	for _, arg := range call.Args {
		what := to.lost
		if option, ok := ast.Unparen(arg).(*ast.CallExpr); ok && what == "" && isTopLevel(f.callee(option)) {
			what = lostOptions[f.callee(option).Name()]
		}
		if what != "" {
			f.dropNames(arg)
			lost = append(lost, "no "+what)
		}
	}
	if len(lost) == 0 {
		return
	}
	pl := f.rewrite(call, "constructor", "the new broadcaster has %s", strings.Join(slices.Compact(lost), ", "))
	if len(lost) == len(call.Args) {
		pl.replace(call.Lparen+1, call.Rparen, "")
		return
	}
	kept := false // before the argument
	for i, arg := range call.Args {
		switch {
		case !f.edited[arg]:
			kept = true
		case kept:
			pl.replace(call.Args[i-1].End(), arg.End(), "")
		default:
			pl.replace(arg.Pos(), call.Args[i+1].Pos(), "")
		}
	}
}

// dropNames notes that an edit removes a part of the file.
func (f *file) dropNames(part ast.Node) {
	ast.Inspect(part, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		f.edited[e] = true
		f.dropName(e)
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		return !ok || !isPackage(f.TypesInfo.Uses[x])
	})
}

func isPackage(obj types.Object) bool {
	_, ok := obj.(*types.PkgName)
	return ok
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
	sel := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, string(annotatedf))
	if sel == nil || len(sel.Index()) == 1 {
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
