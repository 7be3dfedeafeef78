// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package call gives calls of recorders, and the methods and interfaces with their shape, the shape of the events API.
// It finds the action, the related object and the note of each.
package call

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// Package is the rewrite of the calls and methods of one package.
type Package struct {
	*border.Package
	Chosen []Chosen

	actions map[string]string                // that are given, by Chosen.Reason
	choices map[*ast.CallExpr]actions.Choice // of all calls
	noted   []noted                          // what is recorded
	helpers map[*types.Func]*helper          // nil for a function that is none
	passed  map[*ast.CallExpr]*helper        // the calls that record what the callers of a helper pass
}

// New returns a rewrite with these actions, or ByCall, of reasons and functions, as Chosen has them. It chooses those of all
// others: the server refuses an Event without one.
func New(b *border.Package, given map[string]string) *Package {
	return &Package{
		Package: b,
		actions: given,
		choices: map[*ast.CallExpr]actions.Choice{},
		helpers: map[*types.Func]*helper{},
		passed:  map[*ast.CallExpr]*helper{},
	}
}

// file is the rewrite of one file.
type file struct {
	*plan.File
	*Package
}

// Rewrite gives the calls in a file, and the methods and interfaces that it declares, the new shape.
func (p *Package) Rewrite(f *plan.File) {
	file := &file{f, p}
	file.shapes()
	file.calls()
	file.mocks()
}

// call is one call of an old recorder's method, with the positions of its
// arguments.
type call struct {
	recording
	sel    *ast.SelectorExpr
	method api.Method
	fn     *types.Func
}

// calls gives calls of the old recorder the new shape, and those of helpers their action.
func (f *file) calls() {
	f.Calls(func(expr *ast.CallExpr, around *ast.FuncDecl) {
		if c, ok := f.oldCall(expr, around); ok && c.note != nil {
			f.call(c)
		} else if r, ok := f.recording(expr, around); ok {
			f.passAction(r)
		}
	})
}

// oldCall returns the call of a method that gets the new shape, and false for any other call.
func (f *file) oldCall(expr *ast.CallExpr, function *ast.FuncDecl) (call, bool) {
	sel, ok := ast.Unparen(expr.Fun).(*ast.SelectorExpr)
	if !ok {
		return call{}, false
	}
	fn, ok := f.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || !f.Changes(fn) || api.IsNamed(fn, api.Record, fn.Name()) && f.OfReceiver(sel) != border.NewSide {
		return call{}, false
	}
	c := call{
		recording: recording{CallExpr: expr, function: function, object: expr.Args[0], kind: f.kind(expr.Args[0])},
		sel:       sel,
		method:    api.OldShape(fn),
		fn:        fn,
	}
	c.arguments()
	return c, true
}

// arguments finds the reason and the note. There are none if the call hands on what another call returns.
func (c *call) arguments() {
	at := 2 // of the reason, after object and type
	if c.method == api.AnnotatedEventf {
		at++
	}
	if len(c.Args) >= at+2 {
		c.reason, c.note = c.Args[at], c.Args[at+1]
	}
}

func (f *file) call(c call) {
	pl := f.Place(c, plan.Call, "").About(string(c.method))
	related := f.related(c)
	action := f.action(c.recording)
	pl.Message("%s becomes Eventf with action %s", c.method, action)
	switch {
	case c.method == api.Event:
		pl.Replace(c.sel.Sel.Pos(), c.sel.Sel.End(), string(api.Eventf))
	case c.method == api.AnnotatedEventf && api.IsNamed(c.fn, api.Record, c.fn.Name()):
		f.annotated(c, pl)
	}
	f.insertAfter(c, pl, 0, related)
	f.note(c, pl)
	f.insertAction(c, pl, action)
	f.record(c)
}

// annotated gives a call with annotations its form. The events API has them
// beside its recorder and not every recorder takes them; the SDK's function asks.
func (f *file) annotated(c call, pl *plan.Place) {
	if f.Target != api.SDK {
		f.Keep(c, "annotations reach recorders that take them: "+
			"client-go's and controller-runtime's do from client-go v0.37.0 on")
	}
	space := ""
	if f.OwnLine(c.CallExpr, 0) {
		space = "\n"
	}
	pl.Insert(c.sel.X.Pos(), f.Imports.Name(api.Events)+"."+string(api.AnnotatedEventf)+"("+space)
	f.ReplaceBetween(pl, c.sel.X.End(), c.Args[0].Pos(), f.Promotion(c.sel)+","+cmp.Or(space, " "))
}

// note makes sure that a plain message never becomes a format.
func (f *file) note(c call, pl *plan.Place) {
	space := " "
	if f.OwnLine(c.CallExpr, slices.Index(c.Args, c.note)) {
		space = "\n"
	}
	if sprintf, ok := f.sprintf(c); ok {
		f.ReplaceBetween(pl, sprintf.Pos(), sprintf.Args[0].Pos(), "")
		f.dropEnd(c, sprintf, pl)
		if space == "\n" {
			f.breakBetween(pl, sprintf.Args)
		}
		f.Imports.Drop(sprintf.Fun)
		return
	}
	value := f.TypesInfo.Types[c.note].Value
	switch {
	case c.method == api.Event && (value == nil || strings.Contains(constant.StringVal(value), "%")),
		c.method != api.Event && value == nil && c.note == c.Args[len(c.Args)-1] && f.isText(c.note):
		pl.Insert(c.note.Pos(), `"%s",`+space)
	}
}

// dropEnd removes the end of an inner call, which is the last argument of another one. If the rest of a line there is a
// comment, the comma in front of it stays, and takes the place of one behind the inner call.
func (f *file) dropEnd(c call, inner *ast.CallExpr, pl *plan.Place) {
	end := inner.Args[len(inner.Args)-1].End()
	if inner.Ellipsis.IsValid() {
		end = inner.Ellipsis + token.Pos(len("..."))
	}
	comments := f.CommentsBetween(end, inner.Rparen)
	if !slices.ContainsFunc(comments, isLineComment) {
		f.ReplaceBetween(pl, end, inner.End(), "")
		return
	}
	from, to := inner.Rparen, inner.End()
	if comma := strings.Index(f.Between(to, c.Rparen), ","); comma >= 0 {
		to += token.Pos(comma + 1)
	}
	if f.Line(to) < f.Line(c.Rparen) { // it is the last of its line
		from = comments[len(comments)-1].End()
	}
	pl.Replace(from, to, "")
}

func isLineComment(comment *ast.Comment) bool { return strings.HasPrefix(comment.Text, "//") }

// sprintf is the fmt.Sprintf that makes a note, if its format and arguments can
// take the note's place.
func (f *file) sprintf(c call) (*ast.CallExpr, bool) {
	inner, ok := ast.Unparen(c.note).(*ast.CallExpr)
	if !ok || inner != c.note || c.note != c.Args[len(c.Args)-1] || len(inner.Args) == 0 {
		return nil, false
	}
	format := f.TypesInfo.Types[inner.Args[0]].Value != nil || len(inner.Args) > 1
	return inner, format && api.IsNamed(f.Callee(inner), "fmt", "Sprintf")
}

// isText reports whether an expression is text that was made, such as an error's,
// and not a format that was handed in.
func (f *file) isText(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return !f.TypesInfo.Types[e.Fun].IsType()
	case *ast.BinaryExpr:
		return f.isText(e.X) || f.isText(e.Y)
	}
	return false
}
