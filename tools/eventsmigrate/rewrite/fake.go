// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// fakes rewrites the constructor of the old FakeRecorder.
func (f *file) fakes() {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn, ok := typeutil.Callee(f.TypesInfo, call).(*types.Func)
		if !ok || !isNamed(fn, recordPath, "NewFakeRecorder") {
			return true
		}
		f.dropName(call.Fun)
		f.made[call] = true
		f.rewrite(call, "fake", "the FakeRecorder of the events API").
			replace(call.Fun.Pos(), call.Fun.End(), f.pkg(f.config.eventsPath())+".NewFakeRecorder")
		return true
	})
}
