// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Program is the syntax and types of one build.
type Program struct {
	Fset     *token.FileSet
	Selected []*packages.Package // to edit: of each package the variant with the most files, and its external tests
	Nodes    []*packages.Package // every package of the main modules in every variant, after what it imports
	Broken   []Broken

	project *Project
	tags    string
	ours    map[string]bool
	plain   map[string]*packages.Package // by import path, without variants made for a test
}

// Broken is a package that could not be loaded, and is left as it is.
type Broken struct {
	Package string
	Errors  []packages.Error // empty if it imports a broken package
}

// Ours reports whether the package is edited, so that its recorders get new types.
func (p *Program) Ours(path string) bool { return p.ours[path] }

// Load loads the packages of the scope. Progress is called for every file, concurrently.
func (p *Project) Load(ctx context.Context, scope *Scope, progress func(file string)) (*Program, error) {
	const mode = packages.LoadSyntax | packages.NeedModule | packages.NeedForTest | packages.NeedExportFile
	config := &packages.Config{
		Context: ctx, Dir: p.Dir, Mode: mode, Tests: true, BuildFlags: p.buildFlags(scope.Tags), Fset: token.NewFileSet(),
		ParseFile: func(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
			progress(name)
			return parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		},
	}
	roots, err := packages.Load(config, scope.Load...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	program := &Program{
		Fset: config.Fset, project: p, tags: scope.Tags, ours: map[string]bool{}, plain: map[string]*packages.Package{},
	}
	packages.Visit(roots, nil, program.add)
	program.choose(roots, scope)
	return program, nil
}

// add is called for a package after all that it imports.
func (p *Program) add(pkg *packages.Package) {
	if pkg.ID == pkg.PkgPath {
		p.plain[pkg.PkgPath] = pkg
	}
	if isMain(pkg) && !isTestMain(pkg) && len(pkg.Syntax) > 0 {
		p.Nodes = append(p.Nodes, pkg)
	}
}

// choose selects one variant of each package: with its internal tests if these compile, else without.
func (p *Program) choose(roots []*packages.Package, scope *Scope) {
	chosen := map[string]*packages.Package{}
	for _, pkg := range roots {
		if isTestMain(pkg) || !scope.Selected[basePath(pkg)] {
			continue
		}
		p.reportBroken(pkg)
		if best := chosen[pkg.PkgPath]; !pkg.IllTyped && (best == nil || len(pkg.Syntax) > len(best.Syntax)) {
			chosen[pkg.PkgPath] = pkg
		}
	}
	for path, pkg := range chosen {
		p.ours[path] = true
		p.Selected = append(p.Selected, pkg)
	}
	slices.SortFunc(p.Selected, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Broken, func(a, b Broken) int { return cmp.Compare(a.Package, b.Package) })
}

func (p *Program) reportBroken(pkg *packages.Package) {
	if !pkg.IllTyped {
		return
	}
	broken := Broken{Package: pkg.ID, Errors: slices.Clone(pkg.Errors)}
	repeated := func(err packages.Error) bool { return strings.HasPrefix(err.Msg, "# ") } // the compiler's, all in one
	if !slices.ContainsFunc(pkg.Errors, func(err packages.Error) bool { return !repeated(err) }) {
		repeated = func(packages.Error) bool { return false }
	}
	broken.Errors = slices.DeleteFunc(broken.Errors, repeated)
	p.Broken = slices.DeleteFunc(p.Broken, func(known Broken) bool { return known.Package == broken.Package })
	p.Broken = append(p.Broken, broken)
}

// Filename is the file that the syntax was parsed from.
func (p *Program) Filename(file *ast.File) string { return p.Fset.File(file.FileStart).Name() }

// Editable reports whether the file is in a main module. Files that the go command makes for cgo are not.
func (p *Program) Editable(file string) bool {
	return slices.ContainsFunc(p.project.Modules, func(module Module) bool {
		return strings.HasPrefix(file, module.Dir+string(filepath.Separator))
	})
}
