// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
)

// broadcaster is a broadcaster of the old API that a component makes by hand,
// with all that the package does with it. It is rewritten as a whole or not at
// all: a field that holds it has one type.
type broadcaster struct {
	makers    []use // NewBroadcaster
	starts    []use // StartRecordingToSink
	loggings  []use // StartLogging, StartStructuredLogging
	recorders []use // NewRecorder
	ends      []use // Shutdown
	stops     []stop
	types     []use // where its type is written
	holders   []*types.Var
	obstacle  string // why it is left as it is, "" if it is not
	foreign   bool   // another package made it
}

// use is a place where a broadcaster is used.
type use struct {
	*file
	expr  ast.Expr
	stack []ast.Node // around expr, the file first
}

// call is the call that a use is.
func (u use) call() *ast.CallExpr { return u.expr.(*ast.CallExpr) }

// receiver is what the method of a use is called on.
func (u use) receiver() ast.Expr {
	return ast.Unparen(u.call().Fun).(*ast.SelectorExpr).X
}

// function is the innermost function around a use, nil at package level.
func (u use) function() ast.Node {
	for i := len(u.stack) - 1; i >= 0; i-- {
		switch u.stack[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return u.stack[i]
		}
	}
	return nil
}

// statement is the innermost statement around a use, and the list it is in.
func (u use) statement() (ast.Stmt, []ast.Stmt) {
	inner := ast.Node(u.expr)
	for i := len(u.stack) - 1; i >= 0; i-- {
		stmt, isStmt := inner.(ast.Stmt)
		switch around := u.stack[i].(type) {
		case *ast.BlockStmt:
			if isStmt {
				return stmt, around.List
			}
		case *ast.CaseClause:
			if isStmt {
				return stmt, around.Body
			}
		}
		inner = u.stack[i]
	}
	return nil, nil
}

// isTest says whether a file is part of a test: what it makes, the test ends.
func (f *file) isTest() bool { return isTestFile(f.Fset.Position(f.ast.FileStart).Filename) }

// place is where a node is, for a message about something else.
func (p *pass) place(n ast.Node) string {
	at := p.Fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

// refuse notes the first reason why a broadcaster is left.
func (b *broadcaster) refuse(format string, args ...any) {
	if b.obstacle == "" {
		b.obstacle = fmt.Sprintf(format, args...)
	}
}

// constructors rewrites the broadcasters that a package makes by hand.
func (p *pass) constructors() {
	for _, b := range p.broadcasters() {
		w := &wiring{pass: p, broadcaster: b}
		if b.obstacle == "" {
			w.plan()
		}
		if b.obstacle == "" {
			w.apply()
			continue
		}
		p.leaveBroadcaster(b)
	}
}

// leaveBroadcaster says what to do about a broadcaster that stays, where it is
// made or else where it is declared. One that another package makes is that
// package's affair.
func (p *pass) leaveBroadcaster(b *broadcaster) {
	at := b.makers
	if len(at) == 0 && !b.foreign && len(b.types) > 0 {
		at = b.types[:1]
	}
	for _, u := range b.types {
		u.edited[u.expr] = len(at) > 0 // nothing more to say about them
	}
	for _, u := range at {
		if !u.frozen {
			u.leave(u.expr, "constructor", "this broadcaster stays old: %s; by hand, it becomes %s", b.obstacle, p.byHand())
		}
	}
	if b.foreign && len(at) == 0 && len(b.recorders) > 0 && !b.recorders[0].frozen {
		b.recorders[0].keep(b.recorders[0].expr, "this broadcaster stays old: %s", b.obstacle)
	}
}

// byHand is what a human writes instead of an old broadcaster.
func (p *pass) byHand() string {
	if p.config.target() == SDK {
		return "adapter.New(ctx, client) with Start(ctx), NewRecorder(name) and Shutdown()"
	}
	return "events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()}) with " +
		"StartRecordingToSinkWithContext(ctx), NewRecorder(scheme, name) and Shutdown()"
}

// isOldBroadcaster says whether a type is client-go's old broadcaster.
func isOldBroadcaster(t types.Type) bool {
	if _, isPointer := types.Unalias(t).(*types.Pointer); isPointer || t == nil {
		return false
	}
	return isNamed(typeNameOrNil(t), recordPath, "EventBroadcaster")
}

func typeNameOrNil(t types.Type) types.Object {
	if name := typeName(t); name != nil {
		return name
	}
	return nil
}

// indent is the white space before the line of a position.
func (f *file) indent(pos token.Pos) string {
	at := f.Fset.PositionFor(pos, false)
	src, err := f.ReadFile(at.Filename)
	if err != nil {
		return ""
	}
	start := at.Offset - (at.Column - 1)
	end := start
	for end < len(src) && (src[end] == '\t' || src[end] == ' ') {
		end++
	}
	return string(src[start:end])
}
