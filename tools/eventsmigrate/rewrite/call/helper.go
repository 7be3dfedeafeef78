// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// helper is a function that records its parameter as the reason. It gets another one for the action, which the callers know.
type helper struct {
	decl   *ast.FuncDecl
	object int    // the index of the parameter for the regarding object, or -1
	kind   string // of the object, if that is no parameter
	reason int    // the index of the parameter
	note   int    // that of the note, or -1
	action string // the name of the new parameter
}

// Helpers gives the helpers of the package their parameter, if nothing but the package calls them. What calls a helper
// with its own parameter is one, too. A function whose name tells what it attempts is none. Tests decide nothing, because
// the package is also looked at without them.
func (p *Package) Helpers(files []*plan.File) {
	for found := true; found; {
		found = false
		for _, of := range files {
			f := &file{of, p}
			if f.Frozen || f.IsTest() {
				continue
			}
			f.Calls(func(expr *ast.CallExpr, around *ast.FuncDecl) {
				if r, ok := f.recording(expr, around); ok && around != nil {
					found = f.help(r) || found
				}
			})
		}
	}
}

// help makes the function around a call a helper if the reason is its parameter. It reports whether it has done so.
func (f *file) help(r recording) (found bool) {
	index := f.parameterIndex(f.converted(r.reason), r.function)
	if index < 0 || actions.NamesAttempt(r.function.Name.Name) {
		return false
	}
	fn, _ := f.TypesInfo.Defs[r.function.Name].(*types.Func)
	h, seen := f.helpers[fn]
	if !seen && f.isPrivate(fn) && f.isOnlyCalled(fn, index) {
		found = true
		h = &helper{
			decl:   r.function,
			object: f.parameterIndex(r.object, r.function),
			kind:   r.kind,
			reason: index,
			note:   f.parameterIndex(r.note, r.function),
			action: f.freeVar(r.function, "action", "eventAction"),
		}
		f.declare(h)
	}
	f.helpers[fn] = h
	if h != nil && h.reason == index {
		f.passed[r.CallExpr] = h
	}
	return found
}

// converted is the expression that is made a string, by a conversion or its method String, or the expression itself.
func (f *file) converted(e ast.Expr) ast.Expr {
	if of := f.stringer(e); of != nil {
		return of
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && f.TypesInfo.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return call.Args[0]
	}
	return e
}

// parameterIndex is the index of the parameter that an expression is, if the function does not set it, or -1.
func (f *file) parameterIndex(e ast.Expr, fn *ast.FuncDecl) int {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return -1
	}
	param := f.parameter(id, fn)
	if param == nil || len(f.Data.Values(param)) > 0 {
		return -1
	}
	i := 0
	for v := range f.TypesInfo.Defs[fn.Name].(*types.Func).Signature().Params().Variables() {
		if v == param {
			return i
		}
		i++
	}
	return -1
}

// isPrivate reports whether only the package can call a function, and no interface has it as a method.
func (f *file) isPrivate(fn *types.Func) bool {
	if fn == nil || fn.Exported() && (f.Pkg.Name() != "main" || fn.Signature().Recv() != nil) || api.OldShape(fn) != "" {
		return false
	}
	if fn.Signature().Recv() == nil {
		return true
	}
	for _, of := range f.TypesInfo.Types {
		if iface, ok := of.Type.(*types.Interface); ok && of.IsType() {
			for method := range iface.Methods() {
				if method.Name() == fn.Name() {
					return false
				}
			}
		}
	}
	return true
}

// isOnlyCalled reports whether production code does nothing with a function but to call it with a reason.
func (f *file) isOnlyCalled(fn *types.Func, reason int) bool {
	called := map[*ast.Ident]bool{}
	for _, call := range f.callsOf(fn) {
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			called[fun] = true
		case *ast.SelectorExpr:
			called[fun.Sel] = true
		}
		if f.inTest(call.CallExpr) {
			continue
		}
		if len(call.Args) <= reason || f.FrozenAt(call.Pos()) {
			return false
		}
	}
	for id, used := range f.TypesInfo.Uses {
		if other, ok := used.(*types.Func); ok && other.Origin() == fn && !called[id] && !f.inTest(id) {
			return false
		}
	}
	return true
}

// callsOf are the calls of a function in the package.
func (f *file) callsOf(fn *types.Func) (all []dataflow.Call) {
	for _, call := range f.Data.Calls {
		if f.Data.Callee(call.CallExpr) == fn {
			all = append(all, call)
		}
	}
	return all
}

func (f *file) inTest(n ast.Node) bool { return load.IsTest(f.Fset.Position(n.Pos()).Filename) }

// declare adds the parameter of a helper behind that of the reason.
func (f *file) declare(h *helper) {
	i := 0
	for _, field := range h.decl.Type.Params.List {
		for _, name := range field.Names {
			if i == h.reason {
				pl := f.Place(h.decl.Name, plan.Shape, "%s gets a parameter for the action", h.decl.Name.Name)
				switch {
				case types.Identical(f.TypesInfo.TypeOf(field.Type), types.Typ[types.String]):
					pl.Insert(name.End(), ", "+h.action)
				case name == field.Names[len(field.Names)-1]:
					pl.Insert(field.Type.End(), ", "+h.action+" string")
				default:
					pl.Insert(name.End(), " "+f.Text(field.Type)+", "+h.action+" string")
				}
				return
			}
			i++
		}
	}
}

// helperOf is the helper that a call calls, or nil.
func (f *file) helperOf(call *ast.CallExpr) *helper {
	h := f.helpers[f.Data.Callee(call)]
	if h == nil || len(call.Args) <= h.reason {
		return nil // or all arguments are what another call returns
	}
	return h
}

// passAction makes a call of a helper pass an action.
func (f *file) passAction(r recording) {
	action := f.action(r)
	pl := f.Place(r.CallExpr, plan.Shape, "%s is passed the action %s", f.Data.Callee(r.CallExpr).Name(), action)
	if f.OwnLine(r.CallExpr, slices.Index(r.Args, r.reason)) {
		pl.Insert(r.reason.End(), ",\n"+action)
	} else {
		pl.Insert(r.reason.End(), ", "+action)
	}
}
