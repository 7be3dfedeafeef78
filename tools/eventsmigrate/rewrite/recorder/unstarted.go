// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// leaveUnstarted reports a recorder whose manager is never started. Controller-runtime's recorder starts at its first
// Event, and an adapter of the manager would wait for the manager.
func (f *file) leaveUnstarted(sel *ast.SelectorExpr, how string) {
	f.Leave(sel, plan.Unstarted, "this recorder %s: nothing starts its manager, and the manager's adapter would write "+
		"nothing. Make an adapter with adapter.NewForConfig, call its Start and, at the end, Shutdown, and pass its Recorder(name)", how)
}

// unstarted reports whether the package makes a manager, keeps it for itself, and does not start it. Tests do so often,
// and wait for no Events.
func (f *file) unstarted(manager ast.Expr) bool {
	v := f.Data.Variable(manager)
	if v == nil || f.IsTest() || v.Exported() && v.Kind() != types.LocalVar {
		return false
	}
	values := f.Data.Values(v)
	foreign := func(value dataflow.Value) bool { return !f.newManager(value) }
	return len(values) > 0 && !slices.ContainsFunc(values, foreign) && !f.mayStart(v, map[*types.Var]bool{})
}

// newManager reports whether a value is a new manager of controller-runtime.
func (f *file) newManager(value dataflow.Value) bool {
	call, ok := value.Expr.(*ast.CallExpr)
	if !ok || value.Index != 0 {
		return false
	}
	const module = "sigs.k8s.io/controller-runtime"
	callee := f.Callee(call)
	return api.IsNamed(callee, module, "NewManager") || api.IsNamed(callee, module+"/pkg/manager", "New")
}

// mayStart reports whether something starts the manager of a variable, or hands it to code that may do so.
func (f *file) mayStart(v *types.Var, seen map[*types.Var]bool) (may bool) {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, file := range f.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.TypesInfo.Uses[id] == v {
				may = may || f.starts(id, stack, seen)
			}
			return !may
		})
	}
	return may
}

// starts reports whether a use of a manager may start it: it calls Start, or does something else with the manager than to
// set it, to compare it, to call another method of it, or to pass it to a function of the package that does no more.
func (f *file) starts(id *ast.Ident, stack []ast.Node, seen map[*types.Var]bool) bool {
	var manager ast.Expr = id
	around := stack[len(stack)-1]
	if field, ok := around.(*ast.SelectorExpr); ok && field.Sel == id {
		manager, around = field, stack[len(stack)-2]
	}
	switch n := around.(type) {
	case *ast.SelectorExpr:
		return n.Sel.Name == "Start"
	case *ast.AssignStmt:
		return !slices.Contains(n.Lhs, manager)
	case *ast.BinaryExpr:
		return false
	case *ast.CallExpr:
		callee := f.Data.Callee(n)
		at := slices.Index(n.Args, manager)
		if callee == nil || callee.Pkg() != f.Pkg || at < 0 {
			return true
		}
		sig := callee.Signature()
		if sig.Variadic() || at >= sig.Params().Len() || sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
			return true
		}
		return f.mayStart(sig.Params().At(at), seen)
	}
	return true
}
