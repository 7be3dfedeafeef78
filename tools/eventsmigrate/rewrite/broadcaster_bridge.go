// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import "go/ast"

// newShapes removes client-go's bridge from an old recorder to the new shape
// where the recorder is a new one now.
func (f *file) newShapes() {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !isNamed(f.callee(call), recordPath, "NewEventRecorderAdapter") {
			return true
		}
		arg := call.Args[0]
		if f.ofExpr(arg) != newSide {
			return true
		}
		f.edited[arg] = true // it needs no bridge to what is gone
		f.dropName(call.Fun)
		f.rewrite(call, "constructor", "this recorder has the new shape, and needs no NewEventRecorderAdapter").
			replace(call.Pos(), arg.Pos(), "").replace(arg.End(), call.End(), "")
		return true
	})
}
