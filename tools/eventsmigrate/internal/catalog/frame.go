// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// A frame is a function that records, with the call of it that is looked at. The frame of a function without a caller does
// not know the values of its parameters.
type frame struct {
	*code
	function
	call   *ast.CallExpr // in the caller
	caller *frame
}

// within reports whether a function is one of the frames.
func (f *frame) within(fn *types.Func) bool {
	return f != nil && (f.Pos() == fn.Pos() || f.caller.within(fn))
}

// top is the frame without a caller.
func (f *frame) top() *frame {
	if f.caller == nil {
		return f
	}
	return f.caller.top()
}

// below returns frames like f, with a caller of its topmost function.
func (f *frame) below(caller *frame, call *ast.CallExpr) *frame {
	copied := *f
	if f.caller == nil {
		copied.caller, copied.call = caller, call
	} else {
		copied.caller = f.caller.below(caller, call)
	}
	return &copied
}

// place is that of the call in the topmost function, which leads to a call in this one.
func (f *frame) place(call *ast.CallExpr) token.Position {
	if f.caller != nil {
		return f.caller.place(f.call)
	}
	return f.fset.PositionFor(call.Pos(), false)
}

// argument returns what the caller passes for a parameter, and whether the variable is a parameter of the function.
func (f *frame) argument(v *types.Var) (arg ast.Expr, isParam bool) {
	params := f.Signature().Params()
	for i := range params.Len() {
		if params.At(i).Pos() != v.Pos() {
			continue
		}
		if f.call == nil || i >= len(f.call.Args) || len(f.call.Args) == 1 && params.Len() > 1 {
			return nil, true
		}
		return f.call.Args[i], true
	}
	return nil, false
}

// A reading evaluates the arguments of one recording in one frame.
type reading struct {
	*frame
	open bool // a caller of the topmost function would say more
}

// strings returns the constants that a string may be, and those of the program that have these values.
func (r *reading) strings(f *frame, expr ast.Expr) (all []string, named []*types.Const) {
	if expr == nil {
		return nil, nil
	}
	t := f.TextOf(expr)
	all, named = t.Constants, t.Named
	for _, param := range t.Params {
		arg, isParam := f.argument(param)
		switch {
		case arg != nil:
			more, names := r.strings(f.caller, arg)
			all, named = append(all, more...), append(named, names...)
		case isParam:
			r.open = true
		}
	}
	if len(all) == 0 && t.Volatile == "" && len(t.Params) == 0 { // a field that other packages set, too
		for _, from := range f.origins(f.Survey, expr) {
			t := from.TextOf(from.Expr)
			all, named = append(all, t.Constants...), append(named, t.Named...)
		}
	}
	return union(all, nil), named
}

// constants returns the constants that a string may be, whoever calls the functions in between.
func (c *code) constants(s *recording.Survey, expr ast.Expr) (all []string, known bool) {
	for _, from := range c.origins(s, expr) {
		if v := from.Info.Types[from.Expr].Value; v != nil && v.Kind() == constant.String {
			all = append(all, constant.StringVal(v))
		}
	}
	return union(all, nil), len(all) > 0
}
