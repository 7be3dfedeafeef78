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
			w, err := newPass(config, p)
			if err != nil {
				return nil, err
			}
			w.run()
			return nil, nil
		},
	}
}

// pass is the rewrite of one package. Its steps plan edits; report sends them.
type pass struct {
	*analysis.Pass
	config *Config
	files  []*file
	// origin is where local variables without a declared type come from: an expression, or one of its results.
	origin  map[types.Object]ast.Expr
	scope   map[types.Object]ast.Node // the function that declares a parameter
	pinned  map[ast.Node]bool         // *ast.FuncDecl and *ast.FuncLit whose signature others dictate
	decided map[ast.Expr]side         // of calls and literals whose function or type does not say
	notes   map[series][]noted        // the constant notes that are recorded
}

func newPass(config *Config, p *analysis.Pass) (*pass, error) {
	if config.Ours == nil && p.Module != nil {
		module := p.Module.Path
		with := *config
		with.Ours = func(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }
		config = &with
	}
	w := &pass{
		Pass: p, config: config,
		origin: map[types.Object]ast.Expr{}, scope: map[types.Object]ast.Node{},
		pinned: map[ast.Node]bool{}, decided: map[ast.Expr]side{}, notes: map[series][]noted{},
	}
	for _, f := range p.Files {
		file, err := newFile(w, f)
		if err != nil {
			return nil, err
		}
		w.files = append(w.files, file)
	}
	return w, nil
}

func (p *pass) run() {
	p.collectOrigins()
	p.pinMethods()
	p.pinLiterals()
	for _, f := range p.files {
		f.handedOver()
		if !f.frozen {
			f.managers()
		}
	}
	for _, f := range p.files {
		if !f.frozen {
			f.removals()
			f.renames()
			f.shapes()
			f.calls()
			f.adapters()
			f.mocks()
			f.exports()
		}
		f.boundaries()
		f.leftovers()
	}
	p.mergedNotes()
	for _, f := range p.files {
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
