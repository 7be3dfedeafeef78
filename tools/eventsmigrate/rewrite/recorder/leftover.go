// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// leftovers reports what a file still uses of the old package after all edits,
// and what to do about it.
func (f *file) leftovers() {
	f.Visit(func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !api.IsTopLevel(f.TypesInfo.Uses[id]) {
			return true
		}
		expr := ast.Expr(id)
		if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok {
			expr = sel
		}
		if f.InOld(stack) || f.Edited(expr) || f.Touched(id) {
			return true
		}
		if advice := f.advice(id.Name); advice != "" {
			f.Leave(expr, plan.Leftover, "record.%s stays with the old API: %s", id.Name, advice)
		}
		return true
	})
}

// advice is what to do about a name of the old package, "" if it may stay.
func (f *file) advice(name string) string {
	sdk := f.Target == api.SDK
	switch name {
	case "EventBroadcaster":
		return "write events.EventBroadcaster here once what makes it is migrated"
	case "NewBroadcaster", "NewBroadcasterForTests", "NewBroadcasterWithCorrelatorOptions":
		if sdk {
			return "write recordevents." + api.NewBroadcaster
		}
		return "it becomes events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()}) with " +
			"StartRecordingToSinkWithContext(ctx), NewRecorder(scheme, name) and Shutdown()"
	case "BroadcasterOption", "WithContext":
		return "" // goes with what makes the broadcaster
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
