// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow

import (
	"cmp"
	"go/ast"
	"go/types"
	"regexp"
)

// directive is what a format replaces by an argument.
var directive = regexp.MustCompile("%[a-z]")

// call reads the result of a call that is not followed.
func (r *reader) call(from Value, call *ast.CallExpr) {
	fn := from.Callee(call)
	r.format(r.formats(from, call, fn)...)
	switch {
	case fn == nil:
		r.opaque(from)
	case whyResultVolatile(fn) != "":
		r.Volatile = whyResultVolatile(fn)
	case isOf(fn, "strings"): // what is made of a volatile text is volatile
		for _, arg := range call.Args {
			r.Volatile = cmp.Or(r.here(from.Value(arg)).Volatile, r.Volatile)
		}
	default:
		r.opaque(from)
	}
}

// formats returns the formats of what a call returns: that of a formatting function or of an error, or nearly that of what
// package strings changes.
func (r *reader) formats(from Value, call *ast.CallExpr, fn *types.Func) []string {
	switch {
	case fn == nil:
	case fn.Name() == "Error" && len(call.Args) == 0:
		return r.formatOfError(from, call)
	case len(call.Args) == 0:
	case fn.Name() == "Sprintf", fn.Name() == "Errorf":
		return r.formatted(from, call)
	case isOf(fn, "errors"), isOf(fn, "strings") && len(call.Args) > 1:
		return r.text(from.Value(call.Args[0])).Formats
	}
	return []string{verb}
}

// formatOfError returns the formats of an error that is made in the function around. Those of all functions that return it
// would say too much.
func (r *reader) formatOfError(from Value, call *ast.CallExpr) []string {
	if method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if maker, ok := from.Resolve(method.X).(*ast.CallExpr); ok {
			return r.formats(from, maker, from.Callee(maker))
		}
	}
	return []string{verb}
}

// formatted returns the formats of a call that formats, with the arguments that are constants.
func (r *reader) formatted(from Value, call *ast.CallExpr) (all []string) {
	for _, format := range r.text(from.Value(call.Args[0])).Formats {
		n := 0
		all = append(all, directive.ReplaceAllStringFunc(format, func(found string) string {
			n++
			if n >= len(call.Args) {
				return found
			}
			return cmp.Or(r.here(from.Value(call.Args[n])).Constant(), found)
		}))
	}
	return all
}

func isOf(fn *types.Func, path string) bool { return fn.Pkg() != nil && fn.Pkg().Path() == path }
