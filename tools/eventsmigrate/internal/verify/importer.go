// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// importer finds the packages that a unit imports: checked again if they are units, else as loaded.
type importer struct {
	check *check
	unit  *unit
}

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := i.unit.pkg.Imports[path]; pkg != nil {
		return i.types(pkg)
	}
	if pkg := i.check.program.Imported(path); pkg != nil {
		return i.types(pkg)
	}
	return nil, fmt.Errorf("package %s cannot be loaded", path)
}

func (i importer) types(pkg *packages.Package) (*types.Package, error) {
	checked := i.check.units[pkg.ID]
	if checked == nil {
		if pkg.Types == nil || !pkg.Types.Complete() {
			return nil, fmt.Errorf("package %s could not be loaded", pkg.PkgPath)
		}
		return pkg.Types, nil
	}
	select {
	case <-checked.done:
		return checked.types, nil
	default: // a new import might itself wait for the unit
		return nil, fmt.Errorf("package %s is itself rewritten, and cannot become a new import", pkg.PkgPath)
	}
}
