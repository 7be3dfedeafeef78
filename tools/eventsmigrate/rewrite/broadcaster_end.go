// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// drains says whether the function that starts a broadcaster should end it: it
// makes it, runs until the end, and neither the broadcaster nor a recorder
// leaves it. A defer where that is not so would lose every event.
func (w *wiring) drains(start use) bool {
	function := start.function()
	if w.ended() || len(w.makers) != 1 || function == nil || w.makers[0].function() != function ||
		!start.onPath() || !start.runsToTheEnd(function) {
		return false
	}
	for _, v := range w.holders {
		if !isLocal(v) || w.scope[v] != nil {
			return false
		}
	}
	for _, u := range w.recorders {
		if !isMain(w.Pkg, function) && w.leaves(u, function) {
			return false
		}
	}
	return true
}

// onPath says whether a start is a statement of its function, at most inside an if.
func (u use) onPath() bool {
	for i := len(u.stack) - 1; i >= 0; i-- {
		switch u.stack[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		case *ast.ForStmt, *ast.RangeStmt, *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt:
			return false
		}
	}
	return false
}

func isMain(pkg *types.Package, function ast.Node) bool {
	decl, ok := function.(*ast.FuncDecl)
	return ok && pkg.Name() == "main" && decl.Name.Name == "main" && decl.Recv == nil
}

// runsToTheEnd says whether a function returns nothing but an error, and only
// when what it does is over: main, and what waits at its end.
func (u use) runsToTheEnd(function ast.Node) bool {
	sig, ok := u.signature(function)
	if !ok || sig.Results().Len() > 0 && !u.returnsError() {
		return false
	}
	if isMain(u.Pkg, function) {
		return true
	}
	body := functionBody(function)
	last := slices.Clone(body.List)
	if len(last) > 1 {
		if ret, ok := last[len(last)-1].(*ast.ReturnStmt); ok && !hasCall(ret) {
			last = last[:len(last)-1]
		}
	}
	return len(last) > 0 && u.waits(last[len(last)-1])
}

func functionBody(function ast.Node) *ast.BlockStmt {
	switch fn := function.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return &ast.BlockStmt{}
}

func hasCall(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, ok := n.(*ast.CallExpr)
		found = found || ok
		return true
	})
	return found
}

// waits says whether a statement receives, selects, or calls what runs.
func (u use) waits(stmt ast.Stmt) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			return false
		case *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			fn, ok := u.callee(n).(*types.Func)
			found = found || ok && runs(fn)
		}
		return !found
	})
	return found
}

// runs says whether a function's name promises that it returns at the end.
// Start does for a controller-runtime manager, which returns an error.
func runs(fn *types.Func) bool {
	if fn.Name() == "Start" {
		return fn.Signature().Results().Len() == 1
	}
	for _, word := range []string{"Run", "run", "Serve", "ListenAndServe", "Wait"} {
		if strings.HasPrefix(fn.Name(), word) {
			return true
		}
	}
	return false
}

// leaves says whether a recorder leaves a function through a result, a field, an
// element or a package variable.
func (w *wiring) leaves(recorder use, function ast.Node) bool {
	recorder = w.withLogger(recorder)
	if w.escapes(recorder) {
		return true
	}
	id, ok := recorder.assignee().(*ast.Ident)
	if !ok {
		return false
	}
	local, left := w.TypesInfo.ObjectOf(id), false
	ast.PreorderStack(functionBody(function), nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && local != nil && w.TypesInfo.Uses[id] == local {
			left = left || w.escapes(w.withLogger(use{file: recorder.file, expr: id, stack: stack}))
		}
		return true
	})
	return left
}

// withLogger is x.WithLogger(...) around x, if that is what is done with x.
func (w *wiring) withLogger(x use) use {
	n := len(x.stack)
	sel, ok := x.stack[n-1].(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "WithLogger" {
		return x
	}
	if call, ok := x.stack[n-2].(*ast.CallExpr); ok {
		return use{file: x.file, expr: call, stack: x.stack[:n-2]}
	}
	return x
}

// escapes says whether an expression is returned, or assigned to anything but a
// local variable.
func (w *wiring) escapes(u use) bool {
	if ret, ok := u.stack[len(u.stack)-1].(*ast.ReturnStmt); ok {
		return slices.Contains(ret.Results, u.expr)
	}
	to := u.assignee()
	if to == nil {
		return false
	}
	id, ok := to.(*ast.Ident)
	if !ok {
		return true
	}
	v, ok := w.TypesInfo.ObjectOf(id).(*types.Var)
	return ok && !isLocal(v)
}

// assignee is what an expression is assigned to, or nil.
func (u use) assignee() ast.Expr {
	switch around := u.stack[len(u.stack)-1].(type) {
	case *ast.AssignStmt:
		if at := slices.Index(around.Rhs, u.expr); at >= 0 && len(around.Lhs) == len(around.Rhs) {
			return ast.Unparen(around.Lhs[at])
		}
	case *ast.ValueSpec:
		if at := slices.Index(around.Values, u.expr); at >= 0 && len(around.Names) == len(around.Values) {
			return around.Names[at]
		}
	}
	return nil
}
