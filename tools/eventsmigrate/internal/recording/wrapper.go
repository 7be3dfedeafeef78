// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"go/ast"
	"go/types"
)

// wrapper returns the function around a recording. It returns a shape if the
// function passes a reason, an action or a note on to the recording unchanged.
func (s *Survey) wrapper(r *Recording) (*types.Func, *shape) {
	fn := r.Function()
	if fn == nil {
		return nil, nil
	}
	params := fn.Signature().Params()
	outer := &shape{roles: make([]Role, params.Len())}
	found := false
	for i, role := range r.shape.roles {
		at := s.passedParam(params, r.CallExpr, i)
		if at >= 0 && role != other {
			outer.roles[at] = role
			found = found || role == Reason || role == Action || role == Note
		}
	}
	if !found {
		return nil, nil
	}
	if fn.Signature().Variadic() {
		last := params.Len() - 1
		outer.formats = r.shape.formats && s.passedParam(params, r.CallExpr, len(r.shape.roles)) == last
		outer.roles = outer.roles[:last]
	}
	return fn, outer
}

// passedParam returns the index of the parameter that is the i-th argument of the
// call, or -1.
func (s *Survey) passedParam(params *types.Tuple, call *ast.CallExpr, i int) int {
	if i >= len(call.Args) {
		return -1
	}
	id, ok := ast.Unparen(call.Args[i]).(*ast.Ident)
	if !ok {
		return -1
	}
	for at := range params.Len() {
		if v := params.At(at); s.Info.Uses[id] == v && len(s.Values(v)) == 0 {
			return at
		}
	}
	return -1
}

// merge adds the roles from another recording in the same function.
func (sh *shape) merge(others *shape) {
	for i, role := range others.roles {
		if sh.roles[i] == other {
			sh.roles[i] = role
		}
	}
	sh.formats = sh.formats || others.formats
}
