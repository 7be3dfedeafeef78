// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// insertAfter adds an argument after another one: on a line of its own if that has its own, too.
func (f *file) insertAfter(c call, pl *plan.Place, i int, text string) {
	if f.OwnLine(c.CallExpr, i) {
		pl.InsertFirst(c.Args[i+1].Pos(), text+",\n") // after a comment
	} else {
		pl.Insert(c.Args[i].End(), ", "+text)
	}
}

// insertAction adds the action after the reason, when all other edits of the call are known. A line that gets too long is
// broken as the file breaks its calls.
func (f *file) insertAction(c call, pl *plan.Place, action string) {
	at := slices.Index(c.Args, c.reason)
	rest, whole := f.width(c, pl)
	switch names := len(", " + action); {
	case f.OwnLine(c.CallExpr, at), whole+names <= f.Columns():
		f.insertAfter(c, pl, at, action)
	case f.Line(c.Lparen) == f.Line(c.Rparen) && f.BreaksAll():
		f.insertAfter(c, pl, at, action)
		f.breakAll(c, pl)
	default:
		f.breakLine(c, pl, action, whole-rest, rest)
	}
}

// breakLine breaks a line whose parts up to the reason and behind it are so long: after the action, else before the reason
// or the type, else behind each argument. Reason and action are never alone on a line.
func (f *file) breakLine(c call, pl *plan.Place, action string, upTo, rest int) {
	at := slices.Index(c.Args, c.reason)
	names, limit := len(", "+action), f.Columns()
	before, _ := f.LineText(c.Pos())
	indent := plan.Width(before[:len(before)-len(strings.TrimLeft(before, "\t"))] + "\t")
	ends := f.Line(c.reason.End()) < f.Line(c.note.Pos())
	if upTo+names <= limit {
		f.breakAfter(c, pl, action)
		return
	}
	fits := func(start, behind int) bool {
		return f.Line(c.Args[start-1].End()) == f.Line(c.Args[start].Pos()) &&
			upTo-int(c.reason.End()-c.Args[start-1].End()) < limit &&
			indent+int(c.reason.End()-c.Args[start].Pos())+names+behind <= limit
	}
	breakBefore := func(start int) {
		f.ReplaceBetween(pl, c.Args[start-1].End(), c.Args[start].Pos(), ",\n")
	}
	switch {
	case !ends && fits(at, rest):
		breakBefore(at)
		f.insertAfter(c, pl, at, action)
	case !ends && fits(at-1, rest):
		breakBefore(at - 1)
		f.insertAfter(c, pl, at, action)
	case fits(at-1, 0):
		breakBefore(at - 1)
		f.breakAfter(c, pl, action)
	default:
		f.insertAfter(c, pl, at, action)
		f.breakAll(c, pl)
	}
}

// breakAfter adds the action as the last argument of the line.
func (f *file) breakAfter(c call, pl *plan.Place, action string) {
	if f.Line(c.reason.End()) < f.Line(c.note.Pos()) {
		pl.Insert(c.reason.End(), ", "+action)
	} else {
		f.ReplaceBetween(pl, c.reason.End(), c.note.Pos(), ", "+action+",\n")
	}
}

// breakAll gives each argument of a call a line of its own.
func (f *file) breakAll(c call, pl *plan.Place) {
	first := c.Lparen + 1
	if c.method == api.AnnotatedEventf && api.IsNamed(c.fn, api.Record, c.fn.Name()) {
		first = c.sel.X.Pos() // the first argument of the SDK's function
	}
	pl.Break(first, c.Rparen)
	if f.Line(c.Lparen) == f.Line(c.Args[0].Pos()) {
		pl.Insert(first, "\n")
	}
	f.breakBetween(pl, c.Args)
	if sprintf, ok := f.sprintf(c); ok {
		f.breakBetween(pl, sprintf.Args)
	}
	if f.Line(c.Args[len(c.Args)-1].End()) == f.Line(c.Rparen) {
		pl.Insert(c.Rparen, ",\n")
	}
}

// breakBetween breaks the lines between arguments.
func (f *file) breakBetween(pl *plan.Place, args []ast.Expr) {
	for i, arg := range args[1:] {
		if before := args[i]; f.Line(before.End()) == f.Line(arg.Pos()) {
			f.ReplaceBetween(pl, before.End(), arg.Pos(), ",\n")
		}
	}
}

// width is how long the line with the end of a call's reason gets, and the part of it behind the reason.
func (f *file) width(c call, pl *plan.Place) (behind, whole int) {
	end := c.reason.End()
	before, after := f.Statement(end)
	behind = plan.Width(after) + pl.Growth(end, end+token.Pos(len(after)))
	return behind, plan.Width(before) + pl.Growth(end-token.Pos(len(before)), end-1) + behind
}
