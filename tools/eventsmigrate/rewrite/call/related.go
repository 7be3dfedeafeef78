// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// related is the expression for the second object of a call: the one object that
// the note names, if it names exactly one besides the first, and that one is fit.
func (f *file) related(c call) string {
	if names, ok := f.forwarding(c.function); ok && f.isParam(c.Args[0], c.function, names.regarding) {
		return names.related
	}
	first := f.identity(c.Args[0])
	named := map[string]ast.Expr{}
	for _, arg := range c.Args[slices.Index(c.Args, c.note):] {
		for _, part := range f.parts(arg, c) {
			object := f.namedObject(part)
			if object == nil || f.identity(object) == first || !f.meansTheSame(object, c) {
				continue
			}
			if text, ok := f.asObject(object); ok && f.hasKind(object, c.Args[0]) {
				named[text] = object
			}
		}
	}
	for text, object := range named {
		if len(named) == 1 && !f.floods(object, c) && !f.isAbsent(object, c) {
			return text
		}
	}
	return "nil"
}

// parts are the expressions of which a text is made: by +, by Sprintf, or in a variable that is set once.
func (f *file) parts(e ast.Expr, c call) []ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return append(f.parts(e.X, c), f.parts(e.Y, c)...)
	case *ast.CallExpr:
		if !api.IsNamed(f.Callee(e), "fmt", "Sprintf") {
			break
		}
		var all []ast.Expr
		for _, arg := range e.Args {
			all = append(all, f.parts(arg, c)...)
		}
		return all
	case *ast.Ident:
		if only := f.Data.Only(e); only != nil {
			return f.parts(only, c)
		}
	}
	return []ast.Expr{e}
}

// meansTheSame reports whether the variable of an expression is in scope at a call, and no other has its name there.
func (f *file) meansTheSame(e ast.Expr, c call) bool {
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			_, obj := f.Pkg.Scope().Innermost(c.Pos()).LookupParent(x.Name, c.Pos())
			return obj == f.TypesInfo.Uses[x]
		default:
			return false
		}
	}
}

// namedObject is x in x.Name, x.GetName(), klog.KObj(x) and
// client.ObjectKeyFromObject(x).
func (f *file) namedObject(arg ast.Expr) ast.Expr {
	switch e := ast.Unparen(arg).(type) {
	case *ast.SelectorExpr:
		if e.Sel.Name == "Name" {
			return f.path(e.X)
		}
	case *ast.CallExpr:
		fn, ok := f.Callee(e).(*types.Func)
		if !ok {
			return nil
		}
		sel, isSel := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		switch {
		case isSel && fn.Name() == "GetName" && len(e.Args) == 0:
			return f.path(sel.X)
		case fn.Pkg() != nil && (fn.Name() == "KObj" || fn.Name() == "ObjectKeyFromObject") && len(e.Args) == 1:
			return f.path(e.Args[0])
		}
	}
	return nil
}

// path returns an expression if it is a variable or a field of one.
func (f *file) path(e ast.Expr) ast.Expr {
	inner := ast.Unparen(e)
	if unary, ok := inner.(*ast.UnaryExpr); ok && unary.Op == token.AND {
		inner = unary.X
	}
	for at := inner; ; {
		switch x := at.(type) {
		case *ast.Ident:
			if _, ok := f.TypesInfo.Uses[x].(*types.Var); ok {
				return inner
			}
			return nil
		case *ast.SelectorExpr:
			at = x.X
		default:
			return nil
		}
	}
}

// identity is a text for the object that an expression stands for: the same one for an object, its address, a struct
// that embeds the object, and a variable that is only set to one of these.
func (f *file) identity(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return f.identity(x.X)
		}
	case *ast.SelectorExpr:
		if field, ok := f.TypesInfo.Uses[x.Sel].(*types.Var); ok && field.Embedded() {
			return f.identity(x.X)
		}
	case *ast.Ident:
		if from := f.path(f.Data.Only(x)); from != nil {
			return f.identity(from)
		}
	}
	return f.Text(e)
}

// asObject is an expression as a runtime.Object, if it is one with a name.
func (f *file) asObject(e ast.Expr) (string, bool) {
	t := f.TypesInfo.TypeOf(e)
	if isNamedObject(t) {
		return f.Text(e), true
	}
	if !types.IsInterface(t) && isNamedObject(types.NewPointer(t)) {
		return "&" + f.Text(e), true
	}
	return "", false
}

// isNamedObject reports whether a type is that of an object with a name. A struct that embeds an object has the object's
// methods, but no scheme knows its type.
func isNamedObject(t types.Type) bool {
	_, index, _ := types.LookupFieldOrMethod(t, false, nil, "DeepCopyObject")
	return len(index) == 1 && api.HasMethods(t, "DeepCopyObject", "GetObjectKind", "GetName", "GetNamespace")
}

// hasKind reports whether the scheme of the recorder knows the type of a second object: if it is in the package of the
// first, whose type the scheme knows, or in one that the survey finds.
func (f *file) hasKind(second, first ast.Expr) bool {
	name := api.TypeName(f.TypesInfo.TypeOf(second))
	if name == nil || name.Pkg() == nil {
		return true
	}
	if regarding := api.TypeName(f.TypesInfo.TypeOf(first)); regarding != nil && regarding.Pkg() == name.Pkg() {
		return true
	}
	return f.Survey.Knows(strings.TrimSuffix(f.Pkg.Path(), "_test"), name.Pkg().Path())
}
