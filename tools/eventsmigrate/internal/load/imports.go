// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import "golang.org/x/tools/go/packages"

// SelectImports selects the packages of the main modules that selected packages import, too, because these may have the
// values that are recorded.
func (s *Scope) SelectImports() {
	var imported []string
	packages.Visit(s.roots, nil, func(pkg *packages.Package) {
		if pkg.ForTest != "" || !s.Selected[pkg.PkgPath] {
			return
		}
		for _, dependency := range pkg.Imports {
			if isMain(dependency) {
				imported = append(imported, dependency.PkgPath)
			}
		}
	})
	for _, path := range imported {
		s.Selected[path] = true
	}
}
