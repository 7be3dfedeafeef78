// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

const unknown = -1

// counter walks through a function and counts what is received from a channel.
type counter struct {
	*fakes
	root  types.Object
	reads map[*ast.SelectorExpr]*read
	table bool // the recorder is in the range variable root, another one each round
}

// block counts through statements and returns the count after them.
func (c *counter) block(list []ast.Stmt, n int) int {
	for _, stmt := range list {
		n = c.stmt(stmt, n)
	}
	return n
}

func (c *counter) stmt(stmt ast.Stmt, n int) int {
	switch s := stmt.(type) {
	case nil:
		return n
	case *ast.BlockStmt:
		return c.block(s.List, n)
	case *ast.LabeledStmt:
		return c.stmt(s.Stmt, n)
	case *ast.IfStmt:
		n = c.simple(s.Cond, c.stmt(s.Init, n))
		return join(c.branch(s.Body.List, n), c.elseBranch(s.Else, n))
	case *ast.ForStmt:
		return c.loop(s, s.Body, n)
	case *ast.RangeStmt:
		if id, ok := s.Value.(*ast.Ident); ok && c.table && c.TypesInfo.Defs[id] == c.root {
			c.block(s.Body.List, 0)
			return unknown
		}
		return c.loop(s, s.Body, n)
	case *ast.SwitchStmt:
		return c.cases(s.Body, c.simple(s.Tag, c.stmt(s.Init, n)))
	case *ast.TypeSwitchStmt:
		return c.cases(s.Body, n)
	case *ast.SelectStmt:
		return c.choice(s, n)
	case *ast.AssignStmt:
		n = c.simple(s, n)
		for i, target := range s.Lhs {
			if id, ok := target.(*ast.Ident); ok && c.TypesInfo.ObjectOf(id) == c.root && len(s.Rhs) == len(s.Lhs) {
				n = unknown
				if c.makes(ast.Unparen(s.Rhs[i])) {
					n = 0
				}
			}
		}
		return n
	case *ast.DeclStmt:
		return c.declared(s, n)
	}
	return c.simple(stmt, n)
}

// declared is var recorder = record.NewFakeRecorder(1).
func (c *counter) declared(s *ast.DeclStmt, n int) int {
	n = c.simple(s, n)
	ast.Inspect(s, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok {
			for i, name := range spec.Names {
				if c.TypesInfo.Defs[name] == c.root && len(spec.Values) == len(spec.Names) && c.makes(ast.Unparen(spec.Values[i])) {
					n = 0
				}
			}
		}
		return true
	})
	return n
}

// join is the count after two branches; one that ends does not count.
func join(x, y int) int {
	switch {
	case x == ended:
		return y
	case y == ended || x == y:
		return x
	}
	return unknown
}

const ended = -2

func (c *counter) branch(list []ast.Stmt, n int) int {
	n = c.block(list, n)
	if ends(list) {
		return ended
	}
	return n
}

func (c *counter) elseBranch(stmt ast.Stmt, n int) int {
	if block, ok := stmt.(*ast.BlockStmt); ok {
		return c.branch(block.List, n)
	}
	return c.stmt(stmt, n)
}

// ends says whether statements end the test, its function or the round of a loop.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			return fun.Name == "panic"
		case *ast.SelectorExpr:
			return slices.Contains([]string{"Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow"}, fun.Sel.Name)
		}
	}
	return false
}

// cases are those of a switch, any of which may be the one, or none.
func (c *counter) cases(body *ast.BlockStmt, n int) int {
	after, complete := ended, false
	for _, stmt := range body.List {
		clause, ok := stmt.(*ast.CaseClause)
		if !ok {
			continue
		}
		complete = complete || clause.List == nil
		after = join(after, c.branch(clause.Body, n))
	}
	if !complete {
		after = join(after, n)
	}
	return after
}

// loop counts in a loop: where its rounds receive, nothing is certain, but after
// a recorder is made in the round itself.
func (c *counter) loop(loop ast.Stmt, body *ast.BlockStmt, n int) int {
	for _, r := range c.in(loop) {
		if r.form.effect == drains && r.form.at == ast.Node(loop) {
			r.taken = n
			return unknown
		}
	}
	inside := n
	for _, r := range c.in(loop) {
		if r.form.effect != looks {
			inside = unknown
		}
		r.taken = inside
	}
	c.block(body.List, inside)
	return inside
}

// choice is a select: of a receive and a default, or of what is not counted.
func (c *counter) choice(s *ast.SelectStmt, n int) int {
	for _, r := range c.in(s) {
		if r.form.effect != tries || r.form.at != ast.Node(s) {
			continue
		}
		r.taken = n
		received, other := n, n
		if n >= 0 {
			received = n + 1
		}
		for _, stmt := range s.Body.List {
			clause := stmt.(*ast.CommClause)
			if clause.Comm == nil {
				other = c.branch(clause.Body, n)
			} else {
				received = c.branch(clause.Body, received)
			}
		}
		return join(received, other)
	}
	for _, r := range c.in(s) {
		r.taken = unknown
		n = unknown
	}
	return n
}

// in are the reads inside a node, in the order of the code.
func (c *counter) in(n ast.Node) []*read {
	var found []*read
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && c.reads[sel] != nil {
			found = append(found, c.reads[sel])
		}
		_, isLit := n.(*ast.FuncLit)
		return !isLit
	})
	return found
}

// simple counts through what has no branches.
func (c *counter) simple(node ast.Node, n int) int {
	if node == nil {
		return n
	}
	for _, r := range c.in(node) {
		r.taken = n
		if r.form.effect == takes && n >= 0 {
			n++
		}
	}
	return n
}

// isSpec says whether a variable is read in one of Ginkgo's specs, and made anew
// before each.
func (a *fakes) isSpec(r *read, function ast.Node) bool {
	if !r.argumentOf(function, "It", "Specify") {
		return false
	}
	for _, m := range a.makers {
		if a.find(m.expr) != a.find(r.node) {
			continue
		}
		around := &read{file: m.file, stack: m.stack}
		if !around.argumentOf(around.function(), "BeforeEach", "JustBeforeEach") || around.loops() {
			return false
		}
	}
	return true
}

// argumentOf says whether a function around is handed to one of these functions.
func (r *read) argumentOf(function ast.Node, names ...string) bool {
	i := slices.Index(r.stack, function)
	if i < 1 {
		return false
	}
	call, ok := r.stack[i-1].(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return slices.Contains(names, fun.Name)
	case *ast.SelectorExpr:
		return slices.Contains(names, fun.Sel.Name)
	}
	return false
}

// inTable says whether all fakes of a set are made in the rows of a table.
func (a *fakes) inTable(r *read) bool {
	for _, m := range a.makers {
		if a.find(m.expr) != a.find(r.node) {
			continue
		}
		if _, ok := m.stack[len(m.stack)-1].(*ast.KeyValueExpr); !ok {
			return false
		}
	}
	return true
}

// inSubtest says whether a function is the subtest of one round over a table.
func (r *read) inSubtest(function ast.Node, row types.Object) bool {
	if !r.argumentOf(function, "Run") {
		return false
	}
	for i := slices.Index(r.stack, function); i > 0; i-- {
		switch loop := r.stack[i].(type) {
		case *ast.ForStmt:
			return false
		case *ast.RangeStmt:
			id, ok := loop.Value.(*ast.Ident)
			return ok && loop.Tok == token.DEFINE && r.TypesInfo.Defs[id] == row
		}
	}
	return false
}
