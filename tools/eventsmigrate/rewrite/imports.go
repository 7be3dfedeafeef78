// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// importPlan is what a file's edits need to import, and under which names.
type importPlan struct {
	names    map[string]string // by path
	added    []string          // paths, in the order in which they were asked for
	declared map[string]bool   // names that the file declares anywhere, nil before they are asked for
}

// pkg returns the name under which the edits of a file refer to a package, and
// makes sure that it is imported. A name that something else has anywhere in the
// file is not taken, since an edit may stand in its scope.
func (f *file) pkg(path string) string {
	if name, ok := f.imports.names[path]; ok {
		return name
	}
	if f.imports.names == nil {
		f.imports.names = map[string]string{}
	}
	name := f.imported(path)
	if name == "" {
		name = f.freeName(path)
		f.imports.added = append(f.imports.added, path)
	}
	f.imports.names[path] = name
	return name
}

// imported is the name under which a file already imports a package, or "".
func (f *file) imported(path string) string {
	for _, spec := range f.ast.Imports {
		if importPath(spec) != path {
			continue
		}
		name := f.TypesInfo.PkgNameOf(spec)
		if name != nil && name.Name() != "_" && name.Name() != "." && f.free(name.Name(), path) {
			return name.Name()
		}
	}
	return ""
}

// alias is the name for a package whose own name is taken.
func alias(path string) string {
	switch path {
	case clientEvents:
		return "clientevents"
	case sdkEvents:
		return "eventseries"
	}
	return "eventseries" + short(path)
}

// freeName is a name for a package that is not imported yet: if possible, the one that it has in the other files of
// the package, or can have in all of them.
func (f *file) freeName(path string) string {
	var names []string
	for _, other := range f.files {
		if name := other.imported(path); name != "" {
			names = append(names, name)
		}
	}
	for _, name := range append(names, short(path), alias(path)) {
		if f.free(name, path) && !slices.ContainsFunc(f.files, func(other *file) bool {
			return !other.frozen && other.imported(recordPath) != "" && !other.free(name, path)
		}) {
			return name
		}
	}
	name := alias(path)
	for !f.free(name, path) {
		name += "x"
	}
	return name
}

// free reports whether a name means nothing in a file and its package, but perhaps an import of that path.
func (f *file) free(name, path string) bool {
	if f.Pkg.Scope().Lookup(name) != nil || f.declares(name) {
		return false
	}
	for other, used := range f.imports.names {
		if used == name && other != path {
			return false
		}
	}
	return !slices.ContainsFunc(f.ast.Imports, func(spec *ast.ImportSpec) bool {
		used := f.TypesInfo.PkgNameOf(spec)
		return used != nil && used.Name() == name && importPath(spec) != path && !f.unused(used)
	})
}

// declares reports whether a file declares a name anywhere, other than as a field or a method.
func (f *file) declares(name string) bool {
	if f.imports.declared != nil {
		return f.imports.declared[name]
	}
	f.imports.declared = map[string]bool{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := f.TypesInfo.Defs[id].(type) {
		case nil, *types.PkgName:
		case *types.Var:
			f.imports.declared[id.Name] = f.imports.declared[id.Name] || !obj.IsField()
		case *types.Func:
			f.imports.declared[id.Name] = f.imports.declared[id.Name] || obj.Signature().Recv() == nil
		default:
			f.imports.declared[id.Name] = true
		}
		return true
	})
	return f.imports.declared[name]
}

// unused says whether the edits of a file remove every use of an import. The
// uses of a dot import are those of what it declares.
func (f *file) unused(name *types.PkgName) bool {
	if f.dropped[name] == 0 {
		return false
	}
	uses := 0
	for id, obj := range f.TypesInfo.Uses {
		used := obj == types.Object(name) ||
			name.Name() == "." && obj.Pkg() == name.Imported() && obj.Parent() == name.Imported().Scope()
		if used && f.ast.FileStart <= id.Pos() && id.Pos() < f.ast.FileEnd {
			uses++
		}
	}
	return f.dropped[name] >= uses
}

// importGroup is a run of imports without a blank line in between. An import without parentheses is one by itself.
type importGroup struct {
	decl  *ast.GenDecl
	specs []*ast.ImportSpec
	added []string // specs
}

func (f *file) importGroups() (groups []*importGroup) {
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
				groups = append(groups, &importGroup{decl: gen})
			}
			group := groups[len(groups)-1]
			group.specs = append(group.specs, spec)
			last = f.line(spec.End())
		}
	}
	return groups
}

// importClass tells the standard library, other modules and the modules that are migrated apart.
func (f *file) importClass(path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case f.config.Ours != nil && f.config.Ours(path):
		return "own"
	case !strings.Contains(first, "."):
		return "std"
	}
	return "other"
}

// groupFor is the group with the imports most like a path, nil if none has one of its class.
func (f *file) groupFor(path string, groups []*importGroup) (best *importGroup) {
	most := 0
	for _, group := range groups {
		for _, spec := range group.specs {
			other := importPath(spec)
			if f.importClass(other) != f.importClass(path) {
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

// importEdits adds what the edits need to the groups where it belongs, and removes what they leave unused.
func (f *file) importEdits() (edits []analysis.TextEdit) {
	groups := f.importGroups()
	var first, afterStd []string // groups of their own
	for _, path := range f.imports.added {
		spec := strconv.Quote(path)
		if name := f.imports.names[path]; name != short(path) {
			spec = name + " " + spec
		}
		if group := f.groupFor(path, groups); group != nil {
			group.added = append(group.added, spec)
		} else if f.importClass(path) == "std" {
			first = append(first, spec)
		} else {
			afterStd = append(afterStd, spec)
		}
	}
	edits = append(edits, f.newGroup(first, nil, groups)...)
	var std *importGroup // the last one
	for _, group := range groups {
		if f.importClass(importPath(group.specs[0])) == "std" {
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
func (f *file) newGroup(specs []string, after *importGroup, groups []*importGroup) []analysis.TextEdit {
	if len(specs) == 0 {
		return nil
	}
	if len(groups) == 0 {
		text := "\n\nimport (\n\t" + strings.Join(specs, "\n\t") + "\n)"
		return []analysis.TextEdit{{Pos: f.ast.Name.End(), End: f.ast.Name.End(), NewText: []byte(text)}}
	}
	group := after
	if group == nil {
		group = groups[0]
	}
	at, text := group.specs[0].Pos(), strings.Join(specs, "\n\t")+"\n\n\t"
	if after != nil {
		at, text = endOf(after.specs[len(after.specs)-1]), "\n\n\t"+strings.Join(specs, "\n\t")
	}
	if !group.decl.Lparen.IsValid() {
		text = "import " + strings.Join(specs, "\nimport ")
		if at = group.decl.Pos(); after != nil {
			at, text = endOf(after.specs[0]), "\n\n"+text
		} else {
			text += "\n\n"
		}
	}
	return []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}}
}

// groupEdits adds to a group and removes from it. If nothing stays, what is added takes the place of what goes.
func (f *file) groupEdits(group *importGroup) (edits []analysis.TextEdit) {
	sep := "\n\t"
	if !group.decl.Lparen.IsValid() {
		sep = "\nimport "
	}
	var stays *ast.ImportSpec // the last one
	for _, spec := range group.specs {
		if name := f.TypesInfo.PkgNameOf(spec); name == nil || !f.unused(name) {
			stays = spec
		}
	}
	added := strings.Join(group.added, sep)
	if added != "" && stays != nil {
		edits = append(edits, analysis.TextEdit{Pos: endOf(stays), End: endOf(stays), NewText: []byte(sep + added)})
		added = ""
	}
	for _, spec := range group.specs {
		switch name := f.TypesInfo.PkgNameOf(spec); {
		case name == nil || !f.unused(name):
		case added != "":
			edits = append(edits, analysis.TextEdit{Pos: spec.Pos(), End: spec.End(), NewText: []byte(added)})
			added = ""
		default:
			edits = append(edits, f.removal(spec, group.decl))
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
func (f *file) removal(spec *ast.ImportSpec, decl *ast.GenDecl) analysis.TextEdit {
	if !decl.Lparen.IsValid() || len(decl.Specs) == 1 {
		return analysis.TextEdit{Pos: decl.Pos(), End: decl.End()}
	}
	from, to := spec.Pos(), endOf(spec)
	if spec.Doc != nil {
		from = spec.Doc.Pos()
	}
	tokenFile := f.Fset.File(spec.Pos())
	line := tokenFile.Line(from)
	if last := tokenFile.Line(to); last < tokenFile.LineCount() {
		return analysis.TextEdit{Pos: tokenFile.LineStart(line), End: tokenFile.LineStart(last + 1)}
	}
	return analysis.TextEdit{Pos: from, End: to}
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return path
}
