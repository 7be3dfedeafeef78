// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// related is the expression for the second object of a call: the one object that
// the note names, if it names exactly one besides the first.
func (f *file) related(c call) string {
	if names, ok := f.forwarding(c); ok && f.isParam(c.Args[0], c.function, names.regarding) {
		return names.related
	}
	args := c.Args[len(c.Args)-1:]
	for i, arg := range c.Args {
		if arg == c.note {
			args = c.Args[i:]
		}
	}
	if sprintf, ok := f.sprintf(c); ok {
		args = sprintf.Args
	}
	first := strings.TrimPrefix(f.Text(c.Args[0]), "&")
	named := map[string]bool{}
	found := "nil"
	for _, arg := range args {
		object := f.namedObject(arg)
		if object == nil || f.Text(object) == first {
			continue
		}
		text, ok := f.asObject(object)
		if !ok || named[text] {
			continue
		}
		named[text] = true
		found = text
	}
	if len(named) != 1 {
		return "nil"
	}
	return found
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

// asObject is an expression as a runtime.Object, if it is one with a name.
func (f *file) asObject(e ast.Expr) (string, bool) {
	t := f.TypesInfo.TypeOf(e)
	if api.HasMethods(t, "DeepCopyObject", "GetObjectKind", "GetName", "GetNamespace") {
		return f.Text(e), true
	}
	if !types.IsInterface(t) &&
		api.HasMethods(types.NewPointer(t), "DeepCopyObject", "GetObjectKind", "GetName", "GetNamespace") {
		return "&" + f.Text(e), true
	}
	return "", false
}
