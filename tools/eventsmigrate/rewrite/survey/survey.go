// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package survey looks at all packages of a project before the first of them is rewritten. It has the answers to
// questions about a package that only another package can answer, such as which kinds the scheme of a recorder knows.
package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// Survey has the answers.
type Survey struct {
	// recorders has, by package, the schemes with which the package makes recorders.
	recorders map[string][]string
	// schemes has, by scheme, the packages whose kinds are added to the scheme.
	schemes map[string]set
	// adds has, by package, the packages whose functions AddToScheme the package names.
	adds map[string]set
	// called has the methods Event that are used.
	called set
	stubs  stubs
}

type set map[string]bool

// New returns a survey of no packages.
func New() *Survey {
	return &Survey{
		recorders: map[string][]string{},
		schemes:   map[string]set{},
		adds:      map[string]set{},
		called:    set{},
		stubs:     newStubs(),
	}
}

// A Package is one that is surveyed.
type Package struct {
	Fset  *token.FileSet
	Types *types.Package
	Info  *types.Info
	Files []*ast.File
}

// surveyed is a package while it is added.
type surveyed struct {
	*Survey
	Package
	data *dataflow.Package
}

// Add adds a package.
func (s *Survey) Add(pkg Package) {
	p := &surveyed{s, pkg, dataflow.NewPackage(pkg.Types, pkg.Info, pkg.Files)}
	p.managers()
	for _, used := range pkg.Info.Uses {
		if fn, ok := used.(*types.Func); ok && api.OldShape(fn) == api.Event {
			s.called[position(pkg.Fset, fn)] = true
		}
	}
	for _, file := range pkg.Files {
		if load.IsTest(pkg.Fset.Position(file.FileStart).Filename) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				p.adder(n)
			case *ast.CallExpr:
				p.schemeOf(n)
			}
			return true
		})
	}
}

// Calls reports whether anything uses a method Event.
func (s *Survey) Calls(fset *token.FileSet, fn *types.Func) bool { return s.called[position(fset, fn)] }

// position is the same text for an object in all variants of its package.
func position(fset *token.FileSet, obj types.Object) string { return fset.Position(obj.Pos()).String() }

// path is that of the package, or of the one that it tests.
func (p *surveyed) path() string { return strings.TrimSuffix(p.Types.Path(), "_test") }

func (p *surveyed) callee(call *ast.CallExpr) types.Object { return typeutil.Callee(p.Info, call) }

// key names a variable in all variants of its package.
func key(fset *token.FileSet, v *types.Var) string {
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return v.Pkg().Path() + "." + v.Name()
	}
	return position(fset, v)
}

func add(all map[string]set, key, value string) {
	if all[key] == nil {
		all[key] = set{}
	}
	all[key][value] = true
}
