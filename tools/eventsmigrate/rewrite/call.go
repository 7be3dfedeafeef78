// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// call is one call of an old recorder's method, with the positions of its
// arguments.
type call struct {
	*ast.CallExpr
	sel      *ast.SelectorExpr
	method   method
	fn       *types.Func
	function *ast.FuncDecl // around it, or nil
	reason   ast.Expr
	note     ast.Expr
}

// calls gives calls of the old recorder the new shape.
func (f *file) calls() {
	f.visit(func(n ast.Node, stack []ast.Node) {
		expr, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		c, ok := f.oldCall(expr, enclosing(stack))
		switch {
		case !ok:
		case c.note == nil || f.TypesInfo.Selections[c.sel] == nil:
			f.forwarded(c)
		default:
			f.call(c)
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
	if !ok || !f.changes(fn) || isNamed(fn, recordPath, fn.Name()) && f.ofReceiver(sel) != newSide {
		return call{}, false
	}
	c := call{CallExpr: expr, sel: sel, method: oldShape(fn), fn: fn, function: function}
	c.arguments()
	return c, true
}

func enclosing(stack []ast.Node) *ast.FuncDecl {
	for _, n := range stack {
		if fn, ok := n.(*ast.FuncDecl); ok {
			return fn
		}
	}
	return nil
}

// arguments finds the reason and the note. There are none if the call hands on what another call returns.
func (c *call) arguments() {
	at := 2 // of the reason, after object and type
	if c.method == annotatedf {
		at++
	}
	if len(c.Args) >= at+2 {
		c.reason, c.note = c.Args[at], c.Args[at+1]
	}
}

// forwarded keeps a call whose arguments cannot be told apart.
func (f *file) forwarded(c call) {
	if f.TypesInfo.Selections[c.sel] == nil {
		f.leave(c, "call", "a method expression of the old recorder: write a function literal that calls Eventf")
		return
	}
	pl := f.rewrite(c, "call", "the arguments come from another call: it keeps the old shape through legacy.AsLegacy")
	f.wrapReceiver(pl, c.sel, f.pkg(sdkLegacy)+".AsLegacy")
}

func (f *file) call(c call) {
	action, related := f.action(c), f.related(c)
	pl := f.rewrite(c, "call", "%s becomes Eventf with action %s", c.method, action)
	switch {
	case c.method == event:
		pl.replace(c.sel.Sel.Pos(), c.sel.Sel.End(), string(eventf))
	case c.method == annotatedf && isNamed(c.fn, recordPath, c.fn.Name()):
		f.annotated(c, pl)
	}
	at := slices.Index(c.Args, c.reason)
	f.insertAfter(c, pl, 0, related)
	own := f.ownLine(c, at)
	if own {
		f.insertAfter(c, pl, at, action)
	}
	f.note(c, pl)
	if !own && f.width(c, pl)+len(", "+action) > maxColumns {
		pl.replace(c.reason.End(), c.note.Pos(), ", "+action+",\n")
	} else if !own {
		f.insertAfter(c, pl, at, action)
	}
	f.record(c, action)
}

// insertAfter adds an argument after another one: on a line of its own if that has its own, too.
func (f *file) insertAfter(c call, pl *place, i int, text string) {
	if f.ownLine(c, i) {
		pl.insert(c.Args[i+1].Pos(), text+",\n") // after a comment
	} else {
		pl.insert(c.Args[i].End(), ", "+text)
	}
}

// ownLine reports whether an argument, which is not the last one, has a line for itself.
func (f *file) ownLine(c call, i int) bool {
	before := c.Lparen
	if i > 0 {
		before = c.Args[i-1].End()
	}
	return f.line(before) < f.line(c.Args[i].Pos()) && f.line(c.Args[i].End()) < f.line(c.Args[i+1].Pos())
}

// maxColumns is how long a line may get. A tab counts as four columns.
const maxColumns = 120

func (f *file) line(pos token.Pos) int { return f.Fset.PositionFor(pos, false).Line }

// width is how long the line of a call gets, and 0 if the call has several lines.
func (f *file) width(c call, pl *place) int {
	if f.line(c.Pos()) != f.line(c.End()) {
		return 0
	}
	text := f.lineText(c.Pos())
	if comment := strings.Index(text, "//"); comment >= 0 && f.offset(c.End()) <= f.lineStart(c.Pos())+comment {
		text = strings.TrimRight(text[:comment], " \t")
	}
	width := len(text) + 3*strings.Count(text, "\t")
	for _, edit := range pl.edits {
		width += len(edit.NewText) - int(edit.End-edit.Pos)
	}
	return width
}

// annotated gives a call with annotations its form. The events API has them
// beside its recorder and not every recorder takes them; the SDK's function asks.
func (f *file) annotated(c call, pl *place) {
	if f.config.target() != SDK {
		f.keep(c, "annotations reach recorders that take them: "+
			"client-go's and controller-runtime's do from client-go v0.37.0 on")
	}
	pl.insert(c.sel.X.Pos(), f.pkg(sdkEvents)+"."+string(annotatedf)+"(")
	pl.replace(c.sel.X.End(), c.Args[0].Pos(), f.promotion(c.sel)+", ")
}

// note makes sure that a plain message never becomes a format.
func (f *file) note(c call, pl *place) {
	if sprintf, ok := f.sprintf(c); ok {
		last := sprintf.Args[len(sprintf.Args)-1]
		pl.replace(sprintf.Pos(), sprintf.Args[0].Pos(), "").replace(last.End(), sprintf.End(), "")
		f.dropName(sprintf.Fun)
		return
	}
	value := f.TypesInfo.Types[c.note].Value
	switch {
	case c.method == event && (value == nil || strings.Contains(constant.StringVal(value), "%")),
		c.method != event && value == nil && c.note == c.Args[len(c.Args)-1] && f.isText(c.note):
		pl.insert(c.note.Pos(), `"%s", `)
	}
}

// sprintf is the fmt.Sprintf that makes a note, if its format and arguments can
// take the note's place.
func (f *file) sprintf(c call) (*ast.CallExpr, bool) {
	inner, ok := ast.Unparen(c.note).(*ast.CallExpr)
	if !ok || inner != c.note || c.note != c.Args[len(c.Args)-1] || inner.Ellipsis.IsValid() || len(inner.Args) == 0 {
		return nil, false
	}
	fn, ok := typeutil.Callee(f.TypesInfo, inner).(*types.Func)
	if !ok || !isNamed(fn, "fmt", "Sprintf") || f.TypesInfo.Types[inner.Args[0]].Value == nil {
		return nil, false
	}
	return inner, true
}

// isText says whether an expression is text that was made, such as an error's,
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
