// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// stop is a call of Stop on what StartLogging or StartRecordingToSink returned.
type stop struct {
	use                   // the call of Stop
	started use           // what it stops
	inline  *ast.CallExpr // the started call, if Stop is called on it right there
}

// result looks at what is done with the result of a call that starts a log or a
// sink: nothing, or Stop.
func (s *survey) result(u use, part *broadcaster) {
	refuse := func() {
		part.refuse("the result of %s is not just stopped (%s)", u.method(), s.place(u.expr))
	}
	switch around := u.stack[len(u.stack)-1].(type) {
	case *ast.ExprStmt:
	case *ast.SelectorExpr:
		call, ok := u.stack[len(u.stack)-2].(*ast.CallExpr)
		_, deferred := u.stack[len(u.stack)-3].(*ast.DeferStmt)
		if !ok || !deferred || around.Sel.Name != "Stop" {
			refuse()
			return
		}
		part.stops = append(part.stops, stop{
			use: use{file: u.file, expr: call, stack: u.stack[:len(u.stack)-2]}, started: u, inline: u.call(),
		})
	case *ast.AssignStmt:
		id, ok := around.Lhs[0].(*ast.Ident)
		switch {
		case ok && len(around.Lhs) == 1 && id.Name == "_":
		case !ok || len(around.Lhs) != 1 || around.Tok != token.DEFINE || !s.stopped(u, s.TypesInfo.Defs[id], part):
			refuse()
		}
	default:
		refuse()
	}
}

// method is the name of the method that a use calls.
func (u use) method() string { return ast.Unparen(u.call().Fun).(*ast.SelectorExpr).Sel.Name }

// stopped finds the calls of Stop on a variable; false if it has another use.
func (s *survey) stopped(u use, w types.Object, part *broadcaster) bool {
	only := w != nil
	ast.PreorderStack(u.ast, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || s.TypesInfo.Uses[id] != w || len(stack) < 2 {
			return true
		}
		sel, isSel := stack[len(stack)-1].(*ast.SelectorExpr)
		call, isCall := stack[len(stack)-2].(*ast.CallExpr)
		if !isSel || !isCall || sel.Sel.Name != "Stop" || !s.visible(u.receiver(), id.Pos()) {
			only = false
			return true
		}
		part.stops = append(part.stops, stop{use: use{file: u.file, expr: call}, started: u})
		return true
	})
	return only
}

// ends says whether a stop ends the broadcaster: it stops its sink, not its log.
func (s stop) ends() bool { return s.started.method() == "StartRecordingToSink" }

// stop rewrites a Stop: a log is stopped by a function, a sink by Shutdown.
func (w *wiring) stop(s stop) {
	sel := s.call().Fun.(*ast.SelectorExpr)
	switch {
	case !s.ends():
		s.rewrite(sel.Sel, "constructor", "a log is stopped by a function").replace(sel.X.End(), sel.End(), "")
	case s.inline == nil:
		s.rewrite(sel.Sel, "constructor", "Shutdown writes what is pending and stops the sink").
			replace(sel.Pos(), sel.End(), s.started.text(s.started.receiver())+".Shutdown")
	}
}

// stoppedInline says whether Stop is called on a start right there.
func (w *wiring) stoppedInline(start use) bool {
	for _, s := range w.stops {
		if s.inline != nil && s.inline == start.call() {
			return true
		}
	}
	return false
}
