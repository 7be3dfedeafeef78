// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// What a manager has to make a recorder.
const (
	managerMethod  = "GetEventRecorderFor"
	managerReplace = "GetEventRecorder"
)

// managers rewrites controller-runtime's GetEventRecorderFor where its result
// becomes a new recorder. Where the result goes to code that stays old, it stays.
func (f *file) managers() {
	stays := map[ast.Expr]string{}
	f.Flows(f.AST, func(fl border.Flow) {
		side, known := f.OfType(fl.Target) // another module's interface that the old recorder satisfies, as leader election's
		if known && side == border.OldSide || fl.Side == border.OldSide && api.IsOldRecorder(fl.Target) {
			stays[ast.Unparen(fl.Value)] = f.taker(fl)
		}
		if sel, ok := ast.Unparen(fl.Value).(*ast.SelectorExpr); ok && fl.Side != border.OldSide && f.isProvider(sel) {
			f.factory(sel)
		}
	})
	f.Calls(func(call *ast.CallExpr, _ *ast.FuncDecl) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !f.isProvider(sel) || len(call.Args) != 1 {
			return
		}
		if taker := stays[call]; taker != "" {
			f.Keep(call, "%s takes this recorder and stays with the old API", taker)
			return
		}
		f.manager(call, sel)
	})
}

// isProvider reports whether a selector is GetEventRecorderFor of another module's
// manager, cluster or provider.
func (f *file) isProvider(sel *ast.SelectorExpr) bool {
	fn, ok := f.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.Name() == managerMethod && !f.Migrated(fn) && fn.Signature().Results().Len() == 1 &&
		api.IsOldRecorder(fn.Signature().Results().At(0).Type())
}

// isManager reports whether a manager's one adapter can make the recorder.
func (f *file) isManager(receiver types.Type) bool {
	return f.Target == api.SDK && api.HasMethods(receiver, "Add", "GetCache", "GetConfig", "GetScheme")
}

// factory rewrites a manager's method that is used as a value.
func (f *file) factory(sel *ast.SelectorExpr) {
	pl := f.Place(sel, "manager", "the recorders of the manager's one adapter")
	if f.isManager(f.TypesInfo.TypeOf(sel.X)) {
		events := f.Imports.Name(api.Events)
		pl.Insert(sel.Pos(), fmt.Sprintf("func(name string) %s.EventRecorder {\nreturn %s.RecorderFor(", events, f.Imports.Name(api.Adapter)))
		pl.Replace(sel.X.End(), sel.End(), fmt.Sprintf(", name).WithNotePolicy(%s.%s)\n}", events, api.NotesApart))
	} else {
		pl.Replace(sel.Sel.Pos(), sel.Sel.End(), managerReplace)
	}
	f.Decide(sel, border.NewSide)
	f.dropDirectives(sel)
}

func (f *file) manager(call *ast.CallExpr, sel *ast.SelectorExpr) {
	receiver := f.TypesInfo.TypeOf(sel.X)
	switch {
	case f.isManager(receiver):
		f.Place(call, "manager", "the recorder of the manager's one adapter").
			Insert(sel.X.Pos(), f.Imports.Name(api.Adapter)+".RecorderFor(").
			Replace(sel.X.End(), call.Args[0].Pos(), ", ").
			Insert(call.End(), fmt.Sprintf(".WithNotePolicy(%s.%s)", f.Imports.Name(api.Events), api.NotesApart))
	case api.HasMethods(receiver, managerReplace):
		f.Place(call, "manager", "%s is %s in the events API", managerMethod, managerReplace).
			Replace(sel.Sel.Pos(), sel.Sel.End(), managerReplace)
		if f.Target == api.SDK {
			f.Leave(call, plan.Notes, "of several notes under one reason and action this recorder shows only the first: where that "+
				"matters, hand in an adapter's, with WithNotePolicy(events.%s)", api.NotesApart)
		}
	default:
		f.Leave(call, "manager",
			"%s has no %s: use controller-runtime v0.23.0 or newer, or hand in an *adapter.Adapter",
			f.Describe(receiver), managerReplace)
		return
	}
	f.Decide(call, border.NewSide)
	f.dropDirectives(call)
}
