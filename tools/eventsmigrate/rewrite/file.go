// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// file collects the edits of one file, place by place.
type file struct {
	*pass
	ast     *ast.File
	frozen  bool
	places  []*place
	edited  map[ast.Node]bool    // what already has an edit of its own
	dropped map[types.Object]int // uses of an import that the edits remove
	imports importPlan
}

// place is one diagnostic: something that is rewritten, or needs a human.
type place struct {
	at       ast.Node
	category string
	message  string
	edits    []analysis.TextEdit
}

func newFile(p *pass, f *ast.File) *file {
	return &file{
		pass: p, ast: f, frozen: p.config.frozen(p.Fset.Position(f.FileStart).Filename),
		edited: map[ast.Node]bool{}, dropped: map[types.Object]int{},
	}
}

// rewrite begins a place that is rewritten.
func (f *file) rewrite(at ast.Node, category, format string, args ...any) *place {
	pl := &place{at: at, category: category, message: fmt.Sprintf(format, args...)}
	f.places = append(f.places, pl)
	return pl
}

// leave reports a place that needs a human.
func (f *file) leave(at ast.Node, category, format string, args ...any) {
	f.places = append(f.places, &place{at: at, category: category, message: fmt.Sprintf(format, args...)})
}

func (pl *place) replace(from, to token.Pos, text string) *place {
	pl.edits = append(pl.edits, analysis.TextEdit{Pos: from, End: to, NewText: []byte(text)})
	return pl
}

func (pl *place) insert(at token.Pos, text string) *place { return pl.replace(at, at, text) }

// wrapReceiver puts a call around what a method is selected from: around the
// embedded field if the method is promoted, which alone has all of its methods.
func (f *file) wrapReceiver(pl *place, sel *ast.SelectorExpr, function string) *place {
	return pl.insert(sel.X.Pos(), function+"(").insert(sel.X.End(), f.promotion(sel)+")")
}

// promotion is the path to the embedded field that a method is promoted from.
func (f *file) promotion(sel *ast.SelectorExpr) (path string) {
	if selection := f.TypesInfo.Selections[sel]; selection != nil {
		for _, field := range embeddedFields(selection) {
			path += "." + field.Name()
		}
	}
	return path
}

// wrap puts a call around an expression.
func (pl *place) wrap(e ast.Expr, function string) *place {
	return pl.insert(e.Pos(), function+"(").insert(e.End(), ")")
}

// text is the source of a node.
func (f *file) text(n ast.Node) string {
	src, err := f.ReadFile(f.Fset.Position(f.ast.FileStart).Filename)
	if err != nil {
		return ""
	}
	from, to := f.Fset.PositionFor(n.Pos(), false).Offset, f.Fset.PositionFor(n.End(), false).Offset
	return string(src[from:to])
}

// report sends the places in the order of the file. The import edits go with the
// first place that has edits, since every one of them may need an import.
func (f *file) report() {
	slices.SortStableFunc(f.places, func(a, b *place) int { return int(a.at.Pos() - b.at.Pos()) })
	first := slices.IndexFunc(f.places, func(pl *place) bool { return len(pl.edits) > 0 })
	if first >= 0 {
		f.places[first].edits = append(f.places[first].edits, f.importEdits()...)
	}
	for _, pl := range f.places {
		d := analysis.Diagnostic{Pos: pl.at.Pos(), End: pl.at.End(), Category: pl.category, Message: pl.message}
		if len(pl.edits) > 0 {
			d.SuggestedFixes = []analysis.SuggestedFix{{Message: pl.message, TextEdits: pl.edits}}
		}
		f.Report(d)
	}
}

// dropName notes that an edit removes the package name of a qualified
// identifier, or a name that a dot import declares.
func (f *file) dropName(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			if name, ok := f.TypesInfo.Uses[x].(*types.PkgName); ok {
				f.dropped[name]++
			}
		}
	case *ast.Ident:
		for _, spec := range f.ast.Imports {
			name := f.TypesInfo.PkgNameOf(spec)
			if name != nil && name.Name() == "." && f.TypesInfo.Uses[e].Pkg() == name.Imported() {
				f.dropped[name]++
			}
		}
	}
}

func short(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
