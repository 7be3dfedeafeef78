// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// kinds returns the kinds of the objects that an argument may be, by their types.
func (r *reading) kinds(role recording.Role) (all []string) {
	arg := r.rec.Arg(role)
	if arg == nil {
		return nil
	}
	reach := r.far()
	reach.Stop = func(from dataflow.Value) bool { return kindOfType(from.Info.TypeOf(from.Expr)) != "" }
	for _, from := range r.Origins(r.rec.Value(arg), reach) {
		all = append(all, r.kindsOf(from)...)
	}
	return union(all, nil)
}

// kindsOf returns the kinds of an expression that makes an object or a reference to one.
func (r *reading) kindsOf(from dataflow.Value) (kinds []string) {
	if kind := kindOfType(from.Info.TypeOf(from.Expr)); kind != "" {
		return []string{kind}
	}
	switch e := from.Expr.(type) {
	case *ast.CompositeLit: // of an ObjectReference
		if kind := field(e, "Kind"); kind != nil {
			return r.Text(from.Value(kind), r.far()).Constants
		}
	case *ast.CallExpr: // a function that returns a reference to its argument
		for _, arg := range e.Args {
			if t := from.Info.TypeOf(arg); t != nil && !types.IsInterface(t) && kindOfType(t) != "" && isRuntimeObject(t) {
				kinds = append(kinds, kindOfType(t))
			}
		}
	}
	return kinds
}

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

// isRuntimeObject reports whether a type is one of Kubernetes' objects.
func isRuntimeObject(t types.Type) bool {
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
