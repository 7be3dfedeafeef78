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
		if one.Doc != nil || one.nameless() {
			n = 0
		}
		if n > most && f.class(other) == f.class(path) {
			most, best = n, one
		}
	}
	return best
}

// nameless reports whether an import gives no name to use.
func (s *spec) nameless() bool { return s.Name != nil && (s.Name.Name == "_" || s.Name.Name == ".") }

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
	var alone []string // in a group of their own
	for _, path := range f.added {
		text := strconv.Quote(path)
		if name := f.names[path]; name != base(path) {
			text = name + " " + text
		}
		like := f.like(path, specs)
		switch {
		case like == nil && f.class(path) == "std":
			edits = append(edits, f.group([]string{text}, specs))
		case like == nil, f.separates(path, importPath(like.ImportSpec)):
			alone = append(alone, text)
		case like.gone:
			like.gone = false
			edits = append(edits, analysis.TextEdit{Pos: like.Pos(), End: like.End(), NewText: []byte(text)})
		default:
			edits = append(edits, insertion(endOf(like.ImportSpec), like.separator()+text))
		}
	}
	if len(alone) > 0 {
		edits = append(edits, f.group(alone, specs))
	}
	for _, one := range specs {
		if one.gone {
			edits = append(edits, f.removal(one.ImportSpec, one.decl))
		}
	}
	return edits
}

// separates reports whether the package keeps imports from two hosts apart, such as those of Kubernetes from others: some
// file has them in two groups, and none in one.
func (f *File) separates(path, other string) bool {
	apart := false
	for _, file := range f.files {
		specs := file.specs()
		for _, a := range specs {
			for _, b := range specs {
				first, second := importPath(a.ImportSpec), importPath(b.ImportSpec)
				if a.nameless() || f.class(first) != "other" ||
					sharedElements(first, path) == 0 || sharedElements(second, other) == 0 {
					continue
				}
				if file.sameGroup(a, b) {
					return false
				}
				apart = true
			}
		}
	}
	return apart
}

// sameGroup reports whether no empty line and no other declaration is between two imports.
func (f *File) sameGroup(a, b *spec) bool {
	if a.decl != b.decl {
		return false
	}
	if b.Pos() < a.Pos() {
		a, b = b, a
	}
	line := func(pos token.Pos) int { return f.pass.Fset.Position(pos).Line }
	last := line(a.End())
	for _, next := range a.decl.Specs {
		next := next.(*ast.ImportSpec)
		if next.Pos() <= a.Pos() || b.Pos() < next.Pos() {
			continue
		}
		first := next.Pos()
		if next.Doc != nil {
			first = next.Doc.Pos()
		}
		if line(first) > last+1 {
			return false
		}
		last = line(next.End())
	}
	return true
}

// group adds imports in a group of their own: behind the standard library, or before all.
func (f *File) group(texts []string, specs []*spec) analysis.TextEdit {
	var std *spec // the last one that stays
	for _, one := range specs {
		if f.class(importPath(one.ImportSpec)) == "std" && !one.gone {
			std = one
		}
	}
	switch {
	case len(specs) == 0:
		return insertion(f.ast.Name.End(), "\n\nimport "+strings.Join(texts, "\nimport "))
	case std != nil:
		return insertion(endOf(std.ImportSpec), "\n"+std.separator()+strings.Join(texts, std.separator()))
	case !specs[0].decl.Lparen.IsValid():
		return insertion(specs[0].decl.Pos(), "import "+strings.Join(texts, "\nimport ")+"\n\n")
	}
	first := specs[0].Pos()
	if specs[0].Doc != nil {
		first = specs[0].Doc.Pos()
	}
	lines := f.pass.Fset.File(first)
	return insertion(lines.LineStart(lines.Line(first)), "\t"+strings.Join(texts, "\n\t")+"\n\n")
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
