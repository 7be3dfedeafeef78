// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package border

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// Side says on which side of the border a value or a variable stands once the
// edits are applied.
type Side int

const (
	Neither Side = iota // nil, any, and whatever adapts itself
	OldSide
	NewSide
)

func sideIf(migrated bool) Side {
	if migrated {
		return NewSide
	}
	return OldSide
}

// OfType decides by a named type alone: what a package declares is on that
// package's side. Client-go's own types are on the side of who uses them.
func (b *Package) OfType(t types.Type) (Side, bool) {
	name := api.TypeName(t)
	if name == nil || api.IsOldRecorder(t) || len(api.MethodsOfOldShape(t)) == 0 {
		return Neither, false
	}
	return sideIf(b.Migrated(name)), true
}

// Of is the side of a value.
func (b *Package) Of(e ast.Expr) Side {
	e = ast.Unparen(e)
	if s := b.decided[e]; s != Neither {
		return s
	}
	if tv := b.info.Types[e]; tv.IsNil() {
		return Neither
	} else if b.StaysOld(tv.Type) {
		return OldSide
	} else if s, ok := b.OfType(tv.Type); ok && !tv.IsType() {
		return s
	}
	switch e := e.(type) {
	case *ast.Ident:
		return b.ofObject(b.info.ObjectOf(e))
	case *ast.SelectorExpr:
		return b.ofObject(b.info.Uses[e.Sel])
	case *ast.IndexExpr:
		if b.info.Types[e.X].IsValue() && !isGenericFunc(b.info.TypeOf(e.X)) {
			return b.Of(e.X)
		}
		return NewSide
	case *ast.StarExpr:
		return b.Of(e.X)
	case *ast.SliceExpr:
		return b.Of(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.ARROW || e.Op == token.AND {
			return b.Of(e.X)
		}
	case *ast.CallExpr:
		return b.ofCall(e)
	case *ast.CompositeLit:
		return b.ofLiteral(e)
	}
	return b.written(e) // function literals, type assertions
}

// written is the side of an expression whose type is written there.
func (b *Package) written(n ast.Node) Side {
	return sideIf(!b.FrozenAt(n.Pos()))
}

// unlessPinned is the side of what a function returns.
func (b *Package) unlessPinned(fn *ast.FuncType, side Side) Side {
	if b.Pinned(fn) {
		return OldSide
	}
	return side
}

// StaysOld reports whether a type has no counterpart.
func (b *Package) StaysOld(t types.Type) bool {
	if !api.IsOld(t) {
		return false
	}
	_, ok := b.Target.Becomes(api.TypeName(t))
	return !ok
}

func isGenericFunc(t types.Type) bool {
	sig, ok := t.(*types.Signature)
	return ok && sig.TypeParams().Len() > 0
}

// ofLiteral is the side of a composite literal's elements: that of its type.
func (b *Package) ofLiteral(lit *ast.CompositeLit) Side {
	if name := api.TypeName(b.info.TypeOf(lit)); name != nil && !api.IsOldRecorder(b.info.TypeOf(lit)) {
		return sideIf(b.Migrated(name))
	}
	return b.written(lit)
}

// ofObject is the side of a variable, a field or a function's results.
func (b *Package) ofObject(obj types.Object) Side {
	switch obj := obj.(type) {
	case nil, *types.Nil:
		return Neither
	case *types.Var:
		if b.passing[obj] {
			return OldSide
		}
		if from := b.origin(obj); from != nil && b.Migrated(obj) {
			return b.Of(from)
		}
		if b.pinned[obj.Parent()] && obj.Kind() != types.LocalVar {
			return OldSide // a parameter or a result
		}
		return sideIf(b.Migrated(obj.Origin()))
	case *types.Func:
		return sideIf(b.Migrated(obj.Origin()) && !b.PinnedMethod(obj.Origin()))
	case *types.TypeName:
		return sideIf(b.Migrated(obj) || api.IsNamed(obj, api.Record, obj.Name()))
	}
	return NewSide
}

// ofCall is the side of a call's results.
func (b *Package) ofCall(call *ast.CallExpr) Side {
	if tv := b.info.Types[call.Fun]; tv.IsType() {
		return b.written(call)
	} else if tv.IsBuiltin() {
		if isAppend(call) {
			return b.Of(call.Args[0])
		}
		return b.written(call)
	}
	fn, ok := b.callee(call).(*types.Func)
	if !ok {
		return b.Of(call.Fun)
	}
	if !b.Ours(fn.Pkg()) && fn.Origin().Signature().TypeParams().Len() > 0 {
		return b.ofGeneric(call)
	}
	if api.IsNamed(fn, api.Record, fn.Name()) {
		return b.ofRecord(call, fn)
	}
	return b.ofObject(fn)
}

// ofRecord is the side of what the old package returns: that of the receiver of its methods, as WithLogger and
// NewRecorder, and that of the new name of its functions.
func (b *Package) ofRecord(call *ast.CallExpr, fn *types.Func) Side {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		return b.OfReceiver(sel)
	}
	if _, ok := b.Target.Becomes(fn); ok {
		return b.written(call)
	}
	return OldSide
}

// ofGeneric is the side of what another module's generic function returns: that
// of what it is given.
func (b *Package) ofGeneric(call *ast.CallExpr) Side {
	for _, arg := range call.Args {
		if api.MentionsOld(b.info.TypeOf(arg)) {
			return b.Of(arg)
		}
	}
	return NewSide
}

// OfReceiver is the side of what a method is selected from; a promoted method's
// receiver is the embedded field.
func (b *Package) OfReceiver(sel *ast.SelectorExpr) Side {
	selection := b.info.Selections[sel]
	if selection == nil {
		return Neither
	}
	if embedded := dataflow.EmbeddedFields(selection); len(embedded) > 0 {
		return b.ofObject(embedded[len(embedded)-1])
	}
	return b.Of(sel.X)
}

// Receiver is the variable from which a method is selected, or nil; a promoted method's is the embedded field.
func (b *Package) Receiver(sel *ast.SelectorExpr) *types.Var {
	if selection := b.info.Selections[sel]; selection != nil {
		if embedded := dataflow.EmbeddedFields(selection); len(embedded) > 0 {
			return embedded[len(embedded)-1]
		}
	}
	return b.Data.Variable(sel.X)
}

// Promotion is the path to the embedded field that a method is promoted from.
func (b *Package) Promotion(sel *ast.SelectorExpr) (path string) {
	if selection := b.info.Selections[sel]; selection != nil {
		for _, field := range dataflow.EmbeddedFields(selection) {
			path += "." + field.Name()
		}
	}
	return path
}

func (b *Package) callee(call *ast.CallExpr) types.Object { return typeutil.Callee(b.info, call) }
