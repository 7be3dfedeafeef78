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

	"golang.org/x/tools/go/types/typeutil"
)

// read is a use of a fake's channel.
type read struct {
	*file
	all   *fakes
	sel   *ast.SelectorExpr // recorder.Events
	node  node
	stack []ast.Node // around sel
	form  *form      // nil if it is not understood
	taken int        // how many events the test has received before, as far as that matters
}

// form is what a test does with the channel, and how it does the same with the
// occurrences of a Recorder, which nothing consumes.
type form struct {
	at     ast.Node
	effect effect
	blocks bool // until something is recorded, maybe by another goroutine
	closes bool // the channel: nothing is recorded or received after it
	edit   func(*place)
}

// effect is what a read leaves in the channel.
type effect int

const (
	looks  effect = iota // everything: it counts, or asks for none
	takes                // everything but the first
	tries                // the same, if there is one
	drains               // nothing
	polls                // what came after some event
	joins                // it is a part of the read that drains
)

// understand finds the form of a read.
func (r *read) understand() *form {
	switch n := r.around(1).(type) {
	case *ast.CallExpr:
		switch {
		case r.isBuiltin(n, "len"):
			if loop, ok := r.around(3).(*ast.ForStmt); ok {
				return r.whileLen(loop)
			}
			return &form{at: n, edit: r.occurrences}
		case r.isTestify(n, "Empty", "NotEmpty", "Len"):
			return &form{at: n, edit: r.occurrences}
		}
		return r.gomega(n)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return r.receive(n)
		}
	case *ast.RangeStmt:
		return r.ranges(n)
	}
	return nil
}

// around is the n-th node around the channel, without parentheses.
func (r *read) around(n int) ast.Node {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if _, ok := r.stack[i].(*ast.ParenExpr); ok {
			continue
		}
		if n--; n == 0 {
			return r.stack[i]
		}
	}
	return nil
}

func (f *file) isBuiltin(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == name && f.TypesInfo.Types[call.Fun].IsBuiltin()
}

// occurrences puts what is left of the occurrences in the channel's place.
func (r *read) occurrences(pl *place) {
	pl.replace(r.sel.Sel.Pos(), r.sel.Sel.End(), "Occurrences()"+r.rest())
}

// rest leaves out of a slice of occurrences what the test has received.
func (r *read) rest() string {
	if r.taken == 0 {
		return ""
	}
	return fmt.Sprintf("[%d:]", r.taken)
}

// next is the occurrence that a receive would yield.
func (r *read) next() string {
	return fmt.Sprintf("%s.Occurrences()[%d]", r.file.text(r.sel.X), r.taken)
}

// asText is an occurrence as the fake's string.
func asText(name string) string {
	return fmt.Sprintf(`%[1]s.Type + " " + %[1]s.Reason + " " + %[1]s.Note`, name)
}

// receive is <-recorder.Events.
func (r *read) receive(n *ast.UnaryExpr) *form {
	if clause, ok := r.around(3).(*ast.CommClause); ok && ast.Node(clause.Comm) == r.around(2) {
		return r.selects(clause)
	}
	switch parent := r.around(2).(type) {
	case *ast.CallExpr:
		if found := r.testify(parent, n); found != nil {
			return found
		}
		if found := r.gomegaText(parent, n); found != nil {
			return found
		}
	case *ast.AssignStmt:
		if len(parent.Lhs) != len(parent.Rhs) {
			return nil // event, ok := <-recorder.Events
		}
	case *ast.ExprStmt:
		return &form{at: n, effect: takes, blocks: true, edit: func(pl *place) {
			pl.replace(n.Pos(), n.End(), "_ = "+r.next())
		}}
	}
	return r.text(n, func(pl *place, text string) { pl.replace(n.Pos(), n.End(), text) })
}

// text is the fallback for what takes an event: the fake's string, of an
// occurrence that a statement before has found.
func (r *read) text(at ast.Node, edit func(pl *place, text string)) *form {
	statement, block := r.statement()
	if statement == nil || !r.onlyTestCalls(statement) {
		return nil
	}
	return &form{at: at, effect: takes, edit: func(pl *place) {
		name := r.variable("occurrence", block)
		edit(pl.insert(statement.Pos(), name+" := "+r.next()+"\n"), asText(name))
	}, blocks: true}
}

// statement is the statement in which the channel is read, before its body if
// it has one, and the block that it is in.
func (r *read) statement() (ast.Stmt, ast.Node) {
	var inner ast.Node = r.sel
	for i := len(r.stack) - 1; i > 0; i-- {
		n := r.stack[i]
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.CommClause, *ast.SelectStmt:
			return nil, nil
		case *ast.IfStmt:
			if inner != ast.Node(n.Init) && (n.Init != nil || inner != ast.Node(n.Cond)) {
				return nil, nil
			}
		case *ast.SwitchStmt:
			if inner != ast.Node(n.Init) && (n.Init != nil || inner != ast.Node(n.Tag)) {
				return nil, nil
			}
		}
		if stmt, ok := n.(ast.Stmt); ok {
			switch block := r.stack[i-1].(type) {
			case *ast.BlockStmt, *ast.CaseClause:
				return stmt, block
			case *ast.CommClause, *ast.LabeledStmt:
				return nil, nil
			}
		}
		inner = n
	}
	return nil, nil
}

// onlyTestCalls says whether a statement, before its body, calls nothing that
// may record: what moves before it then sees the same.
func (f *file) onlyTestCalls(statement ast.Stmt) bool {
	only := true
	ast.Inspect(statement, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			only = only && f.isTestCall(n)
		}
		return only
	})
	return only
}

func (f *file) isTestCall(call *ast.CallExpr) bool {
	if tv := f.TypesInfo.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	fn, ok := typeutil.Callee(f.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "fmt", "strings", "testing", "errors":
		return fn.Name() != "Run"
	default:
		return strings.HasPrefix(path, testifyPath) || strings.HasPrefix(path, gomegaPath)
	}
}

// variable is a name that the function around does not use, and no other edit of
// the same block.
func (r *read) variable(name string, block ast.Node) string {
	used := r.all.names[block]
	candidate := name
	for i := 2; slices.Contains(used, candidate) || r.freeVar(r.stack[0], candidate, "") == ""; i++ {
		candidate = fmt.Sprintf("%s%d", name, i)
	}
	r.all.names[block] = append(used, candidate)
	return candidate
}
