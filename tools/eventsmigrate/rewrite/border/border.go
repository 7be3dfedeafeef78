// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package border knows which values and variables of a package become new and which stay old, and which values flow
// from one to the other. It edits nothing.
//
// Whether a variable is old or new follows from where it is declared, and not from what was done elsewhere. So packages
// can be rewritten one by one, in any order.
package border

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// Package is what is known of one package.
type Package struct {
	Target api.Target

	pass   *analysis.Pass
	info   *types.Info
	ours   func(pkgPath string) bool
	frozen func(filename string) bool
	// origin is where local variables without a declared type come from: an expression, or one of its results.
	origin  map[types.Object]ast.Expr
	pinned  map[*types.Scope]bool // of functions whose signature others dictate
	decided map[ast.Expr]Side     // of calls and literals whose function or type does not say
}

// New looks at a package. Ours reports which packages are migrated together, and frozen which files keep their old
// types.
func New(p *analysis.Pass, target api.Target, ours, frozen func(string) bool) *Package {
	b := &Package{
		Target: target, pass: p, info: p.TypesInfo, ours: ours, frozen: frozen,
		origin: map[types.Object]ast.Expr{}, pinned: map[*types.Scope]bool{},
		decided: map[ast.Expr]Side{},
	}
	b.collectOrigins()
	b.pinMethods()
	b.pinLiterals()
	return b
}

// Decide sets the side of a call or a literal whose function or type does not say.
func (b *Package) Decide(e ast.Expr, side Side) { b.decided[e] = side }

// Decided is what was decided about a call or a literal, or Neither.
func (b *Package) Decided(e ast.Expr) Side { return b.decided[e] }

// Ours reports whether a package is migrated together with this one.
func (b *Package) Ours(pkg *types.Package) bool {
	return pkg != nil && (pkg == b.pass.Pkg || b.ours(strings.TrimSuffix(pkg.Path(), "_test")))
}

// Migrated reports whether an object is declared where old becomes new.
func (b *Package) Migrated(obj types.Object) bool {
	return b.Ours(obj.Pkg()) && (!obj.Pos().IsValid() || !b.frozenAt(obj.Pos()))
}

func (b *Package) frozenAt(pos token.Pos) bool { return b.frozen(b.pass.Fset.Position(pos).Filename) }

// Changes reports whether the calls of a method change: those of the old recorder,
// and those of a wrapper, mock or interface of ours that has its shape.
func (b *Package) Changes(fn *types.Func) bool {
	shape := api.OldShape(fn)
	if shape == "" {
		return false
	}
	if api.IsNamed(fn, api.Record, string(shape)) {
		return true
	}
	fn = fn.Origin()
	return b.Migrated(fn) && (shape != api.Event || eventChanges(fn.Signature().Recv().Type()))
}

// eventChanges reports whether the Event of a type becomes an Eventf. A struct that
// declares both keeps it, as does whatever has an Eventf of the new shape
// already. An Eventf that is only promoted is that of something else: an
// embedded recorder, which in a mock is often nil.
func eventChanges(recv types.Type) bool {
	if types.IsInterface(recv) {
		return !api.HasMethods(recv, string(api.Eventf)) || api.MethodsOfOldShape(recv)[api.Eventf] != nil
	}
	if _, isPointer := types.Unalias(recv).(*types.Pointer); !isPointer {
		recv = types.NewPointer(recv)
	}
	own := types.NewMethodSet(recv).Lookup(nil, string(api.Eventf))
	return own == nil || len(own.Index()) > 1
}
