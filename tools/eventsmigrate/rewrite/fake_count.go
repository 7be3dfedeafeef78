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

// doubtReads finds the form of every read, and what the tests have received
// before it: a channel forgets what is received, a Recorder does not.
func (a *fakes) doubtReads() {
	sets := map[node][]*read{}
	for _, r := range a.reads {
		r.form = r.understand()
	}
	for _, r := range a.reads {
		if a.joined[r.sel] {
			r.form = &form{at: r.sel, effect: joins}
		}
		set := a.find(r.node)
		switch sets[set] = append(sets[set], r); {
		case r.form == nil:
			a.doubt(r.node, r.sel.Pos(), "reads the channel in a way that has no clear counterpart")
		case !a.isTest(r.sel.Pos()):
			a.doubt(r.node, r.sel.Pos(), "is no test")
		case r.consumes() && a.vocabulary().annotated:
			a.doubt(r.node, r.sel.Pos(), "reads a text that may end with annotations")
		case r.form.blocks && !a.synchronous(r):
			a.doubt(r.node, r.sel.Pos(), "waits for what another goroutine may record")
		}
	}
	for _, m := range a.makers {
		if found := sets[a.find(m.expr)]; len(found) > 0 && !a.hasChannel(m.expr) {
			a.doubt(m.expr, m.expr.Pos(), "makes a fake without a channel, which is read")
		}
	}
	for _, r := range a.reads {
		if set := a.find(r.node); sets[set] != nil && !slices.ContainsFunc(sets[set], isUnclear) {
			a.count(sets[set])
			delete(sets, set)
		}
	}
}

func isUnclear(r *read) bool { return r.form == nil }

func (r *read) consumes() bool { return r.form.effect != looks && r.form.effect != joins }

func (a *fakes) hasChannel(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return !a.isNew(e)
	case *ast.UnaryExpr:
		return len(ast.Unparen(e.X).(*ast.CompositeLit).Elts) > 0
	}
	return false
}

// synchronous says whether nothing suggests that what a test waits for is
// recorded by another goroutine.
func (a *fakes) synchronous(r *read) bool {
	if strings.HasSuffix(a.Pkg.Name(), "_test") {
		return false // the code under test is not in sight
	}
	for _, f := range a.Files {
		if !strings.HasSuffix(a.Fset.Position(f.FileStart).Filename, "_test.go") && starts(f) {
			return false
		}
	}
	return !starts(r.stack[1])
}

// starts says whether code starts a goroutine, or something that may, or waits.
func starts(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || slices.Contains([]string{"Go", "Start", "Eventually"}, n.Sel.Name)
		}
		return !found
	})
	return found
}

// count says of each read of a set how many events have been received before.
func (a *fakes) count(set []*read) {
	if slices.ContainsFunc(set, func(r *read) bool { return r.form.effect == polls }) {
		a.polled(set)
		return
	}
	if !slices.ContainsFunc(set, func(r *read) bool { return r.consumes() && !r.form.closes }) {
		return // what closes a channel is the last to read it
	}
	functions := map[ast.Node][]*read{}
	for _, r := range set {
		function := r.function()
		functions[function] = append(functions[function], r)
	}
	for _, function := range sortedNodes(functions) {
		a.countIn(function, functions[function])
	}
}

func sortedNodes(functions map[ast.Node][]*read) []ast.Node {
	var nodes []ast.Node
	for n := range functions {
		nodes = append(nodes, n)
	}
	slices.SortFunc(nodes, func(x, y ast.Node) int { return int(x.Pos() - y.Pos()) })
	return nodes
}

// polled looks at reads that wait for some event to come: each has to wait for
// another one, in a test of its own.
func (a *fakes) polled(set []*read) {
	seen := map[string]bool{}
	for _, r := range set {
		key := a.Fset.Position(r.function().Pos()).String() + r.file.text(r.form.at)
		if r.form.effect != polls || seen[key] || r.loops() {
			a.doubt(r.node, r.sel.Pos(), "waits for events one after another")
		}
		seen[key] = true
	}
	for _, m := range a.makers {
		if a.find(m.expr) == a.find(set[0].node) && isShared(m) {
			a.doubt(m.expr, m.expr.Pos(), "makes one fake for several tests")
		}
	}
}

// isShared says whether a fake is made once for all tests.
func isShared(m *maker) bool {
	for _, n := range m.stack {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		}
	}
	return true
}

// function is the innermost function around a read.
func (r *read) function() ast.Node {
	for i := len(r.stack) - 1; i > 0; i-- {
		switch r.stack[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return r.stack[i]
		}
	}
	return r.stack[0]
}

// loops says whether a read is in a loop of its function.
func (r *read) loops() bool {
	for i := len(r.stack) - 1; i > 0 && r.stack[i] != r.function(); i-- {
		switch r.stack[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}

// countIn counts in one function, all of whose reads must be of one recorder.
func (a *fakes) countIn(function ast.Node, reads []*read) {
	first := reads[0]
	c := &counter{fakes: a, reads: map[*ast.SelectorExpr]*read{}, root: first.root()}
	for _, r := range reads {
		if r.file.text(r.sel) != first.file.text(first.sel) || c.root == nil || r.root() != c.root {
			a.doubt(r.node, r.sel.Pos(), "reads the channels of several recorders, or of one under several names")
			return
		}
		c.reads[r.sel] = r
	}
	start := unknown
	switch _, isName := first.sel.X.(*ast.Ident); {
	case function.Pos() <= c.root.Pos() && c.root.Pos() < function.End() && !isParam(function, c.root.Pos()):
		c.table = !isName && a.inTable(first)
	case isName && a.isSpec(first, function), !isName && a.inTable(first) && first.inSubtest(function, c.root):
		start = 0
	default:
		a.doubt(first.node, first.sel.Pos(), "reads the channel in another function than where the fake is made")
		return
	}
	c.stmt(body(function), start)
	for _, r := range reads {
		if r.taken == unknown && r.form.effect != joins {
			a.doubt(r.node, r.sel.Pos(), "reads the channel after a number of events that is not certain")
		}
	}
}

func body(function ast.Node) *ast.BlockStmt {
	switch fn := function.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return &ast.BlockStmt{}
}

func isParam(function ast.Node, at token.Pos) bool { return at < body(function).Pos() }

// root is the variable of a path such as test.recorder.
func (r *read) root() types.Object {
	e := r.sel.X
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			return r.TypesInfo.Uses[x]
		default:
			return nil
		}
	}
}
