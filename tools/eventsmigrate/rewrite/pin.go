// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"sync"
)

// pinMethods finds methods whose signature an interface of another module
// dictates: a fake manager's GetEventRecorderFor, for one.
func (p *pass) pinMethods() {
	for _, f := range p.Files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv != nil {
				if obj, ok := p.TypesInfo.Defs[fn.Name].(*types.Func); ok && p.pinnedMethod(obj) {
					p.pinned[fn] = true
				}
			}
		}
	}
}

// pinnedMethod says whether an interface that stays old has this method.
func (p *pass) pinnedMethod(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || !mentionsOld(sig) || isNamed(fn, recordPath, fn.Name()) {
		return false
	}
	for _, dictated := range p.dictated(fn.Pkg())[fn.Name()] {
		if dictated.Pkg() != fn.Pkg() && !p.migrated(dictated) && types.Identical(dictated.Signature(), sig) {
			return true
		}
	}
	return false
}

// dictates caches, per package, the interface methods about recorders and broadcasters that are
// declared in what it imports. Packages are shared by all passes of a run.
var dictates sync.Map // *types.Package to map[string][]*types.Func

func (p *pass) dictated(pkg *types.Package) map[string][]*types.Func {
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
		// Of a package that is known from export data only, Imports may be empty. So its interfaces decide.
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
	if pkg.Path() == recordPath {
		return
	}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !types.IsInterface(typ.Type()) {
			continue
		}
		iface := typ.Type().Underlying().(*types.Interface)
		for fn := range iface.ExplicitMethods() {
			if mentionsOld(fn.Signature()) {
				found[fn.Name()] = append(found[fn.Name()], fn)
			}
		}
	}
}

// pinLiterals finds function literals that are handed to code that stays old.
func (p *pass) pinLiterals() {
	for _, f := range p.files {
		f.flows(func(fl flow) {
			lit, ok := ast.Unparen(fl.value).(*ast.FuncLit)
			if ok && fl.side == oldSide && mentionsOld(p.TypesInfo.TypeOf(lit)) {
				p.pinned[lit] = true
			}
		})
	}
}
