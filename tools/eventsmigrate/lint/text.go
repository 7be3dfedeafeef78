// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// A text is what is known of a string before the program runs. Nothing is known of
// a string of a named type, which is taken for one of a few constants.
type text struct {
	// constants are values that the string may have.
	constants []string
	// volatile says why the string differs from call to call.
	volatile string
	// unknown reports whether the string may have values from outside of the package.
	unknown bool
	// forwarded reports whether the string is a parameter, and its values are checked in
	// the callers.
	forwarded bool
}

// known reports whether the string is one of the constants.
func (t text) known() bool {
	return len(t.constants) > 0 && t.volatile == "" && !t.unknown && !t.forwarded
}

// textOf follows an expression through variables, functions and unexported fields
// of the package.
func (s *survey) textOf(expr ast.Expr) text {
	return s.textSeen(expr, map[types.Object]bool{})
}

func (s *survey) textSeen(expr ast.Expr, seen map[types.Object]bool) text {
	r := reader{survey: s, seen: seen}
	r.read(assignments.Value{Expr: expr})
	return r.text
}

// A reader collects what an expression may be.
type reader struct {
	*survey
	text
	seen map[types.Object]bool
}

func (r *reader) read(from assignments.Value) {
	if from.Expr == nil || from.Element {
		r.unknown = true
		return
	}
	expr := ast.Unparen(from.Expr)
	if v := r.info.Types[expr].Value; v != nil && v.Kind() == constant.String {
		r.constants = append(r.constants, constant.StringVal(v))
		return
	}
	switch expr := expr.(type) {
	case *ast.Ident:
		r.variable(expr)
	case *ast.SelectorExpr:
		r.selector(expr)
	case *ast.CallExpr:
		r.call(expr, from.Index)
	case *ast.BinaryExpr:
		r.concat(expr)
	default:
		r.opaque(expr)
	}
}

// opaque reads an expression that cannot be followed.
func (r *reader) opaque(expr ast.Expr) {
	t := r.info.TypeOf(expr)
	switch {
	case t == nil:
		r.unknown = true
	case api.IsType(t, "k8s.io/apimachinery/pkg/types", "UID"):
		r.volatile = "the UID of an object"
	case !isEnum(t):
		r.unknown = true
	}
}

// isEnum reports whether a type is a named string or number, as those of a fixed set
// of values are.
func isEnum(t types.Type) bool {
	_, named := types.Unalias(t).(*types.Named)
	_, basic := t.Underlying().(*types.Basic)
	return named && basic
}

func (r *reader) variable(id *ast.Ident) {
	v, ok := r.info.ObjectOf(id).(*types.Var)
	if !ok || r.seen[v] {
		return
	}
	r.seen[v] = true
	isParam := v.Kind() == types.ParamVar && !isEnum(v.Type())
	r.forwarded = r.forwarded || isParam
	for _, from := range r.assigned[v] {
		r.read(from)
	}
	if !isParam && len(r.assigned[v]) == 0 {
		r.opaque(id)
	}
}

func (r *reader) selector(expr *ast.SelectorExpr) {
	obj := r.info.Uses[expr.Sel]
	switch {
	case isIdentity(obj):
		r.volatile = "the " + expr.Sel.Name + " of an object"
	case r.info.Selections[expr] == nil, // a variable of another package
		obj != nil && obj.Pkg() == r.pkg && !obj.Exported(): // a field that nobody else can set
		r.variable(expr.Sel)
	default:
		r.opaque(expr)
	}
}

// concat reads a concatenation. If both texts are known, it has all combinations of
// their constants, else it is volatile.
func (r *reader) concat(expr *ast.BinaryExpr) {
	left, right := r.textSeen(expr.X, maps.Clone(r.seen)), r.textSeen(expr.Y, maps.Clone(r.seen))
	if !left.known() || !right.known() {
		r.volatile = cmp.Or(left.volatile, right.volatile, "a concatenation")
		return
	}
	for _, l := range left.constants {
		for _, m := range right.constants {
			r.constants = append(r.constants, l+m)
		}
	}
}
