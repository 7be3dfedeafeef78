// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// A Role is the meaning of a parameter of a recorder's method.
type Role int

// Roles of the parameters.
const (
	other Role = iota
	Regarding
	Related
	annotations
	Type
	Reason
	Action
	Note
)

// A shape has the roles of a function's parameters, without the variadic one.
type shape struct {
	roles []Role
	// formats reports whether the note is a format for the variadic parameter.
	formats bool
}

// shapes are the roles by the kinds of the parameters.
var shapes = map[string][]Role{
	"osss":    {Regarding, Type, Reason, Note},
	"omsss":   {Regarding, annotations, Type, Reason, Note},
	"oossss":  {Regarding, Related, Type, Reason, Action, Note},
	"oomssss": {Regarding, Related, annotations, Type, Reason, Action, Note},
}

// Records reports whether a function is a recorder's method, or has the name and the
// parameters of one.
func Records(fn *types.Func) bool { return shapeOf(fn) != nil }

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
		roles = append([]Role{other}, roles...)
	}
	return &shape{roles: roles, formats: formats}
}

// A Recording is a call that records an Event, by itself or through a function
// of the package.
type Recording struct {
	dataflow.Call
	shape *shape
}

// Arg returns the argument in a role, or nil.
func (r *Recording) Arg(wanted Role) ast.Expr {
	i := slices.Index(r.shape.roles, wanted)
	if i < 0 || i >= len(r.Args) {
		return nil
	}
	return r.Args[i]
}

// Formats reports whether the note is a format for the arguments after it.
func (r *Recording) Formats() bool { return r.shape.formats }

// Direct returns the calls of recorders, without those of wrappers.
func (s *Survey) Direct() []*Recording { return s.Recordings[:s.direct] }

// Args returns the recordings that have an argument in a role, with that argument.
func (s *Survey) Args(wanted Role) iter.Seq2[*Recording, ast.Expr] {
	return func(yield func(*Recording, ast.Expr) bool) {
		for _, r := range s.Recordings {
			if arg := r.Arg(wanted); arg != nil && !yield(r, arg) {
				return
			}
		}
	}
}

// NoteArgs returns the arguments that the note formats.
func (r *Recording) NoteArgs() []ast.Expr {
	if !r.shape.formats || len(r.Args) <= len(r.shape.roles) {
		return nil
	}
	return r.Args[len(r.shape.roles):]
}
