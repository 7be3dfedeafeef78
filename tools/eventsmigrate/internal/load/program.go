// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Program is the syntax and types of one build.
type Program struct {
	Fset     *token.FileSet
	Selected []*packages.Package // to edit: of each package the variant with the most files, and its external tests
	Nodes    []*packages.Package // every package of the main modules in every variant, after what it imports
	Broken   []Broken

	project  *Project
	scope    *Scope
	progress Progress
	ours     map[string]bool
	source   map[string]bool              // by ID, the packages whose syntax is kept: those to load, and all that imports them
	known    map[string]*packages.Package // by ID
	files    sync.Map                     // what parses them once, by name
}

// Broken is a package that could not be loaded, with its tests. If it is one of the main modules, it is left as it is.
type Broken struct {
	Package string
	Errors  []packages.Error // empty if all of them follow from a package that it imports
}

// Cause is the error that the others most likely follow from: one of the go command, such as a module that cannot be
// downloaded, or else the first. There must be one.
func (b Broken) Cause() packages.Error {
	i := slices.IndexFunc(b.Errors, func(err packages.Error) bool { return err.Kind == packages.ListError })
	return b.Errors[max(i, 0)]
}

// AllBroken are the broken packages of several builds, each once, with the errors of all builds.
func AllBroken(programs []*Program) []Broken {
	var all []Broken
	for _, program := range programs {
		for _, broken := range program.Broken {
			all = addBroken(all, broken.Package, broken.Errors)
		}
	}
	return all
}

// addBroken adds a package with errors, or its errors to those that are known.
func addBroken(all []Broken, path string, errs []packages.Error) []Broken {
	i := slices.IndexFunc(all, func(known Broken) bool { return known.Package == path })
	if i < 0 {
		i = len(all)
		all = append(all, Broken{Package: path})
	}
	for _, err := range errs {
		if !slices.Contains(all[i].Errors, err) {
			all[i].Errors = append(all[i].Errors, err)
		}
	}
	return all
}

// undownloaded are the errors of the go command about a module that it cannot download. It names the module, unless
// nothing may be downloaded.
var undownloaded = regexp.MustCompile(`^\S+@v\S+: |^module lookup disabled by `)

// Downloaded returns an error that names what cannot be downloaded for packages, or nil. What else is wrong with them
// follows from that, or is known when it is there.
func Downloaded(all []Broken) error {
	var missing []string
	for _, broken := range all {
		for _, err := range broken.Errors {
			message, _, _ := strings.Cut(err.Msg, "\n")
			if err.Kind != packages.ListError || !undownloaded.MatchString(message) || strings.Contains(message, "go.sum") {
				continue
			}
			if strings.HasPrefix(message, "module lookup") {
				message = broken.Package + ": " + message
			}
			if !slices.Contains(missing, message) {
				missing = append(missing, message)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("cannot download what the packages import:\n  %s", strings.Join(missing, "\n  "))
}

// Ours reports whether the package is edited, so that its recorders get new types.
func (p *Program) Ours(path string) bool { return p.ours[path] }

// Progress is told what a load does, by a format and its arguments, for each package and file. It is called concurrently.
type Progress func(format string, args ...any)

// Load loads the packages of the scopes.
func (p *Project) Load(ctx context.Context, scopes []*Scope, progress Progress) (programs []*Program, err error) {
	edited := map[string]bool{}
	for _, scope := range scopes {
		maps.Copy(edited, scope.Selected)
	}
	for _, scope := range scopes {
		program, err := p.load(ctx, scope, edited, progress)
		if err != nil {
			return nil, err
		}
		programs = append(programs, program)
	}
	return programs, nil
}

func (p *Project) load(ctx context.Context, scope *Scope, edited map[string]bool, progress Progress) (*Program, error) {
	program := &Program{
		Fset: token.NewFileSet(), project: p, scope: scope, progress: progress, ours: map[string]bool{},
		source: scope.sources(edited), known: map[string]*packages.Package{},
	}
	roots := slices.DeleteFunc(slices.Clone(scope.roots), func(root *packages.Package) bool { return !program.source[root.ID] })
	added, err := program.add(ctx, roots)
	if err != nil {
		return nil, err
	}
	for _, pkg := range added {
		if program.source[pkg.ID] && len(pkg.Syntax) > 0 {
			program.Nodes = append(program.Nodes, pkg)
		} else if !program.source[pkg.ID] && len(pkg.Errors) > 0 {
			program.reportBroken(pkg)
		}
	}
	program.choose(roots)
	return program, nil
}

// add type-checks packages and what they import, and returns those that it did not know, after what they import.
func (p *Program) add(ctx context.Context, roots []*packages.Package) (added []*packages.Package, err error) {
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if p.known[pkg.ID] != nil {
			return
		}
		for path, imported := range pkg.Imports {
			pkg.Imports[path] = p.known[imported.ID] // another listing has others
		}
		pkg.Fset, pkg.TypesSizes = p.Fset, p.project.sizes
		p.known[pkg.ID] = pkg
		added = append(added, pkg)
	})
	return added, inOrder(ctx, added, func(done, all int) { p.progress("loading package %d of %d", done, all) }, p.checkPackage)
}

// choose selects one variant of each package: with its internal tests if these compile, else without.
func (p *Program) choose(roots []*packages.Package) {
	chosen := map[string]*packages.Package{}
	for _, pkg := range roots {
		if !p.scope.Selected[basePath(pkg)] {
			continue
		}
		if pkg.IllTyped {
			p.reportBroken(pkg)
		}
		if best := chosen[pkg.PkgPath]; !pkg.IllTyped && (best == nil || len(pkg.Syntax) > len(best.Syntax)) {
			chosen[pkg.PkgPath] = pkg
		}
	}
	for _, pkg := range roots {
		if chosen[pkg.PkgPath] != pkg {
			pkg.TypesInfo = nil // to free memory; Info finds it again
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
	errs := slices.DeleteFunc(slices.Clone(pkg.Errors), func(err packages.Error) bool { return follows(pkg, err) })
	p.Broken = addBroken(p.Broken, basePath(pkg), errs)
}

// follows reports whether an error is there because an imported package has one.
func follows(pkg *packages.Package, err packages.Error) bool {
	for path, imported := range pkg.Imports {
		if len(imported.Errors) > 0 && strings.HasPrefix(err.Msg, "could not import "+path+" ") {
			return true
		}
	}
	return false
}

// Filename is the file that the syntax was parsed from.
func (p *Program) Filename(file *ast.File) string { return p.Fset.File(file.FileStart).Name() }

// Editable reports whether the file is in a main module.
func (p *Program) Editable(file string) bool {
	return p.project.Owner(file) != Module{}
}
