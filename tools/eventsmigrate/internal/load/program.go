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

// Broken is a package that could not be loaded, with its tests. If it is one of the main modules, it is left as it is.
type Broken struct {
	Package string
	Errors  []packages.Error // empty if all of them follow from a package that it imports
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
	if !isMain(pkg) && pkg.IllTyped && len(pkg.Errors) > 0 {
		p.reportBroken(pkg)
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
		if pkg.IllTyped {
			p.reportBroken(pkg)
		}
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

// reportBroken adds a package with errors, or its errors to those of its other variants.
func (p *Program) reportBroken(pkg *packages.Package) {
	path := basePath(pkg)
	i := slices.IndexFunc(p.Broken, func(known Broken) bool { return known.Package == path })
	if i < 0 {
		i = len(p.Broken)
		p.Broken = append(p.Broken, Broken{Package: path})
	}
	for _, err := range pkg.Errors {
		if !follows(pkg, err) && !slices.Contains(p.Broken[i].Errors, err) {
			p.Broken[i].Errors = append(p.Broken[i].Errors, err)
		}
	}
}

// follows reports whether an error is there from another one: from that of an imported package, or from the errors that
// the compiler says all in one.
func follows(pkg *packages.Package, err packages.Error) bool {
	if strings.HasPrefix(err.Msg, "# ") {
		return slices.ContainsFunc(pkg.Errors, func(err packages.Error) bool { return !strings.HasPrefix(err.Msg, "# ") })
	}
	for path, imported := range pkg.Imports {
		if len(imported.Errors) > 0 && strings.HasPrefix(err.Msg, "could not import "+path+" ") {
			return true
		}
	}
	return false
}

// Filename is the file that the syntax was parsed from.
func (p *Program) Filename(file *ast.File) string { return p.Fset.File(file.FileStart).Name() }

// Editable reports whether the file is in a main module. Files that the go command makes for cgo are not.
func (p *Program) Editable(file string) bool {
	return slices.ContainsFunc(p.project.Modules, func(module Module) bool {
		return strings.HasPrefix(file, module.Dir+string(filepath.Separator))
	})
}
