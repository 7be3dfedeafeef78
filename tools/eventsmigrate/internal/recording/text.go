// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// A Text is what is known of a string before the program runs. Nothing is known of
// a string of a named type, which is taken for one of a few constants.
type Text struct {
	// Constants are values that the string may have.
	Constants []string
	// Named are those constants of the program that have these values.
	Named []*types.Const
	// Volatile says why the string differs from call to call.
	Volatile string
	// Unknown reports whether the string may have values from outside of the package.
	Unknown bool
	// Params are the parameters whose values the string may have. The callers have
	// these values.
	Params []*types.Var
}

// Known reports whether the string is one of the constants.
func (t Text) Known() bool {
	return len(t.Constants) > 0 && t.Volatile == "" && !t.Unknown && len(t.Params) == 0
}

// TextOf follows an expression through variables, functions and unexported fields
// of the package.
func (s *Survey) TextOf(expr ast.Expr) Text {
	return s.textSeen(expr, map[types.Object]bool{})
}

func (s *Survey) textSeen(expr ast.Expr, seen map[types.Object]bool) Text {
	r := reader{Survey: s, seen: seen}
	r.read(assignments.Value{Expr: expr})
	return r.Text
}

// A reader collects what an expression may be.
type reader struct {
	*Survey
	Text
	seen map[types.Object]bool
}

func (r *reader) read(from assignments.Value) {
	if from.Expr == nil || from.Element {
		r.Unknown = true
		return
	}
	expr := ast.Unparen(from.Expr)
	if v := r.Info.Types[expr].Value; v != nil && v.Kind() == constant.String {
		r.Constants = append(r.Constants, constant.StringVal(v))
		r.name(expr)
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

// name keeps the constant that an expression names.
func (r *reader) name(expr ast.Expr) {
	id, _ := expr.(*ast.Ident)
	if selector, ok := expr.(*ast.SelectorExpr); ok {
		id = selector.Sel
	}
	if id == nil {
		return
	}
	if c, ok := r.Info.Uses[id].(*types.Const); ok {
		r.Named = append(r.Named, c)
	}
}

// opaque reads an expression that cannot be followed.
func (r *reader) opaque(expr ast.Expr) {
	t := r.Info.TypeOf(expr)
	switch {
	case t == nil:
		r.Unknown = true
	case api.IsType(t, "k8s.io/apimachinery/pkg/types", "UID"):
		r.Volatile = "the UID of an object"
	case !isEnum(t):
		r.Unknown = true
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
	v, ok := r.Info.ObjectOf(id).(*types.Var)
	if !ok || r.seen[v] {
		return
	}
	r.seen[v] = true
	if v.Kind() == types.ParamVar {
		r.Params = append(r.Params, v)
	} else if len(r.Assigned[v]) == 0 {
		r.opaque(id)
	}
	for _, from := range r.Assigned[v] {
		r.read(from)
	}
}

func (r *reader) selector(expr *ast.SelectorExpr) {
	obj := r.Info.Uses[expr.Sel]
	switch {
	case isIdentity(obj):
		r.Volatile = "the " + expr.Sel.Name + " of an object"
	case r.Info.Selections[expr] == nil, // a variable of another package
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
	if !left.Known() || !right.Known() {
		r.Volatile = cmp.Or(left.Volatile, right.Volatile, "a concatenation")
		return
	}
	for _, l := range left.Constants {
		for _, m := range right.Constants {
			r.Constants = append(r.Constants, l+m)
		}
	}
}
