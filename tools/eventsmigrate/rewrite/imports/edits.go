// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package imports

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// spec is an import with the declaration around it.
type spec struct {
	*ast.ImportSpec
	decl *ast.GenDecl
	gone bool // the edits leave it unused
}

func (f *File) specs() (all []*spec) {
	for _, decl := range f.ast.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			continue
		}
		for _, one := range gen.Specs {
			if one := one.(*ast.ImportSpec); importPath(one) != "C" { // which goes with its preamble
				name := f.pass.TypesInfo.PkgNameOf(one)
				all = append(all, &spec{one, gen, name != nil && f.unused(name)})
			}
		}
	}
	return all
}

// class tells the standard library, other modules and the project's own apart. Those that begin like the package, as the
// modules of one organization do, are its own, too: many projects have a group for them.
func (f *File) class(path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case f.own(path) || sharedElements(path, f.pass.Pkg.Path()) > 1:
		return "own"
	case !strings.Contains(first, "."):
		return "std"
	}
	return "other"
}

// like is the import most like a path, nil if there is none of its class. One that has a comment, which would then stand
// above both, or that gives no name to use is taken only if there is no other.
func (f *File) like(path string, specs []*spec) (best *spec) {
	most := -1
	for _, one := range specs {
		other := importPath(one.ImportSpec)
		n := 1 + sharedElements(path, other)
		if one.Doc != nil || one.Name != nil && (one.Name.Name == "_" || one.Name.Name == ".") {
			n = 0
		}
		if n > most && f.class(other) == f.class(path) {
			most, best = n, one
		}
	}
	return best
}

// sharedElements is how many elements two paths begin with alike.
func sharedElements(a, b string) (n int) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// Edits adds what the edits need beside the imports most like it, and removes what they leave unused. The order in a group
// is that of gofmt.
func (f *File) Edits() (edits []analysis.TextEdit) {
	specs := f.specs()
	for _, path := range f.added {
		text := strconv.Quote(path)
		if name := f.names[path]; name != base(path) {
			text = name + " " + text
		}
		like := f.like(path, specs)
		switch {
		case like == nil:
			edits = append(edits, f.group(text, specs))
		case like.gone:
			like.gone = false
			edits = append(edits, analysis.TextEdit{Pos: like.Pos(), End: like.End(), NewText: []byte(text)})
		default:
			edits = append(edits, insertion(endOf(like.ImportSpec), like.separator()+text))
		}
	}
	for _, one := range specs {
		if one.gone {
			edits = append(edits, f.removal(one.ImportSpec, one.decl))
		}
	}
	return edits
}

// group adds an import in a group of its own: behind the standard library, or before all.
func (f *File) group(text string, specs []*spec) analysis.TextEdit {
	var std *spec // the last one
	for _, one := range specs {
		if f.class(importPath(one.ImportSpec)) == "std" {
			std = one
		}
	}
	switch {
	case len(specs) == 0:
		return insertion(f.ast.Name.End(), "\n\nimport "+text)
	case std != nil:
		return insertion(endOf(std.ImportSpec), "\n"+std.separator()+text)
	case !specs[0].decl.Lparen.IsValid():
		return insertion(specs[0].decl.Pos(), "import "+text+"\n\n")
	}
	return insertion(specs[0].Pos(), text+"\n\n\t")
}

func insertion(at token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)}
}

// separator is what stands before an import that follows another one.
func (s *spec) separator() string {
	if s.decl.Lparen.IsValid() {
		return "\n\t"
	}
	return "\nimport "
}

// endOf is where an import ends, with its comment.
func endOf(spec *ast.ImportSpec) token.Pos {
	if spec.Comment != nil {
		return spec.Comment.End()
	}
	return spec.End()
}

// removal deletes an import with its line.
func (f *File) removal(spec *ast.ImportSpec, decl *ast.GenDecl) analysis.TextEdit {
	if !decl.Lparen.IsValid() || len(decl.Specs) == 1 {
		return analysis.TextEdit{Pos: decl.Pos(), End: decl.End()}
	}
	from, to := spec.Pos(), endOf(spec)
	if spec.Doc != nil {
		from = spec.Doc.Pos()
	}
	tokenFile := f.pass.Fset.File(spec.Pos())
	line := tokenFile.Line(from)
	if last := tokenFile.Line(to); last < tokenFile.LineCount() {
		return analysis.TextEdit{Pos: tokenFile.LineStart(line), End: tokenFile.LineStart(last + 1)}
	}
	return analysis.TextEdit{Pos: from, End: to}
}
