// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// bridged reports the recorders of other modules that the file has behind legacy.FromLegacy already.
func (f *file) bridged() {
	f.Calls(func(call *ast.CallExpr, _ *ast.FuncDecl) {
		if !api.IsNamed(f.Callee(call), api.Legacy, "FromLegacy") {
			return
		}
		if made, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(made.Fun).(*ast.SelectorExpr); ok && f.isProvider(sel) && f.staysOld(sel) {
				return
			}
		}
		f.staying(call, call.Args[0])
	})
}

// staying reports a recorder behind legacy.FromLegacy if it comes from another module. The code around it is new, and its
// Events still go through core/v1.
func (f *file) staying(at, recorder ast.Expr) {
	if f.IsTest() {
		return
	}
	for _, obj := range f.makers(recorder) {
		if obj == nil || obj.Pkg() == nil || f.Main(obj.Pkg().Path()) {
			continue
		}
		// Client-go has the interfaces that anything may be behind.
		if maker := obj.Pkg().Path(); !strings.HasPrefix(maker, "k8s.io/client-go/tools/") {
			f.Leave(at, plan.Old, "still records through core/v1: %s must move first", maker).About(maker)
			return
		}
	}
}

// makers are the type of a recorder, and what makes or holds it.
func (f *file) makers(recorder ast.Expr) (all []types.Object) {
	if name := api.TypeName(f.TypesInfo.TypeOf(recorder)); name != nil {
		all = append(all, name)
	}
	switch e := f.Origin(recorder).(type) {
	case *ast.CallExpr:
		all = append(all, f.Callee(e))
	case *ast.SelectorExpr:
		all = append(all, f.TypesInfo.Uses[e.Sel])
	}
	return all
}
