// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/packages"
)

// inOrder calls check for each package after those that it imports, in parallel.
func inOrder(ctx context.Context, pkgs []*packages.Package, progress func(done, all int), check func(*packages.Package)) error {
	checked := map[*packages.Package]chan struct{}{}
	for _, pkg := range pkgs {
		checked[pkg] = make(chan struct{})
	}
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	var done atomic.Int64
	for _, pkg := range pkgs {
		all.Go(func() {
			defer close(checked[pkg])
			for _, imported := range pkg.Imports {
				if checking := checked[imported]; checking != nil {
					<-checking
				}
			}
			cores <- struct{}{}
			defer func() { <-cores }()
			if ctx.Err() == nil {
				progress(int(done.Add(1)), len(pkgs))
				check(pkg)
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// parse parses a file once, because variants of a package share it.
func (p *Program) parse(name string) (*ast.File, error) {
	once, _ := p.files.LoadOrStore(name, sync.OnceValues(func() (*ast.File, error) {
		return parser.ParseFile(p.Fset, name, nil, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
	}))
	return once.(func() (*ast.File, error))()
}

// checkPackage type-checks a package, and keeps its errors. Of a package that no edit can reach it keeps only the types of
// what it declares.
func (p *Program) checkPackage(pkg *packages.Package) {
	if pkg.PkgPath == "unsafe" {
		pkg.Types = types.Unsafe
		return
	}
	var files []*ast.File
	for _, name := range pkg.GoFiles {
		var file *ast.File
		var err error
		if p.source[pkg.ID] {
			file, err = p.parse(name)
		} else {
			file, err = parser.ParseFile(p.Fset, name, nil, parser.SkipObjectResolution)
		}
		if err != nil {
			addError(pkg, err)
		}
		if file != nil {
			files = append(files, file)
		}
	}
	if p.source[pkg.ID] && !madeForOther(pkg) && p.scope.Selected[basePath(pkg)] {
		pkg.TypesInfo = newInfo()
	}
	pkg.Types = p.check(pkg, files, pkg.TypesInfo, func(err error) { addError(pkg, err) })
	if p.source[pkg.ID] {
		pkg.Syntax = files
	}
	pkg.IllTyped = len(pkg.Errors) > 0
	for _, imported := range pkg.Imports {
		pkg.IllTyped = pkg.IllTyped || imported.IllTyped
	}
}

// check type-checks files as those of a package, and reports each error. Info may be nil.
func (p *Program) check(pkg *packages.Package, files []*ast.File, info *types.Info, report func(error)) *types.Package {
	cgo := slices.Contains(importPaths(files), "C")
	config := &types.Config{
		Importer:         importer{pkg},
		Sizes:            p.project.sizes,
		IgnoreFuncBodies: !p.source[pkg.ID] || madeForOther(pkg),
		Error: func(err error) {
			var typeError types.Error
			if !cgo || !errors.As(err, &typeError) || !strings.HasPrefix(typeError.Msg, "undefined: _C") {
				report(err)
			}
		},
		FakeImportC: true, // what comes from C is of no known type, as are the names that cmd/cgo makes of it
	}
	if module := pkg.Module; module != nil && module.GoVersion != "" {
		config.GoVersion = "go" + module.GoVersion
	}
	checked := types.NewPackage(pkg.PkgPath, pkg.Name)
	_ = types.NewChecker(config, p.Fset, checked, info).Files(files) // the first of the errors
	return checked
}

// Recheck type-checks packages with other syntax of some files, and the packages that import them. It returns the errors of
// each. What it checks is not kept.
func (p *Program) Recheck(
	ctx context.Context, files map[string]*ast.File, progress func(done, all int),
) (map[*packages.Package][]types.Error, error) {
	if err := p.addImports(ctx, files); err != nil {
		return nil, err
	}
	again := map[*packages.Package]*packages.Package{}
	var order []*packages.Package
	for _, pkg := range p.Nodes {
		other := &packages.Package{
			ID: pkg.ID, PkgPath: pkg.PkgPath, Name: pkg.Name, ForTest: pkg.ForTest, Module: pkg.Module,
			Fset: pkg.Fset, Imports: maps.Clone(pkg.Imports),
		}
		changed := false
		for _, file := range pkg.Syntax {
			if edited := files[p.Filename(file)]; edited != nil {
				file, changed = edited, true
			}
			other.Syntax = append(other.Syntax, file)
		}
		for path, imported := range pkg.Imports {
			if again[imported] != nil {
				other.Imports[path], changed = again[imported], true
			}
		}
		if changed {
			again[pkg] = other
			order = append(order, other)
		}
	}
	for _, pkg := range order {
		for _, path := range importPaths(pkg.Syntax) {
			// What is itself edited cannot become a new import, since it might import the package.
			if added := p.known[path]; pkg.Imports[path] == nil && again[added] == nil {
				pkg.Imports[path] = added
			}
		}
	}
	err := inOrder(ctx, order, progress, func(pkg *packages.Package) {
		pkg.Types = p.check(pkg, pkg.Syntax, nil, func(err error) { addError(pkg, err) })
	})
	found := map[*packages.Package][]types.Error{}
	for before, pkg := range again {
		found[before] = pkg.TypeErrors
	}
	return found, err
}

// addImports makes packages importable that nothing in the program imports yet. It leaves out those that cannot be found:
// their import fails later, with a place.
func (p *Program) addImports(ctx context.Context, files map[string]*ast.File) error {
	var paths []string
	for _, path := range importPaths(slices.Collect(maps.Values(files))) {
		if p.known[path] == nil && path != "C" {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	main := p.scope.main
	if dir := main.outside; dir != "" {
		main = Module{Dir: dir, modfile: filepath.Join(dir, "go.mod")}
	}
	roots, err := packages.Load(p.project.listing(ctx, main, p.scope.Tags, false), paths...)
	if err != nil {
		return fmt.Errorf("find the packages of new imports: %w", err)
	}
	for _, root := range roots {
		if err := Downloaded([]Broken{{Package: root.PkgPath, Errors: root.Errors}}); err != nil {
			return err
		}
	}
	_, err = p.add(ctx, slices.DeleteFunc(roots, func(root *packages.Package) bool { return len(root.Errors) > 0 }))
	return err
}

// importPaths are the import paths in files, sorted.
func importPaths(files []*ast.File) (paths []string) {
	for _, file := range files {
		for _, spec := range file.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// madeForOther reports whether the package is a variant for the tests of one that it imports. Its function bodies are
// checked in the package itself.
func madeForOther(pkg *packages.Package) bool {
	return pkg.ForTest != "" && basePath(pkg) != pkg.ForTest
}

// Info returns the types of a package's expressions.
func (p *Program) Info(pkg *packages.Package) *types.Info {
	if pkg.TypesInfo == nil {
		pkg.TypesInfo = newInfo()
		p.check(pkg, pkg.Syntax, pkg.TypesInfo, func(error) {}) // its errors are known
	}
	return pkg.TypesInfo
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
}

// addError adds an error of the parser or of the type checker to those of the package.
func addError(pkg *packages.Package, err error) {
	var list scanner.ErrorList
	var typeError types.Error
	var path *os.PathError
	switch {
	case errors.As(err, &list):
		for _, err := range list {
			pkg.Errors = append(pkg.Errors, packages.Error{Pos: err.Pos.String(), Msg: err.Msg, Kind: packages.ParseError})
		}
	case errors.As(err, &typeError):
		pkg.TypeErrors = append(pkg.TypeErrors, typeError)
		pkg.Errors = append(pkg.Errors, packages.Error{
			Pos: pkg.Fset.Position(typeError.Pos).String(), Msg: typeError.Msg, Kind: packages.TypeError,
		})
	case errors.As(err, &path):
		pkg.Errors = append(pkg.Errors, packages.Error{Pos: path.Path + ":1", Msg: path.Err.Error(), Kind: packages.ParseError})
	default:
		pkg.Errors = append(pkg.Errors, packages.Error{Pos: "-", Msg: err.Error()})
	}
}

// importer finds the types of what a package imports.
type importer struct{ pkg *packages.Package }

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	imported := i.pkg.Imports[path]
	if imported == nil || imported.Types == nil {
		return nil, fmt.Errorf("the go command does not list %s", path)
	}
	return imported.Types, nil
}
