// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/constant"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

const newParameters = "(regarding, related, eventtype, reason, action, note, args...)"

// mocks reports expectations of recorder mocks that no call meets any more.
func (f *file) mocks() {
	f.Calls(func(call *ast.CallExpr, _ *ast.FuncDecl) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		if f.expectsEvent(call, sel) {
			f.Leave(call, plan.Mock,
				"nothing calls Event any more: expect \"Eventf\" with what the mock's Eventf%s hands to Called", newParameters)
		}
		if f.expectsNothing(call, sel) {
			f.Leave(call, plan.Mock, "where this mock reaches migrated code, nothing calls %s any more: pass a recorder to that code",
				sel.Sel.Name)
		}
		if f.expectsOldShape(sel) {
			f.Leave(call, plan.Mock, "%s is Eventf%s in the events API: generate the mock anew and expect that",
				sel.Sel.Name, newParameters)
		}
	})
}

// expectsEvent reports whether a call is testify's On("Event", ...) or AssertCalled(t,
// "Event", ...) of a recorder's mock, unless its Eventf will call its Event.
func (f *file) expectsEvent(call *ast.CallExpr, sel *ast.SelectorExpr) bool {
	fn := f.Callee(call)
	mock := f.TypesInfo.TypeOf(sel.X)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "github.com/stretchr/testify/mock" ||
		mock == nil || api.MethodsOfOldShape(mock)[api.Event] == nil || f.worksInEvent(mock) {
		return false
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		value := f.TypesInfo.Types[arg].Value
		return value != nil && value.Kind() == constant.String && constant.StringVal(value) == string(api.Event)
	})
}

// expectsNothing reports whether a call is EXPECT().GetEventRecorderFor of a manager's mock that no recorder is known
// to come from. Where it is known, the recorder stays with the old API.
func (f *file) expectsNothing(call *ast.CallExpr, sel *ast.SelectorExpr) bool {
	if sel.Sel.Name != api.ManagerMethod {
		return false
	}
	method := f.Expectation(call)
	return method != nil && method.Name() == api.ManagerMethod &&
		!f.Survey.Passes(f.Fset, method.Signature().Recv().Type())
}

// expectsOldShape reports whether a selector is gomock's EXPECT().Event.
func (f *file) expectsOldShape(sel *ast.SelectorExpr) bool {
	if !slices.Contains(api.Methods, api.Method(sel.Sel.Name)) {
		return false
	}
	expect, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	inner, ok := expect.Fun.(*ast.SelectorExpr)
	return ok && inner.Sel.Name == "EXPECT" && strings.HasSuffix(f.Describe(f.TypesInfo.TypeOf(expect)), "MockRecorder") &&
		len(api.MethodsOfOldShape(f.TypesInfo.TypeOf(inner.X))) > 0
}
