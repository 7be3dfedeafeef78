// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/types"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// Wire makes recorders of the SDK where a file makes some of tools/events. Types, calls and fakes stay, because the SDK's
// recorders implement client-go's interface, and the names of clientgo/events are aliases of client-go's types.
func Wire(f *plan.File, b *border.Package) {
	file := &file{f, b}
	if b.Target != api.SDK {
		return
	}
	called := map[ast.Expr]bool{}
	f.Visit(func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && file.isEventsProvider(sel) {
				called[sel] = true
				file.wireManager(n, sel)
			}
		case *ast.SelectorExpr:
			if !called[n] && file.isEventsProvider(n) {
				file.wireFactory(n)
			}
		case *ast.Ident:
			if api.IsEventsMaker(f.TypesInfo.Uses[n]) {
				file.wireBroadcaster(n, stack)
			}
		}
		return true
	})
}

// isEventsProvider reports whether a selector is GetEventRecorder of another module's manager, cluster or provider.
func (f *file) isEventsProvider(sel *ast.SelectorExpr) bool {
	fn, ok := f.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && api.IsEventsProvider(fn) && !f.Ours(fn.Pkg()) && f.TypesInfo.Types[sel.X].IsValue()
}

func (f *file) wireManager(call *ast.CallExpr, sel *ast.SelectorExpr) {
	if f.staysClientGo(sel) {
		return
	}
	f.recorderFor(f.Place(call, plan.Wiring, "the recorder of the manager's one adapter"), call, sel)
}

// wireFactory rewrites a manager's method that is used as a value.
func (f *file) wireFactory(sel *ast.SelectorExpr) {
	if f.staysClientGo(sel) {
		return
	}
	f.recordersFor(f.Place(sel, plan.Wiring, "the recorders of the manager's one adapter"), sel, api.ClientEvents)
}

// staysClientGo reports whether the recorders of what a method is selected from stay client-go's, and says why: it cannot run
// an adapter, nothing starts it, or a test passes a mock or a stub of it, which makes recorders and does nothing else.
func (f *file) staysClientGo(sel *ast.SelectorExpr) bool {
	receiver := f.TypesInfo.TypeOf(sel.X)
	if !f.isManager(receiver) {
		f.Keep(sel, "%s is no manager, which has one adapter: its recorder stays client-go's, unless you pass one of an adapter",
			f.Describe(receiver))
		return true
	}
	if f.unstarted(sel.X) {
		f.leaveUnstarted(sel, "stays client-go's")
		return true
	}
	place, ok := f.stub(sel)
	if ok && !f.IsTest() {
		f.Leave(sel, plan.Stub, "this recorder stays client-go's: a test (%s) passes a mock or a stub of the manager to this code, "+
			"and that cannot run an adapter. Let the caller pass the recorder, from adapter.RecorderFor(mgr, name)", f.from(sel, place))
	}
	return ok
}

// wireBroadcaster makes the import of a file that makes a broadcaster the SDK's, which has the same names, and the
// broadcaster one that tells notes apart.
func (f *file) wireBroadcaster(id *ast.Ident, stack []ast.Node) {
	f.Imports.Swap(api.ClientEvents, api.OurEvents)
	var function ast.Expr = id
	if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok {
		function, stack = sel, stack[:len(stack)-1]
	}
	if !isCalled(function, stack) {
		f.Place(id, plan.Wiring, "%s of clientgo/events has the same parameters and methods", id.Name).
			Replace(id.Pos(), id.End(), id.Name) // the edit is the one of the import
		f.leaveMerging(function, "events.NewBroadcaster or adapter.New in its place")
		return
	}
	call := stack[len(stack)-1].(*ast.CallExpr)
	pl := f.Place(call, plan.Wiring, "the SDK's broadcaster, which tells notes apart, behind client-go's interface")
	if id.Name == api.NewBroadcaster {
		pl.Replace(id.Pos(), id.End(), "FromBroadcaster").
			Insert(call.Lparen+1, f.Imports.Name(api.Events)+"."+api.NewBroadcaster+"(")
	} else {
		pl.Replace(id.Pos(), id.End(), "FromAdapter").
			Insert(call.Lparen+1, f.Imports.Name(api.Adapter)+".New(")
		if len(call.Args) == 1 { // no context
			pl.Insert(call.Lparen+1, f.Imports.Name("context")+".Background(), ")
		}
	}
	pl.Insert(call.Args[len(call.Args)-1].End(), ",\n"+f.notesApartOption()+")")
}
