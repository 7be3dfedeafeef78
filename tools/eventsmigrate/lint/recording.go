// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// A role is the meaning of a parameter of a recorder's method.
type role int

const (
	other role = iota
	regarding
	related
	annotations
	eventtype
	reason
	action
	note
)

// A shape has the roles of a function's parameters, without the variadic one.
type shape struct {
	roles []role
	// formats reports whether the note is a format for the variadic parameter.
	formats bool
	// old reports whether the recorder has no action.
	old bool
}

// shapes are the roles by the parameters' types, one letter each: object, map or
// string.
var shapes = map[string][]role{
	"osss":    {regarding, eventtype, reason, note},
	"omsss":   {regarding, annotations, eventtype, reason, note},
	"oossss":  {regarding, related, eventtype, reason, action, note},
	"oomssss": {regarding, related, annotations, eventtype, reason, action, note},
}

// shapeOf returns the shape of a recorder's method, or of a function with the same
// name and parameters. It returns nil for any other function.
func shapeOf(fn *types.Func) *shape {
	if !slices.Contains([]string{"Event", "Eventf", "AnnotatedEventf"}, fn.Name()) {
		return nil
	}
	params, variadic := fn.Signature().Params(), fn.Signature().Variadic()
	fixed := params.Len()
	if variadic {
		fixed--
	}
	var letters strings.Builder
	for i := range fixed {
		letters.WriteString(letter(params.At(i).Type()))
	}
	// The SDK's function AnnotatedEventf takes the recorder first.
	rest, hasRecorder := strings.CutPrefix(letters.String(), "?")
	roles := shapes[rest]
	if roles == nil {
		return nil
	}
	if hasRecorder {
		roles = append([]role{other}, roles...)
	}
	return &shape{roles: roles, formats: variadic, old: !slices.Contains(roles, action)}
}

func letter(t types.Type) string {
	switch {
	case isNamed(t, "k8s.io/apimachinery/pkg/runtime", "Object"):
		return "o"
	case types.Identical(t, types.Typ[types.String]):
		return "s"
	case types.Identical(t, types.NewMap(types.Typ[types.String], types.Typ[types.String])):
		return "m"
	}
	return "?"
}

// isNamed reports whether t is the named type or a pointer to it.
func isNamed(t types.Type, path, name string) bool {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// A recording is a call that records an Event, by itself or through a function
// of the package.
type recording struct {
	call   *ast.CallExpr
	cursor inspector.Cursor
	shape  *shape
}

// arg returns the argument in a role, or nil.
func (r *recording) arg(wanted role) ast.Expr {
	i := slices.Index(r.shape.roles, wanted)
	if i < 0 || i >= len(r.call.Args) {
		return nil
	}
	return r.call.Args[i]
}

// args returns the recordings that have an argument in a role, with that argument.
func (s *survey) args(wanted role) iter.Seq2[*recording, ast.Expr] {
	return func(yield func(*recording, ast.Expr) bool) {
		for _, r := range s.recordings {
			if arg := r.arg(wanted); arg != nil && !yield(r, arg) {
				return
			}
		}
	}
}

// noteArgs returns the arguments that the note formats.
func (r *recording) noteArgs() []ast.Expr {
	if !r.shape.formats || len(r.call.Args) <= len(r.shape.roles) {
		return nil
	}
	return r.call.Args[len(r.shape.roles):]
}
