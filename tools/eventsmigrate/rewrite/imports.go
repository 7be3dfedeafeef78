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
	names map[string]string // by path
	added []string          // paths, in the order in which they were asked for
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
		if name := f.TypesInfo.PkgNameOf(spec); name != nil && name.Name() != "_" && name.Name() != "." &&
			!f.taken(name.Name(), name) {
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

func (f *file) freeName(path string) string {
	if name := short(path); !f.taken(name, nil) {
		return name
	}
	name := alias(path)
	for f.taken(name, nil) {
		name += "x"
	}
	return name
}

// taken says whether a name means anything but allowed in a file or its package.
func (f *file) taken(name string, allowed types.Object) bool {
	if f.Pkg.Scope().Lookup(name) != nil {
		return true
	}
	for path, used := range f.imports.names {
		if used == name && (allowed == nil || f.imported(path) != name) {
			return true
		}
	}
	found := false
	ast.Inspect(f.ast, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name != name {
			return !found
		}
		switch obj := f.TypesInfo.Defs[id]; obj := obj.(type) {
		case nil:
		case *types.Var:
			found = found || !obj.IsField()
		case *types.Func:
			found = found || obj.Signature().Recv() == nil
		default:
			found = true
		}
		return !found
	})
	if found {
		return true
	}
	for _, spec := range f.ast.Imports {
		if used := f.TypesInfo.PkgNameOf(spec); used != nil && used.Name() == name && types.Object(used) != allowed {
			return !f.unused(used)
		}
	}
	return false
}

// unused says whether the edits of a file remove every use of an import. The
// uses of a dot import are those of what it declares.
func (f *file) unused(name *types.PkgName) bool {
	uses := 0
	for id, obj := range f.TypesInfo.Uses {
		used := obj == types.Object(name) ||
			name.Name() == "." && obj.Pkg() == name.Imported() && obj.Parent() == name.Imported().Scope()
		if used && f.ast.FileStart <= id.Pos() && id.Pos() < f.ast.FileEnd {
			uses++
		}
	}
	return uses > 0 && f.dropped[name] >= uses
}

// importEdits adds what the edits need and removes what they leave unused. A new
// import takes the line of one that goes, so that it stands in the same group.
func (f *file) importEdits() []analysis.TextEdit {
	var edits []analysis.TextEdit
	added := make([]string, 0, len(f.imports.added))
	for _, path := range f.imports.added {
		spec := strconv.Quote(path)
		if name := f.imports.names[path]; name != short(path) {
			spec = name + " " + spec
		}
		added = append(added, spec)
	}
	for _, spec := range f.ast.Imports {
		name := f.TypesInfo.PkgNameOf(spec)
		switch {
		case name == nil || !f.unused(name):
		case len(added) > 0 && importPath(spec) == recordPath:
			edits = append(edits, analysis.TextEdit{Pos: spec.Pos(), End: spec.End(), NewText: []byte(f.join(spec, added))})
			added = nil
		default:
			edits = append(edits, f.removal(spec))
		}
	}
	if len(added) > 0 {
		edits = append(edits, f.addition(added))
	}
	return edits
}

// join renders import specs that take the place of one.
func (f *file) join(spec *ast.ImportSpec, specs []string) string {
	if decl := f.importDecl(spec); decl != nil && !decl.Lparen.IsValid() {
		return strings.Join(specs, "\nimport ")
	}
	return strings.Join(specs, "\n\t")
}

func (f *file) importDecl(spec *ast.ImportSpec) *ast.GenDecl {
	for _, decl := range f.ast.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.IMPORT && slices.Contains(gen.Specs, ast.Spec(spec)) {
			return gen
		}
	}
	return nil
}

// removal deletes an import with its line.
func (f *file) removal(spec *ast.ImportSpec) analysis.TextEdit {
	decl := f.importDecl(spec)
	if decl != nil && (!decl.Lparen.IsValid() || len(decl.Specs) == 1) {
		return analysis.TextEdit{Pos: decl.Pos(), End: decl.End()}
	}
	from, to := spec.Pos(), spec.End()
	if spec.Doc != nil {
		from = spec.Doc.Pos()
	}
	if spec.Comment != nil {
		to = spec.Comment.End()
	}
	tokenFile := f.Fset.File(spec.Pos())
	line := tokenFile.Line(from)
	if last := tokenFile.Line(to); last < tokenFile.LineCount() {
		return analysis.TextEdit{Pos: tokenFile.LineStart(line), End: tokenFile.LineStart(last + 1)}
	}
	return analysis.TextEdit{Pos: from, End: to}
}

// addition puts imports after the last one that is not of the standard library.
func (f *file) addition(specs []string) analysis.TextEdit {
	var after *ast.ImportSpec
	for _, spec := range f.ast.Imports {
		if name := f.TypesInfo.PkgNameOf(spec); name != nil && f.unused(name) {
			continue // it goes
		}
		first, _, _ := strings.Cut(importPath(spec), "/")
		if after == nil || strings.Contains(first, ".") {
			after = spec
		}
	}
	if after == nil {
		text := "\n\nimport (\n\t" + strings.Join(specs, "\n\t") + "\n)"
		return analysis.TextEdit{Pos: f.ast.Name.End(), End: f.ast.Name.End(), NewText: []byte(text)}
	}
	at := after.End()
	if after.Comment != nil {
		at = after.Comment.End()
	}
	sep := "\n\t"
	if decl := f.importDecl(after); decl != nil && !decl.Lparen.IsValid() {
		sep = "\nimport "
	}
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte(sep + strings.Join(specs, sep))}
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return path
}
