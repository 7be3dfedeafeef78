// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/constant"
	"go/types"
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
	ast.PreorderStack(f.ast, nil, func(n ast.Node, stack []ast.Node) bool {
		expr, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(expr.Fun).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		fn, ok := f.TypesInfo.Uses[sel.Sel].(*types.Func)
		if !ok || !f.changes(fn) || isNamed(fn, recordPath, fn.Name()) && f.ofReceiver(sel) != newSide {
			return true
		}
		c := call{CallExpr: expr, sel: sel, method: oldShape(fn), fn: fn, function: enclosing(stack)}
		if !c.arguments() || f.TypesInfo.Selections[sel] == nil {
			f.forwarded(c)
			return true
		}
		f.call(c)
		return true
	})
}

func enclosing(stack []ast.Node) *ast.FuncDecl {
	for _, n := range stack {
		if fn, ok := n.(*ast.FuncDecl); ok {
			return fn
		}
	}
	return nil
}

// arguments finds the reason and the note; false if the call hands on what
// another call returns.
func (c *call) arguments() bool {
	at := 2 // of the reason, after object and type
	if c.method == annotatedf {
		at++
	}
	if len(c.Args) < at+2 {
		return false
	}
	c.reason, c.note = c.Args[at], c.Args[at+1]
	return true
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
	pl.insert(c.Args[0].End(), ", "+related)
	pl.insert(c.reason.End(), ", "+action)
	f.note(c, pl)
}

// annotated gives a call with annotations its form. The events API has them
// beside its recorder and not every recorder takes them; the SDK's function asks.
func (f *file) annotated(c call, pl *place) {
	if f.config.target() != SDK {
		f.keep(c, "annotations reach recorders that take them: client-go's and controller-runtime's do from client-go v0.37.0 on")
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
