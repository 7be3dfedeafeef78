// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package plan collects the edits of files, place by place, and reports them as diagnostics.
package plan

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/imports"
)

// Categories of places. A report calls them rules. Without edits, a place of any but Kept needs a human.
const (
	Call        = "call"        // a call that records; the subject is the method of the old API
	Shape       = "shape"       // what records, where it is declared, and calls of helpers that record
	Type        = "type"        // the name of a type
	Constructor = "constructor" // what makes a broadcaster, a recorder or a fake
	Manager     = "manager"     // where controller-runtime's manager makes a recorder of the old API
	Wiring      = "wiring"      // what makes a recorder or a broadcaster of tools/events
	Unused      = "unused"      // what nothing needs any more
	Comment     = "comment"     // a comment about what changes

	ToOld = "to-old" // a value of the new API that is converted to the old one
	ToNew = "to-new" // a value of the old API that is converted to the new one

	Leftover  = "leftover"   // a name of the old API that stays, and should not
	Old       = "old"        // a recorder that still writes core/v1; the subject is the module that has to move first
	Mock      = "mock"       // a mock that somebody has to generate anew, or to replace
	Stub      = "stub"       // a recorder that stays, because a test passes a mock or a stub of the manager
	Unstarted = "unstarted"  // a recorder that stays, because nothing starts its manager
	NoManager = "no-manager" // a recorder that stays, because only a manager can run an adapter
	Notes     = "notes"      // notes that may differ and become one Event; somebody has to decide

	// Annotations do not pass through a struct any more, which matters if something annotates Events.
	Annotations = "annotations"

	Kept = "kept" // what rightly stays with the old API; the subject is the package whose function takes a recorder
)

// File is the plan for one file.
type File struct {
	*analysis.Pass
	AST     *ast.File
	Frozen  bool // it keeps its old types, and is only bridged
	Imports *imports.File

	source  []byte
	columns func() (columns int, limited bool)
	places  []*Place
	edited  map[ast.Node]bool
	gone    map[*ast.Ident]bool // those in a part that Remove has noted
}

// Place is one diagnostic: something that is rewritten, or needs a human.
type Place struct {
	at       ast.Node
	category string
	message  string
	subject  string
	edits    []analysis.TextEdit
}

// NewFile returns an empty plan.
func NewFile(p *analysis.Pass, f *ast.File, all *imports.Package, frozen bool) (*File, error) {
	source, err := p.ReadFile(p.Fset.Position(f.FileStart).Filename)
	if err != nil {
		return nil, err
	}
	file := &File{
		Pass: p, AST: f, Frozen: frozen, Imports: all.Add(f, frozen), source: source,
		edited: map[ast.Node]bool{}, gone: map[*ast.Ident]bool{},
	}
	file.columns = sync.OnceValues(file.findColumns)
	return file, nil
}

// Place begins a place that is rewritten.
func (f *File) Place(at ast.Node, category, format string, args ...any) *Place {
	place := &Place{at: at, category: category, message: fmt.Sprintf(format, args...)}
	f.places = append(f.places, place)
	return place
}

// Leave reports a place that needs a human, or nobody if the category says so.
func (f *File) Leave(at ast.Node, category, format string, args ...any) *Place {
	return f.Place(at, category, format, args...)
}

// Keep notes what rightly stays old.
func (f *File) Keep(at ast.Node, format string, args ...any) { f.Leave(at, Kept, format, args...) }

// Message sets what is said of the place.
func (p *Place) Message(format string, args ...any) { p.message = fmt.Sprintf(format, args...) }

// About sets the subject of the place, which its category explains. A diagnostic has it as its only related information.
func (p *Place) About(subject string) *Place {
	p.subject = subject
	return p
}

// Replace puts a text in the place of another one.
func (p *Place) Replace(from, to token.Pos, text string) *Place {
	p.edits = append(p.edits, analysis.TextEdit{Pos: from, End: to, NewText: []byte(text)})
	return p
}

// ReplaceBetween puts a text in the place of what is between two nodes, and keeps the comments there: those before the comma
// stay before the text.
func (f *File) ReplaceBetween(p *Place, from, to token.Pos, text string) {
	var parts []analysis.TextEdit // of the code between comments
	for _, comment := range f.CommentsBetween(from, to) {
		parts = append(parts, analysis.TextEdit{Pos: from, End: comment.Pos()})
		from = comment.End()
	}
	parts = append(parts, analysis.TextEdit{Pos: from, End: to})
	code := func(part analysis.TextEdit) string { return strings.TrimSpace(f.Between(part.Pos, part.End)) }
	at := max(0, slices.IndexFunc(parts, func(part analysis.TextEdit) bool { return strings.HasPrefix(code(part), ",") }))
	for i, part := range parts {
		switch {
		case i == at:
			p.Replace(part.Pos, part.End, text)
		case code(part) != "":
			p.Replace(part.Pos, part.End, "")
		}
	}
}

// Insert puts a text between others.
func (p *Place) Insert(at token.Pos, text string) *Place { return p.Replace(at, at, text) }

// InsertFirst puts a text between others, and before what is inserted there already.
func (p *Place) InsertFirst(at token.Pos, text string) {
	p.edits = slices.Insert(p.edits, 0, analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)})
}

// Wrap puts a call around an expression.
func (p *Place) Wrap(e ast.Expr, function string) *Place {
	return p.Insert(e.Pos(), function+"(").Insert(e.End(), ")")
}

// Break puts the arguments that edits between two positions add on lines of their own.
func (p *Place) Break(from, to token.Pos) {
	for i, edit := range p.edits {
		text := string(edit.NewText)
		if from > edit.Pos || edit.Pos > to {
			continue
		}
		if rest, ok := strings.CutPrefix(text, ", "); ok {
			text = ",\n" + rest
		}
		if rest, ok := strings.CutSuffix(text, ", "); ok {
			text = rest + ",\n"
		}
		p.edits[i].NewText = []byte(text)
	}
}

// Growth is how many bytes the edits of a place add between two positions, without the lines that they put in front.
func (p *Place) Growth(from, to token.Pos) (added int) {
	for _, edit := range p.edits {
		if from <= edit.Pos && edit.Pos <= to {
			added += len(edit.NewText) - (bytes.LastIndexByte(edit.NewText, '\n') + 1) - int(edit.End-edit.Pos)
		}
	}
	return added
}

// Edited reports whether a node has an edit of its own already, which no other one may touch.
func (f *File) Edited(n ast.Node) bool { return f.edited[n] }

// MarkEdited notes that a node has an edit of its own.
func (f *File) MarkEdited(n ast.Node) { f.edited[n] = true }

// Remove notes that an edit removes a part of the file.
func (f *File) Remove(part ast.Node) {
	f.MarkEdited(part)
	ast.Inspect(part, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if id, ok := e.(*ast.Ident); ok {
			f.gone[id] = true
		}
		f.MarkEdited(e)
		f.Imports.Drop(e)
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		_, isPackage := f.TypesInfo.Uses[x].(*types.PkgName)
		return !isPackage
	})
}

// Gone reports whether Remove has noted the part that an identifier is in.
func (f *File) Gone(id *ast.Ident) bool { return f.gone[id] }

// Touched reports whether an edit takes a node away, or a diagnostic is about what it is part of.
func (f *File) Touched(n ast.Node) bool {
	within := func(from, to token.Pos) bool { return from <= n.Pos() && n.End() <= to }
	return slices.ContainsFunc(f.places, func(place *Place) bool {
		return len(place.edits) == 0 && within(place.at.Pos(), place.at.End()) ||
			slices.ContainsFunc(place.edits, func(e analysis.TextEdit) bool { return within(e.Pos, e.End) })
	})
}

// EditedNodes are what places with edits are about. What is only converted counts as unchanged.
func (f *File) EditedNodes() (all []ast.Node) {
	for _, place := range f.places {
		if len(place.edits) > 0 && place.category != ToOld && place.category != ToNew {
			all = append(all, place.at)
		}
	}
	return all
}

// EditedWithin reports whether an edit is about a part of a node.
func (f *File) EditedWithin(n ast.Node) bool {
	return slices.ContainsFunc(f.EditedNodes(), func(at ast.Node) bool {
		return n.Pos() <= at.Pos() && at.End() <= n.End()
	})
}

// Visit calls function with every node of the file and what is around it, but for declarations that go. Function
// reports whether to look into the node.
func (f *File) Visit(function func(n ast.Node, stack []ast.Node) bool) {
	ast.PreorderStack(f.AST, nil, func(n ast.Node, stack []ast.Node) bool {
		if decl, ok := n.(*ast.FuncDecl); ok && f.edited[decl] {
			return false
		}
		return function(n, stack)
	})
}

// Calls calls function with every call of the file, and with the function declaration around it or nil.
func (f *File) Calls(function func(call *ast.CallExpr, around *ast.FuncDecl)) {
	f.Visit(func(n ast.Node, stack []ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			var around *ast.FuncDecl
			if len(stack) > 1 {
				around, _ = stack[1].(*ast.FuncDecl)
			}
			function(call, around)
		}
		return true
	})
}

// Report sends the places in the order of the file. The import edits go with the
// first place that has edits, since every one of them may need an import.
func (f *File) Report() {
	slices.SortStableFunc(f.places, func(a, b *Place) int { return int(a.at.Pos() - b.at.Pos()) })
	first := slices.IndexFunc(f.places, func(place *Place) bool { return len(place.edits) > 0 })
	if first >= 0 {
		f.places[first].edits = append(f.places[first].edits, f.Imports.Edits()...)
	}
	for _, place := range f.places {
		d := analysis.Diagnostic{Pos: place.at.Pos(), End: place.at.End(), Category: place.category, Message: place.message}
		if place.subject != "" {
			d.Related = []analysis.RelatedInformation{{Pos: d.Pos, End: d.End, Message: place.subject}}
		}
		if len(place.edits) > 0 {
			d.SuggestedFixes = []analysis.SuggestedFix{{Message: place.message, TextEdits: place.edits}}
		}
		f.Pass.Report(d)
	}
}

// Text is the source of a node.
func (f *File) Text(n ast.Node) string { return f.Between(n.Pos(), n.End()) }

// CommentsBetween are the comments between two positions.
func (f *File) CommentsBetween(from, to token.Pos) (all []*ast.Comment) {
	for _, group := range f.AST.Comments {
		for _, comment := range group.List {
			if from <= comment.Pos() && comment.End() <= to {
				all = append(all, comment)
			}
		}
	}
	return all
}

// Between is the source between two positions.
func (f *File) Between(from, to token.Pos) string {
	return string(f.source[f.Offset(from):f.Offset(to)])
}

// Offset is where a position is in the file.
func (f *File) Offset(pos token.Pos) int { return f.Fset.PositionFor(pos, false).Offset }

// Line is the number of the line of a position.
func (f *File) Line(pos token.Pos) int { return f.Fset.PositionFor(pos, false).Line }

// Lines are the positions at which the lines between two positions begin and end. There must be a line after them.
func (f *File) Lines(from, to token.Pos) (begin, end token.Pos) {
	lines := f.Fset.File(from)
	return lines.LineStart(lines.Line(from)), lines.LineStart(lines.Line(to) + 1)
}

// LineText is the source of the line of a position, before and after it.
func (f *File) LineText(pos token.Pos) (before, after string) {
	at := f.Offset(pos)
	rest, _, _ := bytes.Cut(f.source[at:], []byte("\n"))
	return string(f.source[bytes.LastIndexByte(f.source[:at], '\n')+1 : at]), string(rest)
}

// IsTest reports whether only tests have the file.
func (f *File) IsTest() bool {
	return load.IsTest(f.Fset.Position(f.AST.FileStart).Filename)
}

// Callee is what a call calls, or nil.
func (f *File) Callee(call *ast.CallExpr) types.Object { return typeutil.Callee(f.TypesInfo, call) }

// Describe names a type as its users write it.
func (f *File) Describe(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }
