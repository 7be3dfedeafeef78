// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package border

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// pinMethods finds methods whose signature an interface of another module dictates: a fake manager's
// GetEventRecorderFor, for one. In a generated file all of the method stays as it is, because its generator makes the
// same one again.
func (b *Package) pinMethods() {
	for _, f := range b.pass.Files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if obj, ok := b.info.Defs[fn.Name].(*types.Func); ok && b.PinnedMethod(obj) {
					b.pinned[b.info.Scopes[fn.Type]] = true
					if ast.IsGenerated(f) {
						b.generated = append(b.generated, fn)
					}
				}
			}
		}
	}
}

// pinLiterals finds function literals that are handed to code that stays old.
func (b *Package) pinLiterals() {
	for _, f := range b.pass.Files {
		b.Flows(f, func(fl Flow) {
			lit, ok := ast.Unparen(fl.Value).(*ast.FuncLit)
			if ok && fl.Side == OldSide && api.MentionsOld(b.info.TypeOf(lit)) {
				b.pinned[b.info.Scopes[lit.Type]] = true
			}
		})
	}
}

// Pinned reports whether others dictate the signature of a function.
func (b *Package) Pinned(fn *ast.FuncType) bool { return b.pinned[b.info.Scopes[fn]] }

// Generated reports whether a node is a method that its generator will make again as it is.
func (b *Package) Generated(n ast.Node) bool {
	fn, ok := n.(*ast.FuncDecl)
	return ok && slices.Contains(b.generated, fn)
}

// InOld reports whether a type among these nodes stays old: in a signature that others dictate, in the declaration of a
// variable that is old, or in a generated method.
func (b *Package) InOld(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		fn, ok := n.(*ast.FuncType)
		return ok && b.Pinned(fn) || b.passes[n] || b.Generated(n)
	})
}

// PinnedMethod reports whether an interface that stays old has this method.
func (b *Package) PinnedMethod(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || !api.MentionsOld(sig) || api.IsNamed(fn, api.Record, fn.Name()) {
		return false
	}
	return slices.ContainsFunc(dictated(fn.Pkg())[fn.Name()], func(by *types.Func) bool {
		return by.Pkg() != fn.Pkg() && !b.Migrated(by) && types.Identical(by.Signature(), sig)
	})
}

// dictates caches, per package, the interface methods about recorders and broadcasters that are
// declared in what it imports. Packages are shared by all passes of a run.
var dictates sync.Map // *types.Package to map[string][]*types.Func

func dictated(pkg *types.Package) map[string][]*types.Func {
	if found, ok := dictates.Load(pkg); ok {
		return found.(map[string][]*types.Func)
	}
	found := map[string][]*types.Func{}
	seen := map[*types.Package]bool{}
	var visit func(*types.Package)
	visit = func(pkg *types.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		// As a vet tool it has export data, and Imports of a package may be empty. So its interfaces decide.
		recorderMethods(pkg, found)
		for _, imported := range pkg.Imports() {
			visit(imported)
		}
	}
	visit(pkg)
	dictates.Store(pkg, found)
	return found
}

// recorderMethods adds the methods of a package's interfaces whose signatures
// mention an old recorder or broadcaster. Client-go's own ones are no border.
func recorderMethods(pkg *types.Package, found map[string][]*types.Func) {
	if pkg.Path() == api.Record {
		return
	}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !types.IsInterface(typ.Type()) {
			continue
		}
		for fn := range typ.Type().Underlying().(*types.Interface).ExplicitMethods() {
			if api.MentionsOld(fn.Signature()) {
				found[fn.Name()] = append(found[fn.Name()], fn)
			}
		}
	}
}
