// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package imports edits the imports of files: it adds what other edits refer to, under names that are free, and removes
// what they leave unused.
package imports

import (
	"go/ast"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// Package has the imports of the files of one package, which prefer the same names.
type Package struct {
	pass  *analysis.Pass
	own   func(path string) bool
	files []*File
}

// New returns the imports of a package without files. Own reports which paths are migrated together; they have a group
// of their own in many files.
func New(pass *analysis.Pass, own func(path string) bool) *Package {
	return &Package{pass: pass, own: own}
}

// File has the imports of a file, and what its edits need and leave unused.
type File struct {
	*Package
	ast     *ast.File
	frozen  bool
	names   map[string]string    // by path, of what the edits refer to
	added   []string             // paths, in the order in which they were asked for
	dropped map[types.Object]int // uses of an import that the edits remove
}

// Add adds a file. A frozen one gets no new names, so those that are taken there are free elsewhere.
func (p *Package) Add(f *ast.File, frozen bool) *File {
	file := &File{
		Package: p, ast: f, frozen: frozen, names: map[string]string{}, dropped: map[types.Object]int{},
	}
	p.files = append(p.files, file)
	return file
}

// Name returns the name under which the edits of a file refer to a package, and
// makes sure that it is imported. A name that something else has anywhere in the
// file is not taken, since an edit may stand in its scope.
func (f *File) Name(path string) string {
	if name, ok := f.names[path]; ok {
		return name
	}
	name := f.imported(path)
	if name == "" {
		name = f.freeName(path)
		f.added = append(f.added, path)
	}
	f.names[path] = name
	return name
}

// Used returns the name under which the edits refer to a package, or "".
func (f *File) Used(path string) string { return f.names[path] }

// Drop notes that an edit removes the package name of a qualified
// identifier, or a name that a dot import declares.
func (f *File) Drop(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			if name, ok := f.pass.TypesInfo.Uses[x].(*types.PkgName); ok {
				f.dropped[name]++
			}
		}
	case *ast.Ident:
		obj := f.pass.TypesInfo.Uses[e]
		for _, spec := range f.ast.Imports {
			name := f.pass.TypesInfo.PkgNameOf(spec)
			if name != nil && name.Name() == "." && obj != nil && obj.Pkg() == name.Imported() {
				f.dropped[name]++
			}
		}
	}
}

// allUses is more than the uses of any import.
const allUses = math.MaxInt / 2

// Swap puts the import of a package in the place of that of another one, which has the same name and the same names.
func (f *File) Swap(old, new string) {
	for _, spec := range f.ast.Imports {
		if importPath(spec) != old || slices.Contains(f.added, new) {
			continue
		}
		name := f.pass.TypesInfo.PkgNameOf(spec)
		f.dropped[name] = allUses
		f.names[new] = name.Name()
		f.added = append(f.added, new)
	}
}

// imported is the name under which a file already imports a package, or "".
func (f *File) imported(path string) string {
	for _, spec := range f.ast.Imports {
		if importPath(spec) != path {
			continue
		}
		name := f.pass.TypesInfo.PkgNameOf(spec)
		if name != nil && name.Name() != "_" && name.Name() != "." && f.free(name.Name(), path) {
			return name.Name()
		}
	}
	return ""
}

// alias is the name for a package whose own name is taken.
func alias(path string) string {
	switch path {
	case api.ClientEvents:
		return "clientevents"
	case api.Events:
		return "eventseries"
	}
	return "eventseries" + base(path)
}

// freeName is a name for a package that is not imported yet: if possible, the one that it has in the other files of
// the package, or can have in all of them. The name in production code does not depend on the tests.
func (f *File) freeName(path string) string {
	var names []string
	files := slices.DeleteFunc(slices.Clone(f.files), func(other *File) bool { return other.isTest() && !f.isTest() })
	for _, other := range files {
		if name := other.imported(path); name != "" {
			names = append(names, name)
		}
	}
	for _, name := range append(names, base(path), alias(path)) {
		if f.free(name, path) && !slices.ContainsFunc(files, func(other *File) bool {
			return !other.frozen && other.imported(api.Record) != "" && !other.free(name, path)
		}) {
			return name
		}
	}
	return alias(path)
}

func (f *File) isTest() bool {
	return load.IsTest(f.pass.Fset.Position(f.ast.FileStart).Filename)
}

// free reports whether a name means nothing in a file and its package, but perhaps an import of that path.
func (f *File) free(name, path string) bool {
	if f.pass.Pkg.Scope().Lookup(name) != nil || declares(f.pass.TypesInfo.Scopes[f.ast], name) {
		return false
	}
	for other, used := range f.names {
		if used == name && other != path {
			return false
		}
	}
	return !slices.ContainsFunc(f.ast.Imports, func(spec *ast.ImportSpec) bool {
		used := f.pass.TypesInfo.PkgNameOf(spec)
		return used != nil && used.Name() == name && importPath(spec) != path && !f.unused(used)
	})
}

// declares reports whether a scope or one within it declares a name, other than by an import.
func declares(scope *types.Scope, name string) bool {
	obj := scope.Lookup(name)
	if _, isImport := obj.(*types.PkgName); obj != nil && !isImport {
		return true
	}
	for within := range scope.Children() {
		if declares(within, name) {
			return true
		}
	}
	return false
}

// unused says whether the edits of a file remove every use of an import. The
// uses of a dot import are those of what it declares.
func (f *File) unused(name *types.PkgName) bool {
	if f.dropped[name] == 0 {
		return false
	}
	uses := 0
	for id, obj := range f.pass.TypesInfo.Uses {
		used := obj == types.Object(name) ||
			name.Name() == "." && obj.Pkg() == name.Imported() && obj.Parent() == name.Imported().Scope()
		if used && f.ast.FileStart <= id.Pos() && id.Pos() < f.ast.FileEnd {
			uses++
		}
	}
	return f.dropped[name] >= uses
}

func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value) // "" if it is none
	return path
}

// base is the last element of a path, which is the name of all packages that edits import.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
