// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
)

// problem is an error that the edits cause.
type problem struct {
	program *load.Program
	pkg     *packages.Package
	place   token.Position // in the file before its edits
	message string
}

// check is one round. It type-checks the edited packages, and those that import them, with the edits applied.
type check struct {
	program *load.Program
	texts   map[string]*text
	files   map[string]*ast.File // of edited files
	broken  map[string]problem   // edited files that do not parse, without their pkg
	units   map[string]*unit     // by package ID
	cores   chan struct{}
}

// unit is a package that is checked again.
type unit struct {
	pkg      *packages.Package
	syntax   []*ast.File
	imports  []*unit // those of its imports that are checked again
	done     chan struct{}
	types    *types.Package
	problems []problem
}

// newCheck parses the edited files and finds the packages to check. It keeps the results of the round before for
// packages that have not changed, and whose imports have not.
func newCheck(ctx context.Context, program *load.Program, texts map[string]*text, before *check) (*check, error) {
	c := &check{
		program: program, texts: texts, files: map[string]*ast.File{}, broken: map[string]problem{},
		units: map[string]*unit{}, cores: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	for name := range texts {
		c.parse(name, before)
	}
	for _, pkg := range program.Nodes {
		if u := c.newUnit(pkg); u != nil {
			c.units[pkg.ID] = u
			if before != nil && u.same(before.units[pkg.ID]) {
				c.units[pkg.ID] = before.units[pkg.ID]
			}
		}
	}
	return c, program.Add(ctx, c.newImports())
}

func (c *check) parse(name string, before *check) {
	t := c.texts[name]
	if before != nil && before.files[name] != nil && string(before.texts[name].after) == string(t.after) {
		c.files[name] = before.files[name]
		return
	}
	file, err := parser.ParseFile(c.program.Fset, name, t.after, parser.ParseComments|parser.SkipObjectResolution)
	c.files[name] = file
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		c.broken[name] = problem{program: c.program, place: t.original(list[0].Pos.Offset), message: list[0].Msg}
	}
}

// newUnit returns nil if neither the package nor one of its imports is edited.
func (c *check) newUnit(pkg *packages.Package) *unit {
	u := &unit{pkg: pkg, done: make(chan struct{})}
	edited := false
	for _, file := range pkg.Syntax {
		if changed := c.files[c.program.Filename(file)]; changed != nil {
			file, edited = changed, true
		}
		u.syntax = append(u.syntax, file)
	}
	for _, imported := range pkg.Imports {
		if checked := c.units[imported.ID]; checked != nil {
			u.imports = append(u.imports, checked)
		}
	}
	if !edited && len(u.imports) == 0 {
		return nil
	}
	return u
}

// same reports whether a unit would have the same result as in the round before.
func (u *unit) same(before *unit) bool {
	if before == nil || !slices.Equal(u.syntax, before.syntax) || len(u.imports) != len(before.imports) {
		return false
	}
	return !slices.ContainsFunc(u.imports, func(imported *unit) bool { return !slices.Contains(before.imports, imported) })
}

// newImports are the import paths that edits add to a package.
func (c *check) newImports() []string {
	var paths []string
	for _, u := range c.units {
		for _, file := range u.syntax {
			for _, spec := range file.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err == nil && u.pkg.Imports[path] == nil && path != "unsafe" && path != "C" {
					paths = append(paths, path)
				}
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// run checks the units, each after those that it imports, and returns what is wrong.
func (c *check) run(done func()) []problem {
	var all sync.WaitGroup
	for _, u := range c.units {
		if u.types != nil {
			continue // kept from the round before
		}
		all.Go(func() {
			defer close(u.done)
			for _, imported := range u.imports {
				<-imported.done
			}
			c.cores <- struct{}{}
			c.typeCheck(u)
			<-c.cores
			done()
		})
	}
	all.Wait()
	var problems []problem
	for _, pkg := range c.program.Nodes {
		if u := c.units[pkg.ID]; u != nil {
			problems = append(problems, u.problems...)
		}
	}
	return problems
}

func (c *check) typeCheck(u *unit) {
	for _, file := range u.syntax {
		if p, found := c.broken[c.program.Filename(file)]; found {
			p.pkg = u.pkg
			u.problems = append(u.problems, p)
		}
	}
	var err error
	u.types, err = c.program.Check(u.pkg, u.syntax, nil, importer{c, u}, func(err error) { c.report(u, err) })
	if err != nil {
		c.report(u, err)
	}
}

// report keeps an error, unless there was one at this place before the edits. A package that did not compile before may
// do so tomorrow, when what it lacks is there, so what it uses must not change either.
func (c *check) report(u *unit, err error) {
	var typeError types.Error
	if !errors.As(err, &typeError) {
		return
	}
	place := c.program.Fset.PositionFor(typeError.Pos, false)
	if t := c.texts[place.Filename]; t != nil {
		place = t.original(place.Offset)
	}
	for _, before := range u.pkg.TypeErrors {
		at := c.program.Fset.PositionFor(before.Pos, false)
		if at.Filename == place.Filename && at.Line == place.Line && at.Column == place.Column {
			return
		}
	}
	found := problem{program: c.program, pkg: u.pkg, place: place, message: typeError.Msg}
	if !slices.Contains(u.problems, found) {
		u.problems = append(u.problems, found)
	}
}
