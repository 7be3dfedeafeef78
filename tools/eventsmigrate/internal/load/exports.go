// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// Add makes packages importable that nothing in the program imports yet, because edits add imports. It leaves out paths
// that cannot be found. Their import fails later, with a place.
func (p *Program) Add(ctx context.Context, paths []string) error {
	var missing []string
	for _, path := range paths {
		if p.plain[path] == nil {
			missing = append(missing, path)
		}
	}
	if len(missing) > 0 {
		if err := p.find(ctx, missing); err != nil {
			return err
		}
	}
	view := p.view()
	for _, path := range slices.Sorted(slices.Values(paths)) {
		if pkg := p.plain[path]; pkg != nil && !pkg.Types.Complete() {
			if err := p.read(pkg, view); err != nil {
				return err
			}
		}
	}
	return nil
}

// find asks the go command for the export data of the packages and of their imports.
func (p *Program) find(ctx context.Context, paths []string) error {
	const mode = packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule |
		packages.NeedExportFile
	config := &packages.Config{
		Context: ctx, Dir: p.project.Dir, Mode: mode, BuildFlags: p.project.buildFlags(p.tags),
	}
	roots, err := packages.Load(config, paths...)
	if err != nil {
		return fmt.Errorf("load the packages of new imports: %w", err)
	}
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if p.plain[pkg.PkgPath] == nil && pkg.ExportFile != "" {
			pkg.Types = types.NewPackage(pkg.PkgPath, pkg.Name)
			p.plain[pkg.PkgPath] = pkg
		}
	})
	return nil
}

// Imported returns the package with complete types that an import path stands for outside of tests, or nil.
func (p *Program) Imported(path string) *packages.Package {
	if pkg := p.plain[path]; pkg != nil && pkg.Types != nil && pkg.Types.Complete() {
		return pkg
	}
	return nil
}

// view is all types by import path, as gcexportdata.Read takes it.
func (p *Program) view() map[string]*types.Package {
	view := make(map[string]*types.Package, len(p.plain))
	for path, pkg := range p.plain {
		view[path] = pkg.Types
	}
	return view
}

// read completes the types of one package. It completes types in place, because others refer to them.
func (p *Program) read(pkg *packages.Package, view map[string]*types.Package) error {
	file, err := os.Open(pkg.ExportFile)
	if err != nil {
		return fmt.Errorf("types of %s: %w", pkg.PkgPath, err)
	}
	defer file.Close()
	reader, err := gcexportdata.NewReader(file)
	if err != nil {
		return fmt.Errorf("types of %s: %w", pkg.PkgPath, err)
	}
	read, err := gcexportdata.Read(reader, p.Fset, maps.Clone(view), pkg.PkgPath)
	if err != nil {
		return fmt.Errorf("types of %s: %w", pkg.PkgPath, err)
	}
	pkg.Types = read
	return nil
}
