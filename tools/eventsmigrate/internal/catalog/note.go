// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
)

// verb matches a note that is nothing but what it formats.
var verb = regexp.MustCompile(`^(%\[?\d*\]?[-+#]?[svqw][:. ]*)*$`)

// notes returns the formats of a note. What is not a constant in them is %s.
func (r *reading) notes(f *frame, expr ast.Expr, args []ast.Expr) []string {
	all := r.formats(f, expr, nil)
	if len(args) == 1 && len(all) == 1 && (all[0] == "%s" || all[0] == "%v") {
		all = r.formats(f, args[0], nil)
	}
	all = slices.DeleteFunc(all, verb.MatchString)
	return union(all, nil)
}

// maxFormats bounds the notes of a recording, and how many recorders may be made of each other.
const maxFormats = 16

// formats returns the formats that a text may be made of. The variables in seen have been followed, as msg in msg += "...".
func (r *reading) formats(f *frame, expr ast.Expr, seen []*types.Var) []string {
	unknown := []string{"%s"}
	if expr == nil {
		return unknown
	}
	expr = ast.Unparen(expr)
	if v := f.Info.Types[expr].Value; v != nil && v.Kind() == constant.String {
		return []string{constant.StringVal(v)}
	}
	switch e := expr.(type) {
	case *ast.Ident:
		return r.formatsOf(f, e, seen)
	case *ast.CallExpr:
		if fn := f.Callee(e); fn != nil && fn.Pkg() != nil && len(e.Args) > 0 && keepsFormat(fn) {
			return r.formats(f, e.Args[0], seen)
		}
		return unknown
	case *ast.BinaryExpr:
		var all []string
		for _, left := range r.formats(f, e.X, seen) {
			for _, right := range r.formats(f, e.Y, seen) {
				all = append(all, left+right)
			}
		}
		if len(all) > maxFormats {
			return unknown
		}
		return all
	}
	return unknown
}

// formatsOf returns the formats that a variable may have.
func (r *reading) formatsOf(f *frame, id *ast.Ident, seen []*types.Var) (all []string) {
	unknown := []string{"%s"}
	v, ok := f.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return unknown
	}
	if slices.Contains(seen, v) {
		return nil
	}
	seen = append(slices.Clone(seen), v)
	if arg, isParam := f.argument(v); arg != nil {
		all = r.formats(f.caller, arg, seen)
	} else if isParam {
		r.open = true
	}
	for _, from := range f.Assigned[v] {
		if from.Expr != nil && !from.Element {
			all = append(all, r.formats(f, from.Expr, seen)...)
		}
	}
	if len(all) == 0 || len(all) > maxFormats {
		return unknown
	}
	return union(all, nil)
}

// keepsFormat reports whether the first argument of a function is the format of its result, or nearly so.
func keepsFormat(fn *types.Func) bool {
	switch fn.Pkg().Path() {
	case "fmt":
		return fn.Name() == "Sprintf" || fn.Name() == "Errorf"
	case "strings":
		return fn.Signature().Params().Len() > 1
	}
	return fn.Pkg().Path() == "errors"
}
