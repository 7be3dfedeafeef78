// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"strings"
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
		if !isLeftover(obj) || f.inPinnedSignature(n, stack) || f.edited[expr] || f.reported(id) {
			return true
		}
		f.leave(expr, "leftover", "record.%s stays with the old API: %s", obj.Name(), f.advice(obj.Name()))
		return true
	})
}

// isLeftover says whether an object is declared at the top of the old package.
// Its methods come with values of its types.
func isLeftover(obj types.Object) bool {
	return obj != nil && isNamed(obj, recordPath, obj.Name()) && obj.Parent() == obj.Pkg().Scope()
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

// advice is what to do about a name of the old package.
func (f *file) advice(name string) string {
	switch {
	case name == "EventBroadcaster":
		return "write " + f.broadcasterType() + " here once what makes it is migrated"
	case strings.HasPrefix(name, "NewBroadcaster"):
		return "it becomes " + f.byHand()
	case name == "EventSink":
		if f.config.target() == SDK {
			return "implement Create and Patch of events.k8s.io/v1 (eventseries/events.Sink)"
		}
		return "implement Create, Update and Patch of events.k8s.io/v1 (client-go's events.EventSink)"
	case name == "NewEventRecorderAdapter", name == "EventRecorderAdapter":
		return "hand in a recorder of the events API and drop this bridge"
	case name == "EventRecorder", name == "EventRecorderLogger", name == "FakeRecorder", name == "NewFakeRecorder":
		return "write its name in the events API here"
	case name == "BroadcasterOption", name == "WithContext", name == "WithSleepDuration":
		return "options of the old broadcaster have no counterpart, delete it with what it is for"
	}
	return "the events API counts series and has no correlator, delete it with what it is for"
}

func (p *pass) broadcasterType() string {
	if p.config.target() == SDK {
		return "*adapter.Adapter"
	}
	return "events.EventBroadcaster"
}
