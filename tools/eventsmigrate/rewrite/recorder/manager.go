// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/survey"
)

// managers rewrites controller-runtime's GetEventRecorderFor where its result
// becomes a new recorder. Where the result goes to code that stays old, it stays.
func (f *file) managers() {
	stays := map[ast.Expr]border.Flow{}
	bridged := map[ast.Expr]bool{} // which another step reports
	f.Flows(f.AST, func(fl border.Flow) {
		side, known := f.OfType(fl.Target) // another module's interface that the old recorder satisfies, as leader election's
		if known && side == border.OldSide || fl.Side == border.OldSide && api.IsOldRecorder(fl.Target) {
			stays[ast.Unparen(fl.Value)] = fl
		}
		if sel, ok := ast.Unparen(fl.Value).(*ast.SelectorExpr); ok && fl.Side != border.OldSide && f.isProvider(sel) {
			f.factory(sel)
		}
	})
	f.Calls(func(call *ast.CallExpr, _ *ast.FuncDecl) {
		if api.IsNamed(f.Callee(call), api.Legacy, "FromLegacy") {
			bridged[ast.Unparen(call.Args[0])] = true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !f.isProvider(sel) || len(call.Args) != 1 || bridged[call] {
			return
		}
		if fl, ok := stays[call]; ok {
			f.MarkEdited(fl.Value)
			f.Leave(call, plan.Kept, "%s takes this recorder and stays with the old API", f.taker(fl)).About(f.takingPackage(fl))
			return
		}
		f.manager(call, sel)
	})
}

// isProvider reports whether a selector is GetEventRecorderFor of another module's
// manager, cluster or provider.
func (f *file) isProvider(sel *ast.SelectorExpr) bool {
	fn, ok := f.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.Name() == api.ManagerMethod && !f.Migrated(fn) && fn.Signature().Results().Len() == 1 &&
		api.IsOldRecorder(fn.Signature().Results().At(0).Type())
}

// isManager reports whether a manager's one adapter can make the recorder.
func (f *file) isManager(receiver types.Type) bool {
	return f.Target == api.SDK && api.HasMethods(receiver, "Add", "GetCache", "GetConfig", "GetScheme")
}

// factory rewrites a manager's method that is used as a value.
func (f *file) factory(sel *ast.SelectorExpr) {
	f.Decide(sel, border.NewSide)
	if f.staysOld(sel) {
		f.Place(sel, plan.ToNew, "each recorder gets legacy.FromLegacy").
			Insert(sel.Pos(), f.makes(f.Target.Events())+f.Imports.Name(api.Legacy)+".FromLegacy(").
			Insert(sel.End(), "(name))\n}")
		return
	}
	f.dropDirectives(sel)
	pl := f.Place(sel, plan.Manager, "the recorders of the manager's one adapter")
	if f.isManager(f.TypesInfo.TypeOf(sel.X)) {
		f.recordersFor(pl, sel, f.Target.Events())
	} else {
		pl.Replace(sel.Sel.Pos(), sel.Sel.End(), api.EventsMethod)
	}
}

// makes is how a function literal begins that returns the recorder of a name, of a package's type.
func (f *file) makes(path string) string {
	return "func(name string) " + f.Imports.Name(path) + ".EventRecorder {\nreturn "
}

// recordersFor makes a manager's method that is used as a value a function that calls the adapter's, and returns recorders
// of a package's type.
func (f *file) recordersFor(pl *plan.Place, sel *ast.SelectorExpr, path string) {
	pl.Insert(sel.Pos(), f.makes(path)+f.Imports.Name(api.Adapter)+".RecorderFor(").
		Replace(sel.X.End(), sel.End(), ", name)"+f.notesApart()+"\n}")
}

// recorderFor makes a call of a manager's method one of the adapter's function.
func (f *file) recorderFor(pl *plan.Place, call *ast.CallExpr, sel *ast.SelectorExpr) {
	pl.Insert(sel.X.Pos(), f.Imports.Name(api.Adapter)+".RecorderFor(")
	f.ReplaceBetween(pl, sel.X.End(), call.Args[0].Pos(), ", ")
	apart := f.notesApart()
	before, after := f.Statement(call.End())
	key, _, _ := strings.Cut(strings.TrimSpace(before), ":")
	aligned := token.IsIdentifier(key) && !f.Limited() // with the values of other keys, which a break would move
	if !aligned && plan.Width(before+after)+pl.Growth(call.Pos(), call.End())+len(apart) > f.Columns() {
		apart = ".\n" + apart[1:]
	}
	pl.Insert(call.End(), apart)
}

// notesApart makes a recorder of the SDK one that tells notes apart, so that no text is lost. The old API did so up to a
// limit. Client-go's events API does so whenever the object has changed.
func (f *file) notesApart() string {
	return fmt.Sprintf(".WithNotePolicy(%s.%s)", f.Imports.Name(api.Events), api.NotesApart)
}

// notesApartOption is notesApart for all recorders of a broadcaster.
func (f *file) notesApartOption() string { return f.Imports.Name(api.Events) + f.notesApart() }

func (f *file) manager(call *ast.CallExpr, sel *ast.SelectorExpr) {
	if f.staysOld(sel) {
		f.Place(call, plan.ToNew, "this recorder gets legacy.FromLegacy").
			Wrap(call, f.Imports.Name(api.Legacy)+".FromLegacy")
		f.Decide(call, border.NewSide)
		return
	}
	receiver := f.TypesInfo.TypeOf(sel.X)
	switch {
	case f.isManager(receiver):
		f.recorderFor(f.Place(call, plan.Manager, "the recorder of the manager's one adapter"), call, sel)
	case api.HasMethods(receiver, api.EventsMethod):
		f.Place(call, plan.Manager, "%s is %s in the events API", api.ManagerMethod, api.EventsMethod).
			Replace(sel.Sel.Pos(), sel.Sel.End(), api.EventsMethod)
	default:
		f.Leave(call, plan.Manager, "%s has no %s: use controller-runtime v0.23.0 or newer", f.Describe(receiver), api.EventsMethod)
		return
	}
	f.Decide(call, border.NewSide)
	f.dropDirectives(call)
}

// staysOld reports whether the recorders of what a method is selected from stay with the old API, and says why.
func (f *file) staysOld(sel *ast.SelectorExpr) bool {
	if place, ok := f.stub(sel); ok {
		f.leaveStub(sel, place)
		return true
	}
	receiver := f.TypesInfo.TypeOf(sel.X)
	switch {
	case f.Target != api.SDK:
		return false
	case !f.isManager(receiver):
		f.leaveNoManager(sel, receiver)
		return true
	case f.unstarted(sel.X):
		f.leaveUnstarted(sel, "still writes core/v1")
		return true
	}
	return false
}

// leaveNoManager reports a recorder of a cluster or a provider, which cannot run an adapter. What it has in the events API
// is client-go's recorder. Unlike the SDK's, that cannot fall back to core/v1 where no role allows more.
func (f *file) leaveNoManager(sel *ast.SelectorExpr, receiver types.Type) {
	if f.IsTest() {
		return
	}
	config := "config"
	if api.HasMethods(receiver, "GetConfig") {
		config = f.Text(sel.X) + ".GetConfig()"
	}
	f.Leave(sel, plan.NoManager, "this recorder still writes core/v1: %s is no manager, which has one adapter. Make an adapter "+
		"with adapter.NewForConfig(ctx, %s), call its Start and, at the end, Shutdown, and pass its Recorder(name)",
		f.Describe(receiver), config)
}

// stub is the place where a test hands in a mock or a stub of the manager whose method is selected. That has the old
// method, and nothing that the new way calls, so the recorder stays with the old API.
func (f *file) stub(sel *ast.SelectorExpr) (place token.Position, ok bool) {
	if f.IsTest() && survey.IsStub(f.TypesInfo.TypeOf(sel.X)) {
		return f.Fset.Position(sel.Pos()), true
	}
	return f.Survey.Stub(f.Fset, f.Receiver(sel))
}

// leaveStub reports a recorder that stays with the old API, so that the tests pass.
func (f *file) leaveStub(sel *ast.SelectorExpr, place token.Position) {
	if f.IsTest() {
		return
	}
	recorder := "adapter.RecorderFor(mgr, name)"
	if f.Target != api.SDK {
		recorder = "mgr." + api.EventsMethod + "(name)"
	}
	f.Leave(sel, plan.Stub, "this recorder still writes core/v1: a test (%s) passes a mock or a stub of the manager "+
		"to this code, and that makes recorders by %s only. Let the caller pass the recorder, from %s",
		f.from(sel, place), api.ManagerMethod, recorder)
}

// from is a place as it is written beside a node: with the path from the directory of that file.
func (f *file) from(n ast.Node, place token.Position) string {
	name, err := filepath.Rel(filepath.Dir(f.Fset.Position(n.Pos()).Filename), place.Filename)
	if err != nil {
		name = place.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(name), place.Line)
}
