// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package surface says what users of a module can see of it, as lines of text: the exported API of its public packages,
// what its production code logs, and the names that it writes and reads elsewhere.
package surface

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Module is a module's own code, type-checked.
type Module struct {
	Path string
	// Public packages are those that another module can import for its own use, sorted.
	Public []*packages.Package
	// Production packages are the public ones, and the module's own that these need.
	Production []*packages.Package
}

// hidden are the elements of an import path behind which nothing is public.
var hidden = []string{"internal", "testdata", "examples", "test"}

// Load type-checks the module in dir, and the modules in its directory contrib, whose packages count as its own:
// they are released with it. Dependencies come from the build cache, so it is quick when they have been built.
func Load(ctx context.Context, dir string) (*Module, error) {
	all, err := load(ctx, dir)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || all[0].Module == nil {
		return nil, fmt.Errorf("no module with packages in %s", dir)
	}
	contrib, err := filepath.Glob(filepath.Join(dir, "contrib", "*", "go.mod"))
	if err != nil {
		return nil, err
	}
	m := &Module{Path: all[0].Module.Path}
	for _, gomod := range contrib {
		more, err := load(ctx, filepath.Dir(gomod))
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	own := map[string]*packages.Package{}
	for _, p := range all {
		own[p.PkgPath] = p
		if m.public(p) {
			m.Public = append(m.Public, p)
		}
	}
	m.Production = needed(m.Public, own)
	return m, nil
}

// load returns the packages of the module in dir.
func load(ctx context.Context, dir string) ([]*packages.Package, error) {
	all, err := packages.Load(&packages.Config{
		Context: ctx,
		Dir:     dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}, "./...")
	if err != nil {
		return nil, fmt.Errorf("load the packages in %s: %w", dir, err)
	}
	var errs []error
	for _, p := range all {
		for _, e := range p.Errors {
			errs = append(errs, e)
		}
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("the module in %s does not compile: %w", dir, errors.Join(errs...))
	}
	return all, nil
}

// Name is the path of a package within the module; the last element of the module's for its root.
func (m *Module) Name(path string) string {
	if path == m.Path {
		return m.Path[strings.LastIndex(m.Path, "/")+1:]
	}
	return strings.TrimPrefix(path, m.Path+"/")
}

func (m *Module) public(p *packages.Package) bool {
	elements := strings.Split(m.Name(p.PkgPath), "/")
	behind := slices.ContainsFunc(elements, func(element string) bool { return slices.Contains(hidden, element) })
	return len(p.GoFiles) > 0 && p.Name != "main" && !behind
}

// needed are the roots and what of own they import, directly or not, sorted by path.
func needed(roots []*packages.Package, own map[string]*packages.Package) []*packages.Package {
	found := map[string]*packages.Package{}
	var add func(p *packages.Package)
	add = func(p *packages.Package) {
		if found[p.PkgPath] != nil {
			return
		}
		found[p.PkgPath] = p
		for path := range p.Imports {
			if next := own[path]; next != nil {
				add(next)
			}
		}
	}
	for _, p := range roots {
		add(p)
	}
	sorted := make([]*packages.Package, 0, len(found))
	for _, p := range found {
		sorted = append(sorted, p)
	}
	slices.SortFunc(sorted, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return sorted
}
