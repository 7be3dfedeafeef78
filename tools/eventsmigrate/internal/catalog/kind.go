// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/types"
	"slices"
)

// kinds returns the kinds of the objects that an expression may be, by their types.
func (r *reading) kinds(f *frame, expr ast.Expr) []string {
	if expr == nil {
		return nil
	}
	if v, ok := objectOf(f.Info, expr).(*types.Var); ok && isOpenKind(f.Info.TypeOf(expr)) {
		if arg, isParam := f.argument(v); arg != nil {
			return r.kinds(f.caller, arg)
		} else if isParam {
			r.open = true
		}
	}
	var all []string
	for _, from := range f.origins(f.Survey, expr) {
		all = append(all, f.kindOf(from)...)
	}
	if kind := kindOfType(f.Info.TypeOf(expr)); kind != "" {
		all = []string{kind}
	}
	return union(all, nil)
}

// kindOf returns the kinds of an expression that makes an object or a reference to one.
func (c *code) kindOf(from value) (kinds []string) {
	if kind := kindOfType(from.Info.TypeOf(from.Expr)); kind != "" {
		return []string{kind}
	}
	switch e := from.Expr.(type) {
	case *ast.CompositeLit: // of an ObjectReference
		if kind := field(e, "Kind"); kind != nil {
			kinds, _ = c.constants(from.Survey, kind)
		}
	case *ast.CallExpr: // a function that returns a reference to its argument
		for _, arg := range e.Args {
			if t := from.Info.TypeOf(arg); t != nil && !types.IsInterface(t) && kindOfType(t) != "" && isObject(t) {
				kinds = append(kinds, kindOfType(t))
			}
		}
	}
	return kinds
}

// isOpenKind reports whether values of a type may be of several kinds.
func isOpenKind(t types.Type) bool { return t != nil && kindOfType(t) == "" }

// kindOfType returns the kind of an object by its type, or "" for an interface or a reference.
func kindOfType(t types.Type) string {
	if t == nil {
		return ""
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(named) || slices.Contains([]string{"ObjectReference", "Unstructured"}, named.Obj().Name()) {
		return ""
	}
	return named.Obj().Name()
}

// isObject reports whether a type is one of Kubernetes' objects.
func isObject(t types.Type) bool {
	method, _, _ := types.LookupFieldOrMethod(t, true, nil, "DeepCopyObject")
	return method != nil
}

// field returns the value of a field in a literal, or nil.
func field(literal *ast.CompositeLit, name string) ast.Expr {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if id, ok := pair.Key.(*ast.Ident); ok && id.Name == name {
				return pair.Value
			}
		}
	}
	return nil
}
