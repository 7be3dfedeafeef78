// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
)

// sinkless leaves broadcasters without a sink with the old API, because they write nothing to the API server. Their
// watchers may write Events themselves, and need the names that the old broadcaster gives each. In tests their recorders
// stand in for others.
func (f *file) sinkless() {
	if f.IsTest() {
		return
	}
	f.Visit(func(n ast.Node, stack []ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || f.Decided(call) != border.Neither {
			return true
		}
		to, ok := f.Target.Becomes(f.Callee(call))
		if ok && to.Name == api.NewBroadcaster && f.hasNoSink(call, stack) {
			f.Decide(call, border.OldSide)
			f.Keep(call, "this broadcaster has no sink, so it writes nothing to the API server, and stays with the old API")
		}
		return true
	})
}

// hasNoSink reports whether nothing is done with a broadcaster but to call methods of it that start no sink.
func (f *file) hasNoSink(made *ast.CallExpr, stack []ast.Node) bool {
	if method, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok { // NewBroadcaster().NewRecorder(...)
		return !startsSink(method)
	}
	methods := map[*ast.Ident]bool{}
	f.Visit(func(n ast.Node, _ []ast.Node) bool {
		if method, ok := n.(*ast.SelectorExpr); ok && !startsSink(method) {
			id, _ := method.X.(*ast.Ident)
			methods[id] = true
		}
		return true
	})
	used := false
	for id, obj := range f.TypesInfo.Uses {
		if v, ok := obj.(*types.Var); !ok || v.Kind() != types.LocalVar || f.Origin(id) != made {
			continue
		}
		if !methods[id] {
			return false
		}
		used = true
	}
	return used
}

// startsSink reports whether a method starts a sink.
func startsSink(method *ast.SelectorExpr) bool {
	return strings.HasPrefix(method.Sel.Name, "StartRecordingToSink")
}
