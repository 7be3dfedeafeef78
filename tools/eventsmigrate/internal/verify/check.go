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
	"slices"

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

// check type-checks the edited packages, and those that import them, with the edits applied. It returns what is wrong.
func check(ctx context.Context, program *load.Program, texts map[string]*text, progress func(done, all int)) ([]problem, error) {
	files := map[string]*ast.File{}
	broken := map[string]problem{} // files that do not parse
	for name, t := range texts {
		file, err := parser.ParseFile(program.Fset, name, t.after, parser.ParseComments|parser.SkipObjectResolution)
		files[name] = file
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			broken[name] = problem{program: program, place: t.original(list[0].Pos.Offset), message: list[0].Msg}
		}
	}
	found, err := program.Recheck(ctx, files, progress)
	if err != nil {
		return nil, err
	}
	var problems []problem
	for _, pkg := range program.Nodes {
		for _, file := range pkg.Syntax {
			if p, ok := broken[program.Filename(file)]; ok {
				p.pkg = pkg
				problems = append(problems, p)
			}
		}
		for _, typeError := range found[pkg] {
			place := program.Fset.PositionFor(typeError.Pos, false)
			if t := texts[place.Filename]; t != nil {
				place = t.original(place.Offset)
			}
			p := problem{program: program, pkg: pkg, place: place, message: typeError.Msg}
			if !p.known() && !slices.Contains(problems, p) {
				problems = append(problems, p)
			}
		}
	}
	return problems, nil
}

// known reports whether there was an error at this place before the edits. A package that did not compile before may
// do so tomorrow, when what it lacks is there, so what it uses must not change either.
func (p problem) known() bool {
	return slices.ContainsFunc(p.pkg.TypeErrors, func(before types.Error) bool {
		at := p.program.Fset.PositionFor(before.Pos, false)
		return at.Filename == p.place.Filename && at.Line == p.place.Line && at.Column == p.place.Column
	})
}
