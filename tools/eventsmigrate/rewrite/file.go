// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// file collects the edits of one file, place by place.
type file struct {
	*pass
	ast     *ast.File
	source  []byte
	frozen  bool
	places  []*place
	edited  map[ast.Node]bool    // what already has an edit of its own
	dropped map[types.Object]int // uses of an import that the edits remove
	removed map[ast.Node]bool    // methods that go as a whole
	imports importPlan
}

// place is one diagnostic: something that is rewritten, or needs a human.
type place struct {
	at       ast.Node
	category string
	message  string
	edits    []analysis.TextEdit
}

func newFile(p *pass, f *ast.File) (*file, error) {
	name := p.Fset.Position(f.FileStart).Filename
	source, err := p.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &file{
		pass: p, ast: f, source: source, frozen: p.config.frozen(name),
		edited: map[ast.Node]bool{}, dropped: map[types.Object]int{}, removed: map[ast.Node]bool{},
	}, nil
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

// visit calls function with every node of the file and what is around it, but for methods that go.
func (f *file) visit(function func(n ast.Node, stack []ast.Node)) {
	ast.PreorderStack(f.ast, nil, func(n ast.Node, stack []ast.Node) bool {
		if f.removed[n] {
			return false
		}
		function(n, stack)
		return true
	})
}

// text is the source of a node.
func (f *file) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *file) offset(pos token.Pos) int { return f.Fset.PositionFor(pos, false).Offset }

// lineStart is the offset of the line of a position.
func (f *file) lineStart(pos token.Pos) int {
	return bytes.LastIndexByte(f.source[:f.offset(pos)], '\n') + 1
}

// lineText is the source of the line of a position.
func (f *file) lineText(pos token.Pos) string {
	line, _, _ := bytes.Cut(f.source[f.lineStart(pos):], []byte("\n"))
	return string(line)
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
			if name != nil && name.Name() == "." && isFrom(f.TypesInfo.Uses[e], name.Imported()) {
				f.dropped[name]++
			}
		}
	}
}

func isFrom(obj types.Object, pkg *types.Package) bool { return obj != nil && obj.Pkg() == pkg }

func short(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// callee is what a call calls, or nil.
func (f *file) callee(call *ast.CallExpr) types.Object { return typeutil.Callee(f.TypesInfo, call) }
