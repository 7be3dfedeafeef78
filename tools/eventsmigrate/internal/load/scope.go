// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// recorders are the packages whose types a migration replaces or uses. A package without any of them among its direct
// and indirect imports has no recorder.
var recorders = map[string]bool{
	"k8s.io/client-go/tools/record":               true,
	"k8s.io/client-go/tools/events":               true,
	"sigs.k8s.io/controller-runtime/pkg/recorder": true,
	"github.com/eventseries/eventseries/adapter":  true,
	"github.com/eventseries/eventseries/events":   true,
	"github.com/eventseries/eventseries/legacy":   true,
}

// Scope has the packages of a migration. It is found without syntax or types.
type Scope struct {
	Tags     string
	Selected map[string]bool // the packages to edit
	Missing  []string        // the patterns that match no package of the main modules
	Load     []string        // the selected packages, and all that import them
	Total    int             // packages of the main modules
	Old      bool            // there is old API to migrate
	versions map[string]dependency
	seen     map[string]bool     // Go files of the main modules that some package of this build has
	cgo      map[string]bool     // packages of the main modules with files that use cgo
	roots    []*packages.Package // of the main modules
}

// dependency is a module that the main modules use.
type dependency struct {
	version, dir string
	replace      string // as go.mod has it, or empty
}

// Scope matches the patterns and follows the imports of a build with these tags. Tests count as part of the package
// that they test.
func (p *Project) Scope(ctx context.Context, patterns []string, tags string) (*Scope, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedModule | packages.NeedForTest
	config := &packages.Config{Context: ctx, Dir: p.Dir, Mode: mode, Tests: true, BuildFlags: p.buildFlags(tags)}
	var everything []string
	for _, module := range p.Modules {
		everything = append(everything, module.Path+"/...")
	}
	roots, err := packages.Load(config, everything...)
	if err != nil {
		return nil, fmt.Errorf("find packages: %w", err)
	}
	graph := newImports(roots)
	scope := &Scope{
		Tags: tags, Selected: map[string]bool{}, Total: len(graph.main), versions: graph.versions, seen: graph.seen,
		cgo: graph.cgo, roots: roots,
	}
	matched := map[string]bool{}
	for _, pattern := range patterns {
		paths, err := p.match(ctx, pattern, tags)
		if err != nil {
			return nil, err
		}
		paths = slices.DeleteFunc(paths, func(path string) bool { return !graph.main[path] })
		if len(paths) == 0 {
			scope.Missing = append(scope.Missing, pattern)
		}
		for _, path := range paths {
			matched[path] = true
		}
	}
	for path := range graph.main {
		scope.Old = scope.Old || matched[path] && graph.old[path]
		scope.Selected[path] = matched[path] && graph.concerned[path] && !isSDK(path, p.Modules)
	}
	maps.DeleteFunc(scope.Selected, func(_ string, selected bool) bool { return !selected })
	scope.Load = graph.importers(scope.Selected)
	return scope, nil
}

// match returns the import paths of the packages that a pattern names.
func (p *Project) match(ctx context.Context, pattern, tags string) ([]string, error) {
	args := append([]string{"list", "-e", "-find", "-f", "{{.ImportPath}}"}, p.buildFlags(tags)...)
	out, err := p.run(ctx, append(args, "--", pattern)...)
	return strings.Fields(string(out)), err
}

// isSDK reports whether the package belongs to the SDK itself. Its package legacy keeps the old API.
func isSDK(path string, modules []Module) bool {
	owner := ""
	for _, module := range modules {
		if within(path, module.Path) && len(module.Path) > len(owner) {
			owner = module.Path
		}
	}
	return owner == SDK
}

func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// imports is the import graph, with a package and its tests as one node.
type imports struct {
	main      map[string]bool            // packages of main modules
	old       map[string]bool            // packages that use the old API
	concerned map[string]bool            // packages that reach a recorder
	importing map[string]map[string]bool // the packages that import a package directly
	versions  map[string]dependency
	reached   map[string]bool // by package ID
	seen      map[string]bool // files of main
	cgo       map[string]bool // packages of main with files that use cgo
}

func newImports(roots []*packages.Package) *imports {
	g := &imports{
		main:      map[string]bool{},
		old:       map[string]bool{},
		concerned: map[string]bool{},
		importing: map[string]map[string]bool{},
		versions:  map[string]dependency{},
		reached:   map[string]bool{},
		seen:      map[string]bool{},
		cgo:       map[string]bool{},
	}
	packages.Visit(roots, nil, g.add)
	return g
}

// add is called for a package after all that it imports.
func (g *imports) add(pkg *packages.Package) {
	path := basePath(pkg)
	if module := pkg.Module; module != nil && !module.Main {
		replace := ""
		if module.Replace != nil {
			module = module.Replace
			replace = fmt.Sprintf("%s => %s %s", pkg.Module.Path, module.Path, module.Version)
		}
		g.versions[pkg.Module.Path] = dependency{module.Version, module.Dir, replace}
	}
	reached := recorders[pkg.PkgPath]
	for _, imported := range pkg.Imports {
		reached = reached || g.reached[imported.ID]
		if from := basePath(imported); from != path {
			if g.importing[from] == nil {
				g.importing[from] = map[string]bool{}
			}
			g.importing[from][path] = true
		}
	}
	g.reached[pkg.ID] = reached
	if isMain(pkg) && !isTestMain(pkg) {
		g.main[path] = true
		g.concerned[path] = g.concerned[path] || reached
		for _, file := range pkg.GoFiles {
			if !g.seen[file] { // another variant has it, too
				g.seen[file] = true
				g.read(path, file)
			}
		}
	}
}

// read looks for signs in a file. One that cannot be read has none.
func (g *imports) read(path, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	g.old[path] = g.old[path] || contains(text, old)
	g.concerned[path] = g.concerned[path] || contains(text, recording)
	g.cgo[path] = g.cgo[path] || bytes.Contains(text, []byte(`import "C"`))
}

// recording are calls of methods that record. A package that imports no recorder may declare an interface with them.
var recording = [][]byte{[]byte("Event("), []byte("Eventf(")}

// old are signs of the old API.
var old = [][]byte{[]byte(`"k8s.io/client-go/tools/record"`), []byte("GetEventRecorderFor(")}

func mention(files []string, words [][]byte) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && contains(text, words)
	})
}

func contains(text []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(text, word) })
}

// importers returns the packages and those of the main modules that import them directly or not, sorted.
func (g *imports) importers(of map[string]bool) []string {
	seen := maps.Clone(of)
	for queue := slices.Collect(maps.Keys(of)); len(queue) > 0; {
		path := queue[0]
		queue = queue[1:]
		for importer := range g.importing[path] {
			if g.main[importer] && !seen[importer] {
				seen[importer] = true
				queue = append(queue, importer)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func isMain(pkg *packages.Package) bool { return pkg.Module != nil && pkg.Module.Main }

// isTestMain reports whether the package is the main function that the go command makes for tests.
func isTestMain(pkg *packages.Package) bool {
	return pkg.Name == "main" && strings.HasSuffix(pkg.ID, ".test")
}

// basePath is the path of the package, or of the one that it tests.
func basePath(pkg *packages.Package) string {
	if pkg.ForTest != "" && strings.TrimSuffix(pkg.PkgPath, "_test") == pkg.ForTest {
		return pkg.ForTest
	}
	return pkg.PkgPath
}
