// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

// Scope has the packages of a migration in one build of one module, or of a workspace. It is found without syntax or types.
type Scope struct {
	Tags     string
	Selected map[string]bool     // the packages to edit
	Missing  []string            // the patterns that match no package of the main modules
	main     Module              // in which the go command runs
	seen     map[string]bool     // Go files of the main modules that some package of this build has
	roots    []*packages.Package // of the main modules
}

// Scopes match the patterns and follow the imports of a build with these tags. Tests count as part of the package that
// they test. There is one for each module, because in a workspace the go command may find a package in two modules, where
// each module by itself builds with one of them.
func (p *Project) Scopes(ctx context.Context, patterns []string, tags string) (scopes []*Scope, err error) {
	if p.Workspace != "" {
		scope, err := p.scope(ctx, Module{Dir: p.Dir, outside: p.outside}, p.Modules, patterns, tags)
		return []*Scope{scope}, err
	}
	for _, main := range p.Modules {
		scope, err := p.scope(ctx, main, []Module{main}, patterns, tags)
		if err != nil {
			return nil, err
		}
		scopes = append(scopes, scope)
	}
	return scopes, nil
}

func (p *Project) scope(ctx context.Context, main Module, modules []Module, patterns []string, tags string) (*Scope, error) {
	var everything []string
	for _, module := range modules {
		everything = append(everything, module.Path+"/...")
	}
	roots, err := packages.Load(p.listing(ctx, main, tags, true), everything...)
	if err != nil {
		return nil, fmt.Errorf("find packages: %w", err)
	}
	graph := newImports(roots)
	scope := &Scope{Tags: tags, Selected: map[string]bool{}, main: main, seen: graph.seen, roots: roots}
	matched := map[string]bool{}
	for _, pattern := range patterns {
		matches := p.matcher(pattern)
		found := false
		for path, dir := range graph.main {
			if matches(path, dir) {
				matched[path], found = true, true
			}
		}
		if !found {
			scope.Missing = append(scope.Missing, pattern)
		}
	}
	for path := range graph.main {
		if matched[path] && graph.concerned[path] {
			scope.Selected[path] = true
		}
	}
	return scope, nil
}

// listing asks the go command for packages and all that they import. It compiles nothing.
func (p *Project) listing(ctx context.Context, main Module, tags string, tests bool) *packages.Config {
	config := &packages.Config{
		Context: ctx, Dir: main.Dir, Env: append(os.Environ(), "PWD="+main.Dir), Tests: tests,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedForTest,
	}
	if tags != "" { // else those of GOFLAGS count
		config.BuildFlags = append(config.BuildFlags, "-tags="+tags)
	}
	switch {
	case p.Workspace == "":
		config.Env = append(config.Env, "GOWORK=off") // a go.work beside another module of the repository is not the user's
	case p.temporary != "" && main.modfile == "" && main.outside == "":
		config.Env = append(config.Env, "GOWORK="+filepath.Join(p.temporary, "go.work"))
		config.BuildFlags = append(config.BuildFlags, "-mod=readonly") // there is no vendor directory beside it
	}
	if main.modfile != "" {
		config.Env = append(config.Env, "GOWORK=off")
		config.BuildFlags = append(config.BuildFlags, "-mod=mod", "-modfile="+main.modfile) // as after go mod tidy
	}
	return config
}

// sources are the packages that are edited, in all variants, and all that import these, by ID.
func (s *Scope) sources(edited map[string]bool) map[string]bool {
	source := map[string]bool{}
	packages.Visit(s.roots, nil, func(pkg *packages.Package) {
		found := edited[basePath(pkg)]
		for _, imported := range pkg.Imports {
			found = found || source[imported.ID]
		}
		if found && !isTestMain(pkg) {
			source[pkg.ID] = true
		}
	})
	return source
}

// matcher returns what a pattern of packages matches. That of a directory matches the packages of all main modules below.
func (p *Project) matcher(pattern string) func(path, dir string) bool {
	byDir := filepath.IsAbs(pattern) || pattern == "." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") ||
		pattern == ".."
	if byDir && !filepath.IsAbs(pattern) {
		pattern = filepath.Join(p.Dir, pattern)
	}
	expr := strings.ReplaceAll(regexp.QuoteMeta(filepath.ToSlash(pattern)), `\.\.\.`, ".*")
	if above, ok := strings.CutSuffix(expr, "/.*"); ok {
		expr = above + "(/.*)?"
	}
	matches := regexp.MustCompile("^" + expr + "$").MatchString
	return func(path, dir string) bool { return matches(path) && !byDir || matches(filepath.ToSlash(dir)) && byDir }
}

func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// imports is the import graph, with a package and its tests as one node.
type imports struct {
	main      map[string]string // packages of main modules, and their directories
	concerned map[string]bool   // packages that reach a recorder
	reached   map[string]bool   // by package ID
	seen      map[string]bool   // files of main
}

func newImports(roots []*packages.Package) *imports {
	g := &imports{
		main:      map[string]string{},
		concerned: map[string]bool{},
		reached:   map[string]bool{},
		seen:      map[string]bool{},
	}
	packages.Visit(roots, nil, g.add)
	return g
}

// add is called for a package after all that it imports.
func (g *imports) add(pkg *packages.Package) {
	path := basePath(pkg)
	reached := recorders[pkg.PkgPath]
	for _, imported := range pkg.Imports {
		reached = reached || g.reached[imported.ID]
	}
	g.reached[pkg.ID] = reached
	if isMain(pkg) && !isTestMain(pkg) {
		sdk := pkg.Module.Path == SDK // its package legacy keeps the old API
		if files := slices.Concat(pkg.GoFiles, pkg.OtherFiles, pkg.IgnoredFiles); len(files) > 0 {
			g.main[path] = filepath.Dir(files[0])
		}
		g.concerned[path] = g.concerned[path] || reached && !sdk
		for _, file := range pkg.GoFiles {
			if !g.seen[file] { // another variant has it, too
				g.seen[file] = true
				g.concerned[path] = g.concerned[path] || !sdk && Records(file)
			}
		}
	}
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
