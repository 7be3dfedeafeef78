// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// A Text is what is known of a string before the program runs. Nothing is known of
// a string of a named type, which is taken for one of a few constants.
type Text struct {
	// Constants are values that the string may have.
	Constants []string
	// Named are those constants of the program that have these values.
	Named []*types.Const
	// Formats are the constants, and what the string is made of otherwise: it has a verb where it is not constant, and is "%s"
	// if nothing is.
	Formats []string
	// Volatile says why the string differs from call to call.
	Volatile string
	// Unknown reports whether the string may have values from outside of the program.
	Unknown bool
	// Params are the parameters whose values the string may have. The callers have
	// these values.
	Params []*types.Var
}

// Known reports whether the string is one of the constants.
func (t Text) Known() bool {
	return len(t.Constants) > 0 && t.Volatile == "" && !t.Unknown && len(t.Params) == 0
}

// Constant returns the only value of the string, or "".
func (t Text) Constant() string {
	if t.Known() && len(t.Constants) == 1 {
		return t.Constants[0]
	}
	return ""
}

// Format returns the only format of the string, or "" if there are several, or nothing in it is constant.
func (t Text) Format() string {
	if len(t.Formats) == 1 && t.Formats[0] != verb {
		return t.Formats[0]
	}
	return ""
}

// ConstantParts returns the only format of the string without its verbs.
func (t Text) ConstantParts() string { return directive.ReplaceAllString(t.Format(), "") }

// TextOf returns what is known of an expression from its package alone.
func (p *Package) TextOf(e ast.Expr) Text {
	return p.Alone().Text(p.Value(e), Reach{Fields: OwnFields})
}

// Text returns what is known of a string by its origins.
func (p *Program) Text(from Value, reach Reach) Text {
	return p.walk(reach).text(from)
}

// text reads a value with a walk of its own, which does not visit again what this one has visited.
func (w *walk) text(from Value) Text {
	r := &reader{}
	r.walk = w.fork(r.origin)
	r.follow(from)
	if len(r.Formats) > maxFormats {
		r.Formats = []string{verb}
	}
	return r.Text
}

// here reads a value like text, but for what callers pass.
func (w *walk) here(from Value) Text {
	inner := *w
	inner.reach.Args = nil
	return inner.text(from)
}

// A reader collects what a string may be.
type reader struct {
	*walk
	Text
}

// verb stands for a part of a format that is not constant.
const verb = "%s"

// maxFormats bounds the formats of a text. Those of a concatenation are all combinations.
const maxFormats = 16

// origin reads an expression that is not followed.
func (r *reader) origin(from Value) {
	if from.Expr == nil {
		r.Unknown = true
		r.format(verb)
		return
	}
	if v := from.Info.Types[from.Expr].Value; v != nil && v.Kind() == constant.String {
		r.Constants = append(r.Constants, constant.StringVal(v))
		r.format(constant.StringVal(v))
		if c, ok := from.Object(from.Expr).(*types.Const); ok {
			r.Named = append(r.Named, c)
		}
		return
	}
	switch e := from.Expr.(type) {
	case *ast.BinaryExpr:
		r.concat(from, e)
		return
	case *ast.CallExpr:
		r.call(from, e)
		return
	}
	r.format(verb)
	v := from.Variable(from.Expr)
	switch why := whyVolatile(from.Package, from.Expr); {
	case why != "":
		r.Volatile = why
	case v != nil && v.Kind() == types.ParamVar:
		r.Params = append(r.Params, v)
	default:
		r.opaque(from)
	}
}

// opaque reads an expression by its type.
func (r *reader) opaque(from Value) {
	t := from.Info.TypeOf(from.Expr)
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

// concat reads a concatenation. If both texts are known, it has all combinations of
// their constants, else it is volatile.
func (r *reader) concat(from Value, e *ast.BinaryExpr) {
	left, right := r.text(from.Value(e.X)), r.text(from.Value(e.Y))
	r.format(combined(left.Formats, right.Formats)...)
	if !left.Known() || !right.Known() {
		r.Volatile = cmp.Or(left.Volatile, right.Volatile, "a concatenation")
		if left.Volatile == "" && right.Volatile == "" {
			r.Params = append(r.Params, slices.Concat(left.Params, right.Params)...)
		}
		return
	}
	r.Constants = append(r.Constants, combined(left.Constants, right.Constants)...)
}

func combined(left, right []string) (all []string) {
	for _, l := range left {
		for _, r := range right {
			all = append(all, l+r)
		}
	}
	return all
}

// format adds formats, each once.
func (r *reader) format(formats ...string) {
	for _, format := range formats {
		if !slices.Contains(r.Formats, format) {
			r.Formats = append(r.Formats, format)
		}
	}
}
