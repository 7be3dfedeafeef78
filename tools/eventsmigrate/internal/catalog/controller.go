// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// controllers returns the names that the recorder of a recording may have been made with.
func (r *reading) controllers(f *frame, rec *recording.Recording) (names []string) {
	selector, ok := ast.Unparen(rec.Call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	switch selection := f.Info.Selections[selector]; {
	case selection == nil && len(rec.Call.Args) > 0: // the SDK's function AnnotatedEventf
		names = r.madeBy(f, rec.Call.Args[0])
	case selection != nil && len(selection.Index()) > 1: // the recorder is embedded
		for _, from := range f.values[embedded(selection).Pos()] {
			names = append(names, r.makers(from, 0)...)
		}
	default:
		names = r.madeBy(f, selector.X)
	}
	return union(names, nil)
}

// embedded returns the field that has a promoted method.
func embedded(selection *types.Selection) (v *types.Var) {
	t := selection.Recv()
	for _, i := range selection.Index()[:len(selection.Index())-1] {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		v = t.Underlying().(*types.Struct).Field(i)
		t = v.Type()
	}
	return v
}

func (r *reading) madeBy(f *frame, recorder ast.Expr) []string {
	if v, ok := objectOf(f.Info, recorder).(*types.Var); ok {
		if arg, isParam := f.argument(v); arg != nil {
			return r.madeBy(f.caller, arg)
		} else if isParam {
			r.open = true
		}
	}
	return r.makers(value{f.Survey, assignments.Value{Expr: recorder}}, 0)
}

// makers returns the names in the calls that make a recorder. Such a call is one of another module: it has the name as a
// string or as the component of an EventSource.
func (r *reading) makers(recorder value, depth int) (names []string) {
	if depth > maxFormats {
		return nil
	}
	for _, from := range r.origins(recorder.Survey, recorder.Expr) {
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
		i := slices.IndexFunc(parts, func(part ast.Expr) bool { return isRecorder(from.Info.TypeOf(part)) })
		if i >= 0 { // a recorder that is made of another one
			names = append(names, r.makers(value{from.Survey, assignments.Value{Expr: parts[i]}}, depth+1)...)
		} else if call != nil {
			for _, arg := range call.Args {
				names = append(names, r.component(from.Survey, arg)...)
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
func (r *reading) component(s *recording.Survey, arg ast.Expr) (names []string) {
	t := s.Info.TypeOf(arg)
	if basic, ok := types.Unalias(t).(*types.Basic); ok && basic.Info()&types.IsString != 0 {
		names, _ = r.constants(s, arg)
		return names
	}
	for _, from := range r.origins(s, arg) {
		if literal, ok := from.Expr.(*ast.CompositeLit); ok && strings.HasSuffix(types.TypeString(from.Info.TypeOf(literal), nil), "v1.EventSource") {
			if component := field(literal, "Component"); component != nil {
				more, _ := r.constants(from.Survey, component)
				names = append(names, more...)
			}
		}
	}
	return names
}

// isRecorder reports whether a type has a method that records.
func isRecorder(t types.Type) bool {
	if t == nil {
		return false
	}
	for _, name := range []string{"Eventf", "Event"} {
		method, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if fn, ok := method.(*types.Func); ok && recording.Records(fn) {
			return true
		}
	}
	return false
}
