// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
)

// leftovers reports what a file still uses of the old package after all edits,
// and what to do about it.
func (f *file) leftovers() {
	if f.frozen {
		return
	}
	ast.PreorderStack(f.ast, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := f.TypesInfo.Uses[id]
		expr := ast.Expr(id)
		if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok {
			expr = sel
		}
		if !isTopLevel(obj) || f.inPinnedSignature(n, stack) || f.edited[expr] || f.reported(id) {
			return true
		}
		if advice := f.advice(obj.Name()); advice != "" {
			f.leave(expr, "leftover", "record.%s stays with the old API: %s", obj.Name(), advice)
		}
		return true
	})
}

// reported says whether an edit takes an identifier away, or a diagnostic is about
// what it is part of.
func (f *file) reported(id *ast.Ident) bool {
	for _, pl := range f.places {
		if len(pl.edits) == 0 && pl.at.Pos() <= id.Pos() && id.End() <= pl.at.End() {
			return true
		}
		for _, e := range pl.edits {
			if e.Pos <= id.Pos() && id.End() <= e.End {
				return true
			}
		}
	}
	return false
}

// advice is what to do about a name of the old package, "" if it may stay.
func (f *file) advice(name string) string {
	sdk := f.config.target() == SDK
	switch name {
	case "EventBroadcaster":
		return "write events.EventBroadcaster here once what makes it is migrated"
	case "NewBroadcaster", "NewBroadcasterForTests", "NewBroadcasterWithCorrelatorOptions":
		if sdk {
			return "write adapter.NewBroadcaster"
		}
		return "it becomes events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()}) with " +
			"StartRecordingToSinkWithContext(ctx), NewRecorder(scheme, name) and Shutdown()"
	case "BroadcasterOption", "WithContext":
		return "" // goes with what makes the broadcaster
	case "WithSleepDuration", "WithCorrelatorOptions":
		if !sdk {
			return ""
		}
		return "the new broadcaster has no such option"
	case "EventSink":
		if sdk {
			return "" // the new broadcaster takes it
		}
		return "implement Create, Update and Patch of events.k8s.io/v1 (client-go's events.EventSink)"
	case "NewEventRecorderAdapter", "EventRecorderAdapter":
		return "hand in a recorder of the events API and drop this bridge"
	case "EventRecorder", "EventRecorderLogger", "FakeRecorder", "NewFakeRecorder":
		return "write its name in the events API here"
	}
	return "the events API counts series and has no correlator, delete it with what it is for"
}
