// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bufio"
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// join makes one import graph of two listings: the scope's, for packages that are checked from source, and one with
// export data, for what these import. The go command compiles what it lists with export data, so the second has no
// package that is checked from source. It returns the packages that the scope asked for, in all variants.
func (p *Program) join(ctx context.Context, scope *Scope) ([]*packages.Package, error) {
	source := scope.sources()
	imported := map[string]bool{}
	for pkg := range source {
		for _, pkg := range pkg.Imports {
			if !source[pkg] && len(pkg.Errors) == 0 && pkg.PkgPath != "unsafe" {
				imported[pkg.PkgPath] = true
			}
		}
	}
	paths := slices.Sorted(maps.Keys(imported))
	if err := p.compile(ctx, paths, len(scope.Load)); err != nil {
		return nil, fmt.Errorf("compile packages: %w", err)
	}
	exported, err := p.list(ctx, paths)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	var roots []*packages.Package
	for _, root := range scope.roots {
		if source[root] {
			roots = append(roots, root)
		}
	}
	for pkg := range source {
		for path, imported := range pkg.Imports {
			if other := exported[imported.ID]; other != nil && !source[imported] {
				pkg.Imports[path] = other
			}
		}
	}
	fromSource := map[*packages.Package]bool{}
	packages.Visit(roots, nil, func(pkg *packages.Package) { p.add(pkg, fromSource) })
	return roots, nil
}

// add is called for a package after all that it imports. What did not compile has no export data and is checked from
// source, to find its errors, and so is what imports it.
func (p *Program) add(pkg *packages.Package, fromSource map[*packages.Package]bool) {
	pkg.Fset, pkg.TypesSizes = p.Fset, p.project.sizes
	if pkg.ID == pkg.PkgPath {
		p.plain[pkg.PkgPath] = pkg
	}
	if pkg.PkgPath == "unsafe" {
		pkg.Types = types.Unsafe
		return
	}
	if pkg.ExportFile == "" || slices.ContainsFunc(slices.Collect(maps.Values(pkg.Imports)),
		func(imported *packages.Package) bool { return fromSource[imported] }) {
		fromSource[pkg] = true
		p.sources = append(p.sources, pkg)
	}
}

// sources are the packages of the graph that are checked from source: those to load, and all variants and packages that
// import these.
func (s *Scope) sources() map[*packages.Package]bool {
	load := map[string]bool{}
	for _, path := range s.Load {
		load[path] = true
	}
	source := map[*packages.Package]bool{}
	packages.Visit(s.roots, nil, func(pkg *packages.Package) {
		if isTestMain(pkg) {
			return
		}
		found := isMain(pkg) && load[basePath(pkg)]
		for _, imported := range pkg.Imports {
			found = found || source[imported]
		}
		if found {
			source[pkg] = true
		}
	})
	return source
}

// compile compiles packages and all that they import, and tells of each. Without it the listing with export data would take
// minutes and say nothing. That has the errors, too.
func (p *Program) compile(ctx context.Context, paths []string, importers int) error {
	if len(paths) == 0 {
		return nil
	}
	p.progress("compiling what %d packages import", importers)
	args := slices.Concat([]string{"list", "-e", "-v", "-export", "-deps", "-pgo=off", "-f="}, p.project.buildFlags(p.tags), paths)
	command := p.project.command(ctx, args...)
	output, err := command.StderrPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	done := 0
	for scanner := bufio.NewScanner(output); scanner.Scan(); {
		if path := scanner.Text(); !strings.ContainsAny(path, " #") { // else it is an error
			done++
			p.progress("compiling what %d packages import: %s, number %d", importers, path, done)
		}
	}
	_ = command.Wait() // the listing tells what is wrong
	return ctx.Err()
}

// list asks the go command for packages and all that they import, with export data, by ID.
func (p *Program) list(ctx context.Context, paths []string) (map[string]*packages.Package, error) {
	found := map[string]*packages.Package{}
	if len(paths) == 0 {
		return found, nil
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedModule | packages.NeedExportFile
	config := &packages.Config{
		Context: ctx, Dir: p.project.Dir, Env: p.project.environment(), Mode: mode, BuildFlags: p.project.buildFlags(p.tags),
	}
	roots, err := packages.Load(config, paths...)
	if err != nil {
		return nil, err
	}
	packages.Visit(roots, nil, func(pkg *packages.Package) { found[pkg.ID] = pkg })
	return found, nil
}
