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

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
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
}

// shapes are the roles by the kinds of the parameters.
var shapes = map[string][]role{
	"osss":    {regarding, eventtype, reason, note},
	"omsss":   {regarding, annotations, eventtype, reason, note},
	"oossss":  {regarding, related, eventtype, reason, action, note},
	"oomssss": {regarding, related, annotations, eventtype, reason, action, note},
}

// shapeOf returns the shape of a recorder's method, or of a function with the same
// name and parameters. It returns nil for any other function.
func shapeOf(fn *types.Func) *shape {
	if !slices.Contains(api.Methods, api.Method(fn.Name())) {
		return nil
	}
	kinds, formats := strings.CutSuffix(api.Kinds(fn.Signature()), "v")
	// The SDK's function AnnotatedEventf takes the recorder first.
	kinds, hasRecorder := strings.CutPrefix(kinds, "?")
	roles := shapes[kinds]
	if roles == nil {
		return nil
	}
	if hasRecorder {
		roles = append([]role{other}, roles...)
	}
	return &shape{roles: roles, formats: formats}
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
