// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package border knows which values and variables of a package become new and which stay old, and which values flow
// from one to the other. It edits nothing.
//
// Whether a variable is old or new follows from where it is declared, and not from what was done elsewhere. So packages
// can be rewritten one by one, in any order. A variable that no other package can use is old, too, if only old values
// are assigned to it and only old code takes it.
package border

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/survey"
)

// Config says what becomes new, and what it becomes.
type Config struct {
	// Target is what rewritten code uses; empty means the SDK.
	Target api.Target
	// Ours says which packages are migrated together: their recorders all become
	// new. Nil means the packages of the pass's module.
	Ours func(pkgPath string) bool
	// Main says which packages are of the main modules. Recorders of all others stay
	// old, which is reported. Nil means all, so that nothing is.
	Main func(pkgPath string) bool
	// Frozen says which files keep their old types, because their edits were
	// withdrawn. What crosses their border is bridged. Nil means none.
	Frozen func(filename string) bool
	// Survey has what other packages say about the pass's package. Nil means that nobody looked at them.
	Survey *survey.Survey
}

// withDefaults returns the configuration with everything set.
func (c Config) withDefaults(module *analysis.Module) Config {
	c.Target = cmp.Or(c.Target, api.SDK)
	if c.Ours == nil {
		c.Ours = func(path string) bool {
			return module != nil && (path == module.Path || strings.HasPrefix(path, module.Path+"/"))
		}
	}
	if c.Main == nil {
		c.Main = func(string) bool { return true }
	}
	if c.Frozen == nil {
		c.Frozen = func(string) bool { return false }
	}
	return c
}

// Package is what is known of one package.
type Package struct {
	Config
	pass *analysis.Pass
	info *types.Info
	// Data knows what is assigned to the variables of the package, also in tests.
	Data *dataflow.Package

	pinned    map[*types.Scope]bool // of functions whose signature others dictate
	passing   map[*types.Var]bool   // variables that stay old, because values only pass through them
	passes    map[ast.Node]bool     // their declarations
	generated []*ast.FuncDecl       // methods that their generators will make as they are
	decided   map[ast.Expr]Side     // of calls and literals whose function or type does not say
}

// New looks at a package.
func New(p *analysis.Pass, config Config) *Package {
	if config.Survey == nil {
		config.Survey = survey.New()
		config.Survey.Add(survey.Package{Fset: p.Fset, Types: p.Pkg, Info: p.TypesInfo, Files: p.Files})
	}
	b := &Package{
		Config:  config.withDefaults(p.Module),
		pass:    p,
		info:    p.TypesInfo,
		Data:    dataflow.NewPackage(p.Pkg, p.TypesInfo, p.Files),
		pinned:  map[*types.Scope]bool{},
		decided: map[ast.Expr]Side{},
		passing: map[*types.Var]bool{},
		passes:  map[ast.Node]bool{},
	}
	b.pinMethods()
	b.pinLiterals()
	b.findPassing()
	return b
}

// Decide sets the side of a call or a literal whose function or type does not say.
func (b *Package) Decide(e ast.Expr, side Side) { b.decided[e] = side }

// Decided is what was decided about a call or a literal, or Neither.
func (b *Package) Decided(e ast.Expr) Side { return b.decided[e] }

// Ours reports whether a package is migrated together with this one.
func (b *Package) Ours(pkg *types.Package) bool {
	return pkg != nil && (pkg == b.pass.Pkg || b.Config.Ours(strings.TrimSuffix(pkg.Path(), "_test")))
}

// Migrated reports whether an object is declared where old becomes new.
func (b *Package) Migrated(obj types.Object) bool {
	return b.Ours(obj.Pkg()) && (!obj.Pos().IsValid() || !b.FrozenAt(obj.Pos()))
}

// FrozenAt reports whether the file or the generated method at a position keeps its old types.
func (b *Package) FrozenAt(pos token.Pos) bool {
	within := func(fn *ast.FuncDecl) bool { return fn.Pos() <= pos && pos < fn.End() }
	return slices.ContainsFunc(b.generated, within) || b.Frozen(b.pass.Fset.Position(pos).Filename)
}

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
