// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// NewAnalyzer returns the analyzer that rewrites code from record.EventRecorder
// to the events API, a diagnostic per place. Diagnostics without a fix need a human.
func NewAnalyzer(config *Config) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "eventsmigrate",
		Doc: "rewrite k8s.io/client-go/tools/record to the events API\n\n" +
			"Types, calls, constructors, fakes and wrappers of the old recorder get the shape of\n" +
			"Eventf(regarding, related, type, reason, action, note, args...). Values that cross the border to\n" +
			"code that stays old are bridged by legacy.AsLegacy and legacy.FromLegacy.",
		Run: func(p *analysis.Pass) (any, error) {
			newPass(config, p).run()
			return nil, nil
		},
	}
}

// pass is the rewrite of one package. Its steps plan edits; report sends them.
type pass struct {
	*analysis.Pass
	config *Config
	files  []*file
	origin map[types.Object]origin // of local variables without a declared type
	pinned map[ast.Node]bool       // *ast.FuncDecl and *ast.FuncLit whose signature others dictate
	made   map[*ast.CallExpr]bool  // constructors that return a new recorder once rewritten
	scope  map[types.Object]ast.Node
}

// origin is where a local variable's type comes from: expr, or one of its results.
type origin struct{ expr ast.Expr }

func newPass(config *Config, p *analysis.Pass) *pass {
	if config.Ours == nil && p.Module != nil {
		module := p.Module.Path
		with := *config
		with.Ours = func(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }
		config = &with
	}
	w := &pass{
		Pass: p, config: config,
		origin: map[types.Object]origin{}, pinned: map[ast.Node]bool{},
		made: map[*ast.CallExpr]bool{}, scope: map[types.Object]ast.Node{},
	}
	for _, f := range p.Files {
		w.files = append(w.files, newFile(w, f))
	}
	return w
}

func (p *pass) run() {
	p.collectOrigins()
	p.pinMethods()
	p.pinLiterals()
	p.constructors()
	p.fakes()
	for _, f := range p.files {
		if !f.frozen {
			f.managers()
		}
	}
	for _, f := range p.files {
		if !f.frozen {
			f.types()
			f.shapes()
			f.calls()
			f.newShapes()
		}
		f.boundaries()
		f.leftovers()
		f.report()
	}
}

// ours says whether a package is migrated together with this one.
func (p *pass) ours(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	return pkg == p.Pkg || p.config.Ours != nil && p.config.Ours(strings.TrimSuffix(pkg.Path(), "_test"))
}

// migrated says whether an object is declared where old becomes new.
func (p *pass) migrated(obj types.Object) bool {
	if !p.ours(obj.Pkg()) {
		return false
	}
	return !obj.Pos().IsValid() || !p.config.frozen(p.Fset.Position(obj.Pos()).Filename)
}
