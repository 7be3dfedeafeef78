// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"fmt"
	"go/types"
	"os"

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
	found, err := p.list(ctx, missing)
	if err != nil {
		return fmt.Errorf("load the packages of new imports: %w", err)
	}
	for path, pkg := range found {
		if p.plain[path] == nil && pkg.ExportFile != "" {
			p.plain[path] = pkg
		}
	}
	for _, path := range paths {
		if pkg := p.plain[path]; pkg != nil {
			if err := p.complete(pkg); err != nil {
				return err
			}
		}
	}
	return nil
}

// Imported returns the package with complete types that an import path stands for outside of tests, or nil.
func (p *Program) Imported(path string) *packages.Package {
	if pkg := p.plain[path]; pkg != nil && pkg.Types != nil && pkg.Types.Complete() {
		return pkg
	}
	return nil
}

// complete reads the types of a package from its export data, if it was not checked from source.
func (p *Program) complete(pkg *packages.Package) error {
	if pkg.ExportFile == "" || pkg.PkgPath == "unsafe" {
		return nil
	}
	p.reading.Lock()
	defer p.reading.Unlock()
	if pkg.Types != nil {
		return nil
	}
	read, err := p.read(pkg)
	if err != nil {
		return fmt.Errorf("types of %s: %w", pkg.PkgPath, err)
	}
	pkg.Types = read
	return nil
}

// read reads export data. It has the objects of other packages that it refers to, which are the same for all readers.
func (p *Program) read(pkg *packages.Package) (*types.Package, error) {
	file, err := os.Open(pkg.ExportFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := gcexportdata.NewReader(file)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(reader, p.Fset, p.types, pkg.PkgPath)
}
