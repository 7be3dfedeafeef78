// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// move puts the statement that makes a broadcaster, and those that log it, after
// the client that it needs.
type move struct {
	maker use
	stmts []ast.Stmt // the first makes the broadcaster
	calls []*ast.CallExpr
	to    ast.Stmt // before it
}

// moveDown finds the first use of a broadcaster where its maker can stand. In
// between nothing but logging may use it.
func (w *wiring) moveDown(maker use) *move {
	stmt, list := maker.statement()
	define, ok := stmt.(*ast.AssignStmt)
	if !ok || len(w.makers) > 1 || define.Tok != token.DEFINE || len(define.Lhs) != 1 || define.Rhs[0] != maker.expr {
		return nil
	}
	obj := w.variable(define.Lhs[0])
	m := &move{maker: maker, stmts: []ast.Stmt{stmt}}
	for _, next := range list[slices.Index(list, stmt)+1:] {
		if !w.mentions(next, obj) {
			continue
		}
		if w.missing(maker, next.Pos()) == nil {
			m.to = next
			return m
		}
		call := w.logCall(next)
		if call == nil {
			return nil
		}
		m.stmts, m.calls = append(m.stmts, next), append(m.calls, call)
	}
	return nil
}

func (p *pass) mentions(n ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || p.TypesInfo.Uses[id] == obj
		}
		return !found
	})
	return found
}

// logCall is the call if a statement does nothing but log the broadcaster.
func (w *wiring) logCall(stmt ast.Stmt) *ast.CallExpr {
	expr, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	for _, u := range w.loggings {
		if u.expr == expr.X {
			return u.call()
		}
	}
	return nil
}

// apply moves the statements, of which the first gets a new right side.
func (m *move) apply(pl *place, maker string) {
	f := m.maker.file
	var text strings.Builder
	for i, stmt := range m.stmts {
		from, to := f.lines(stmt)
		comment, tail := f.source(from, stmt.Pos()), f.source(stmt.End(), to)
		pl.replace(from, to, "")
		text.WriteString(comment)
		switch {
		case i == 0:
			text.WriteString(f.source(stmt.Pos(), m.maker.expr.Pos()) + maker)
		default:
			sel := m.calls[i-1].Fun.(*ast.SelectorExpr)
			if sel.Sel.Name == "StartLogging" {
				text.WriteString(f.text(sel.X) + ".StartStructuredLogging(0)")
			} else {
				text.WriteString(f.text(stmt))
			}
		}
		text.WriteString(tail)
	}
	start, _ := f.lines(m.to)
	pl.insert(start, text.String())
}

// lines is where a statement's lines begin, with a comment right above them, and
// end.
func (f *file) lines(stmt ast.Stmt) (from, to token.Pos) {
	tokenFile := f.Fset.File(stmt.Pos())
	first, last := tokenFile.Line(stmt.Pos()), tokenFile.Line(stmt.End())
	for _, comment := range f.ast.Comments {
		line := tokenFile.Line(comment.Pos())
		if tokenFile.Line(comment.End()) == first-1 && f.startsLine(comment.Pos()) {
			first = line
		}
	}
	to = f.ast.FileEnd
	if last < tokenFile.LineCount() {
		to = tokenFile.LineStart(last + 1)
	}
	return tokenFile.LineStart(first), to
}

// startsLine says whether nothing but white space precedes a position.
func (f *file) startsLine(pos token.Pos) bool {
	return f.Fset.PositionFor(pos, false).Column-1 == len(f.indent(pos))
}

// source is the text between two positions.
func (f *file) source(from, to token.Pos) string {
	at := f.Fset.PositionFor(from, false)
	src, err := f.ReadFile(at.Filename)
	if err != nil {
		return ""
	}
	return string(src[at.Offset : at.Offset+int(to-from)])
}
