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

// group is a run of imports without a blank line in between. An import without parentheses is one by itself.
type group struct {
	decl  *ast.GenDecl
	specs []*ast.ImportSpec
	added []string // specs
}

func (f *File) groups() (groups []*group) {
	for _, decl := range f.ast.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			continue
		}
		last := -1 // the line before
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ImportSpec)
			if importPath(spec) == "C" { // with its preamble
				continue
			}
			start := spec.Pos()
			if spec.Doc != nil {
				start = spec.Doc.Pos()
			}
			if last < 0 || f.line(start) > last+1 {
				groups = append(groups, &group{decl: gen})
			}
			group := groups[len(groups)-1]
			group.specs = append(group.specs, spec)
			last = f.line(spec.End())
		}
	}
	return groups
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

// groupFor is the group with the imports most like a path, nil if none has one of its class.
func (f *File) groupFor(path string, groups []*group) (best *group) {
	most := 0
	for _, group := range groups {
		for _, spec := range group.specs {
			other := importPath(spec)
			if f.class(other) != f.class(path) {
				continue
			}
			if n := 1 + sharedElements(path, other); n > most {
				most, best = n, group
			}
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

// Edits adds what the edits need to the groups where it belongs, and removes what they leave unused.
func (f *File) Edits() (edits []analysis.TextEdit) {
	groups := f.groups()
	var first, afterStd []string // groups of their own
	for _, path := range f.added {
		spec := strconv.Quote(path)
		if name := f.names[path]; name != base(path) {
			spec = name + " " + spec
		}
		if group := f.groupFor(path, groups); group != nil {
			group.added = append(group.added, spec)
		} else if f.class(path) == "std" {
			first = append(first, spec)
		} else {
			afterStd = append(afterStd, spec)
		}
	}
	edits = append(edits, f.newGroup(first, nil, groups)...)
	var std *group // the last one
	for _, group := range groups {
		if f.class(importPath(group.specs[0])) == "std" {
			std = group
		}
	}
	edits = append(edits, f.newGroup(afterStd, std, groups)...)
	for _, group := range groups {
		edits = append(edits, f.groupEdits(group)...)
	}
	return edits
}

// newGroup adds a group of imports after another one, or before all.
func (f *File) newGroup(specs []string, after *group, groups []*group) []analysis.TextEdit {
	switch {
	case len(specs) == 0:
		return nil
	case len(groups) == 0:
		return insertion(f.ast.Name.End(), "\n\nimport (\n\t"+strings.Join(specs, "\n\t")+"\n)")
	case after != nil:
		sep := after.separator()
		return insertion(endOf(after.specs[len(after.specs)-1]), "\n"+sep+strings.Join(specs, sep))
	case !groups[0].decl.Lparen.IsValid():
		return insertion(groups[0].decl.Pos(), "import "+strings.Join(specs, "\nimport ")+"\n\n")
	}
	return insertion(groups[0].specs[0].Pos(), strings.Join(specs, "\n\t")+"\n\n\t")
}

func insertion(at token.Pos, text string) []analysis.TextEdit {
	return []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}}
}

// separator is what stands before an import of the group that follows another one.
func (g *group) separator() string {
	if g.decl.Lparen.IsValid() {
		return "\n\t"
	}
	return "\nimport "
}

// groupEdits adds to a group and removes from it. If nothing stays, what is added takes the place of what goes.
func (f *File) groupEdits(g *group) (edits []analysis.TextEdit) {
	var stays *ast.ImportSpec // the last one
	var unused []*ast.ImportSpec
	for _, spec := range g.specs {
		if name := f.pass.TypesInfo.PkgNameOf(spec); name != nil && f.unused(name) {
			unused = append(unused, spec)
		} else {
			stays = spec
		}
	}
	added := strings.Join(g.added, g.separator())
	if added != "" && stays != nil {
		edits = insertion(endOf(stays), g.separator()+added)
		added = ""
	}
	for _, spec := range unused {
		if added != "" {
			edits = append(edits, analysis.TextEdit{Pos: spec.Pos(), End: spec.End(), NewText: []byte(added)})
			added = ""
		} else {
			edits = append(edits, f.removal(spec, g.decl))
		}
	}
	return edits
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
