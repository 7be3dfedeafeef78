// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
)

// managers rewrites controller-runtime's GetEventRecorderFor where its result
// becomes a new recorder. Where the result goes to code that stays old, it stays.
func (f *file) managers() {
	stays := map[ast.Expr]bool{}
	f.flows(func(fl flow) {
		if fl.side == oldSide && isOldRecorder(fl.target) || f.outsiders(fl.target) {
			stays[ast.Unparen(fl.value)] = true
		}
	})
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !f.isProvider(sel) || len(call.Args) != 1 {
			return true
		}
		if stays[call] {
			f.keep(call, "what takes this recorder stays with the old API")
			return true
		}
		f.manager(call, sel)
		return true
	})
}

// outsiders says whether a target is another module's interface that the old
// recorder satisfies, as leader election's.
func (f *file) outsiders(t types.Type) bool {
	s, ok := f.ofType(t)
	return ok && s == oldSide
}

// isProvider says whether a selector is GetEventRecorderFor of another module's
// manager, cluster or provider.
func (f *file) isProvider(sel *ast.SelectorExpr) bool {
	fn, ok := f.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.Name() == managerMethod && !f.migrated(fn) && fn.Signature().Results().Len() == 1 &&
		isOldRecorder(fn.Signature().Results().At(0).Type())
}

func (f *file) manager(call *ast.CallExpr, sel *ast.SelectorExpr) {
	receiver := f.TypesInfo.TypeOf(sel.X)
	switch {
	case f.config.target() == SDK && hasMethods(receiver, "Add", "GetCache", "GetConfig", "GetScheme"):
		f.rewrite(call, "manager", "the recorder of the manager's one adapter").
			insert(sel.X.Pos(), f.pkg(sdkAdapter)+".RecorderFor(").
			replace(sel.X.End(), call.Args[0].Pos(), ", ")
	case hasMethods(receiver, managerReplace):
		f.rewrite(call, "manager", "%s is %s in the events API", managerMethod, managerReplace).
			replace(sel.Sel.Pos(), sel.Sel.End(), managerReplace)
	default:
		f.leave(call, "manager", "%s has no %s: use controller-runtime v0.23.0 or newer, or hand in an *adapter.Adapter",
			f.describe(receiver), managerReplace)
		return
	}
	f.made[call] = true
}

// keep notes what rightly stays old. It needs nobody.
func (f *file) keep(n ast.Node, format string, args ...any) { f.leave(n, Kept, format, args...) }
