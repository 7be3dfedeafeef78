// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/types"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
)

// A frame is a call that records, or one that leads to it: of the function around the call of the frame below. The topmost
// frame does not know the values of the parameters around it.
type frame struct {
	dataflow.Call
	fn    *types.Func // around the call, or nil in the value of a package's variable
	below *frame      // nil for the call that records
}

// within reports whether a function is around one of the calls.
func (f *frame) within(fn *types.Func) bool {
	return f != nil && fn != nil && (f.fn.Pos() == fn.Pos() || f.below.within(fn))
}

// argument returns what a call passes to a parameter of the frame below, or nothing for any other parameter.
func (f *frame) argument(param *types.Var) []dataflow.Value {
	for ; f.below != nil; f = f.below {
		if arg, ok := f.Argument(f.below.fn, param); ok {
			return []dataflow.Value{arg}
		}
	}
	return nil
}

// isOpen reports whether a variable is a parameter whose values only another caller has.
func (f *frame) isOpen(v *types.Var) bool {
	if f.fn == nil {
		return false
	}
	for param := range f.fn.Signature().Params().Variables() {
		if param.Pos() == v.Pos() {
			return true
		}
	}
	return false
}
