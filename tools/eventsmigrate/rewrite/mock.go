// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

const newParameters = "(regarding, related, eventtype, reason, action, note, args...)"

// mocks reports expectations of recorder mocks that no call meets any more.
func (f *file) mocks() {
	f.visit(func(n ast.Node, _ []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		if f.expectsEvent(call, sel) {
			f.leave(call, "mock",
				"nothing calls Event any more: expect \"Eventf\" with what the mock's Eventf%s hands to Called", newParameters)
		}
		if f.expectsOldShape(sel) {
			f.leave(call, "mock", "%s is Eventf%s in the events API: generate the mock anew and expect that",
				sel.Sel.Name, newParameters)
		}
	})
}

// expectsEvent says whether a call is testify's On("Event", ...) or AssertCalled(t,
// "Event", ...) of a recorder's mock.
func (f *file) expectsEvent(call *ast.CallExpr, sel *ast.SelectorExpr) bool {
	fn := f.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "github.com/stretchr/testify/mock" {
		return false
	}
	return isRecorderMock(f.TypesInfo.TypeOf(sel.X)) && slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		value := f.TypesInfo.Types[arg].Value
		return value != nil && value.Kind() == constant.String && constant.StringVal(value) == string(event)
	})
}

// isRecorderMock says whether a type has the old recorder's Event.
func isRecorderMock(t types.Type) bool { return t != nil && methodsOfOldShape(t)[event] != nil }

// expectsOldShape says whether a selector is gomock's EXPECT().Event.
func (f *file) expectsOldShape(sel *ast.SelectorExpr) bool {
	if !slices.Contains([]method{event, eventf, annotatedf}, method(sel.Sel.Name)) {
		return false
	}
	expect, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	inner, ok := expect.Fun.(*ast.SelectorExpr)
	return ok && inner.Sel.Name == "EXPECT" && strings.HasSuffix(f.describe(f.TypesInfo.TypeOf(expect)), "MockRecorder") &&
		len(methodsOfOldShape(f.TypesInfo.TypeOf(inner.X))) > 0
}
