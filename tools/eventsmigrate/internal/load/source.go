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
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/packages"
)

// parsed is a file. Variants of a package share it.
type parsed struct {
	file *ast.File
	err  error
}

// check parses and type-checks the sources.
func (p *Program) check(ctx context.Context, scope *Scope) error {
	files := p.parse(ctx)
	done := map[*packages.Package]chan struct{}{}
	for _, pkg := range p.sources {
		done[pkg] = make(chan struct{})
	}
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for _, pkg := range p.sources {
		all.Go(func() {
			defer close(done[pkg])
			for _, imported := range pkg.Imports {
				if checked := done[imported]; checked != nil {
					<-checked
				}
			}
			cores <- struct{}{}
			defer func() { <-cores }()
			if ctx.Err() == nil {
				p.checkSource(pkg, files, isMain(pkg) && !madeForOther(pkg) && scope.Selected[basePath(pkg)])
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// parse parses the files of the sources in parallel.
func (p *Program) parse(ctx context.Context) map[string]*parsed {
	files := map[string]*parsed{}
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	var parsing atomic.Int64
	for _, pkg := range p.sources {
		for _, name := range pkg.GoFiles {
			if files[name] != nil {
				continue
			}
			result := &parsed{}
			files[name] = result
			cores <- struct{}{}
			all.Go(func() {
				defer func() { <-cores }()
				if ctx.Err() != nil {
					return
				}
				p.progress("loading %d packages, %d files", len(p.sources), parsing.Add(1))
				const mode = parser.AllErrors | parser.ParseComments | parser.SkipObjectResolution
				result.file, result.err = parser.ParseFile(p.Fset, name, nil, mode)
			})
		}
	}
	all.Wait()
	return files
}

// checkSource type-checks a package, and keeps its errors.
func (p *Program) checkSource(pkg *packages.Package, files map[string]*parsed, withInfo bool) {
	for _, name := range pkg.GoFiles {
		if err := files[name].err; err != nil {
			addError(pkg, err)
		}
		if file := files[name].file; file != nil {
			pkg.Syntax = append(pkg.Syntax, file)
		}
	}
	var info *types.Info
	if withInfo {
		info = newInfo()
	}
	var err error
	pkg.TypesInfo = info
	pkg.Types, err = p.Check(pkg, pkg.Syntax, info, importer{p, pkg}, func(err error) { addError(pkg, err) })
	if err != nil && len(pkg.Errors) == 0 {
		addError(pkg, err)
	}
	if len(pkg.Errors) > 0 && p.project.older != "" {
		pkg.Errors = append(pkg.Errors, packages.Error{Pos: "-", Msg: p.project.older})
	}
	pkg.IllTyped = len(pkg.Errors) > 0
	for _, imported := range pkg.Imports {
		pkg.IllTyped = pkg.IllTyped || imported.IllTyped
	}
}

// Check type-checks files as those of a package. Info may be nil.
func (p *Program) Check(
	pkg *packages.Package, files []*ast.File, info *types.Info, imports types.Importer, report func(error),
) (*types.Package, error) {
	config := &types.Config{
		Importer:         imports,
		Sizes:            p.project.sizes,
		IgnoreFuncBodies: !isMain(pkg) || madeForOther(pkg),
		Error:            report,
		FakeImportC:      true, // what comes from C is of no known type
	}
	if module := pkg.Module; module != nil && module.GoVersion != "" {
		config.GoVersion = "go" + module.GoVersion
	}
	checked := types.NewPackage(pkg.PkgPath, pkg.Name)
	err := types.NewChecker(config, p.Fset, checked, info).Files(files)
	return checked, err
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
		_, _ = p.Check(pkg, pkg.Syntax, pkg.TypesInfo, importer{p, pkg}, func(error) {}) // its errors are known
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
type importer struct {
	program *Program
	pkg     *packages.Package
}

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	imported := i.pkg.Imports[path]
	if imported == nil {
		return nil, fmt.Errorf("the go command does not list %s", path)
	}
	if err := i.program.complete(imported); err != nil {
		return nil, err
	}
	return imported.Types, nil
}
