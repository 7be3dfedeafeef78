// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// controllers returns the names that the recorder of a recording may have been made with.
func (r *reading) controllers() (names []string) {
	selector, ok := ast.Unparen(r.rec.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	selection := r.rec.Info.Selections[selector]
	if selection == nil { // the SDK's function AnnotatedEventf
		return union(r.makers(r.rec.Value(r.rec.Args[0]), 0), nil)
	}
	embedded := dataflow.EmbeddedFields(selection)
	if len(embedded) == 0 {
		return union(r.makers(r.rec.Value(selector.X), 0), nil)
	}
	for _, from := range r.Values(embedded[len(embedded)-1]) {
		names = append(names, r.makers(from, 0)...)
	}
	return union(names, nil)
}

// maxMakers bounds how many recorders may be made of each other.
const maxMakers = 16

// makers returns the names in the calls that make a recorder. Such a call is one of another module: it has the name as a
// string or as the component of an EventSource.
func (r *reading) makers(recorder dataflow.Value, depth int) (names []string) {
	if depth > maxMakers {
		return nil
	}
	for _, from := range r.Origins(recorder, r.far()) {
		var parts []ast.Expr
		call, _ := from.Expr.(*ast.CallExpr)
		if call != nil {
			parts = append(parts, call.Args...)
			if selector, ok := call.Fun.(*ast.SelectorExpr); ok {
				parts = append(parts, selector.X)
			}
		} else if literal, ok := from.Expr.(*ast.CompositeLit); ok {
			parts = elements(literal)
		}
		i := slices.IndexFunc(parts, func(part ast.Expr) bool { return api.Records(from.Info.TypeOf(part)) })
		if i >= 0 { // a recorder that is made of another one
			names = append(names, r.makers(from.Value(parts[i]), depth+1)...)
		} else if call != nil {
			for _, arg := range call.Args {
				names = append(names, r.component(from.Value(arg))...)
			}
		}
	}
	return names
}

// elements returns the values in a literal.
func elements(literal *ast.CompositeLit) (all []ast.Expr) {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			element = pair.Value
		}
		all = append(all, element)
	}
	return all
}

// component returns the names of the controller that an argument may be.
func (r *reading) component(arg dataflow.Value) (names []string) {
	t := arg.Info.TypeOf(arg.Expr)
	if basic, ok := types.Unalias(t).(*types.Basic); ok && basic.Info()&types.IsString != 0 {
		return r.Text(arg, r.far()).Constants
	}
	for _, from := range r.Origins(arg, r.far()) {
		literal, ok := from.Expr.(*ast.CompositeLit)
		if !ok || !strings.HasSuffix(types.TypeString(from.Info.TypeOf(literal), nil), "v1.EventSource") {
			continue
		}
		if component := field(literal, "Component"); component != nil {
			names = append(names, r.Text(from.Value(component), r.far()).Constants...)
		}
	}
	return names
}
