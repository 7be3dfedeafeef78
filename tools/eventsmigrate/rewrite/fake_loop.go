// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
)

// whileLen is for len(recorder.Events) > 0 { e := <-recorder.Events; ... }. The
// receive in it belongs to the loop.
func (r *read) whileLen(loop *ast.ForStmt) *form {
	cond, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok || loop.Init != nil || loop.Post != nil || len(loop.Body.List) == 0 || !isZero(cond.Y) ||
		cond.Op != token.GTR && cond.Op != token.NEQ {
		return nil
	}
	first, ok := loop.Body.List[0].(*ast.AssignStmt)
	if !ok || first.Tok != token.DEFINE || len(first.Lhs) != 1 || r.receivedBy(first.Rhs[0]) == nil {
		return nil
	}
	if r.mentions(loop.Body.List[1:]) {
		return nil
	}
	r.all.joined[r.receivedBy(first.Rhs[0])] = true
	return &form{at: loop, effect: drains, edit: func(pl *place) {
		name := r.variable("occurrence", loop.Body)
		pl.replace(loop.Pos(), loop.Body.Lbrace, fmt.Sprintf("for _, %s := range %s.Occurrences()%s ", name,
			r.file.text(r.sel.X), r.rest()))
		pl.replace(first.Rhs[0].Pos(), first.Rhs[0].End(), asText(name))
	}}
}

func isZero(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Value == "0"
}

// receivedBy is the channel in <-recorder.Events of the same recorder, or nil.
func (r *read) receivedBy(e ast.Expr) *ast.SelectorExpr {
	unary, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || unary.Op != token.ARROW {
		return nil
	}
	sel, ok := ast.Unparen(unary.X).(*ast.SelectorExpr)
	if !ok || r.file.text(sel) != r.file.text(r.sel) {
		return nil
	}
	return sel
}

// mentions says whether statements read the same channel.
func (r *read) mentions(list []ast.Stmt) bool {
	found := false
	for _, stmt := range list {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && r.file.text(sel) == r.file.text(r.sel) {
				found = true
			}
			return !found
		})
	}
	return found
}

// ranges is close(recorder.Events) and then for e := range recorder.Events.
func (r *read) ranges(loop *ast.RangeStmt) *form {
	key, ok := loop.Key.(*ast.Ident)
	if !ok || loop.Tok != token.DEFINE || loop.Value != nil || r.mentions(loop.Body.List) {
		return nil
	}
	closing := r.closing(loop)
	if closing == nil {
		return nil
	}
	r.all.joined[ast.Unparen(closing.(*ast.ExprStmt).X.(*ast.CallExpr).Args[0])] = true
	return &form{at: loop, effect: drains, closes: true, edit: func(pl *place) {
		name := r.variable("occurrence", loop.Body)
		pl.replace(r.thisLine(closing), r.nextLine(closing), "")
		pl.replace(loop.Pos(), loop.Body.Lbrace+1, fmt.Sprintf("for _, %s := range %s.Occurrences()%s {\n%s := %s", name,
			r.file.text(r.sel.X), r.rest(), key.Name, asText(name)))
	}}
}

// nextLine is the beginning of the line after a statement.
func (f *file) nextLine(n ast.Node) token.Pos {
	tokenFile := f.Fset.File(n.Pos())
	if line := tokenFile.Line(n.End()); line < tokenFile.LineCount() {
		return tokenFile.LineStart(line + 1)
	}
	return n.End()
}

// thisLine is the beginning of the line of a node.
func (f *file) thisLine(n ast.Node) token.Pos {
	tokenFile := f.Fset.File(n.Pos())
	return tokenFile.LineStart(tokenFile.Line(n.Pos()))
}

// closing is the statement that closes the channel, in the same block before.
func (r *read) closing(loop *ast.RangeStmt) ast.Stmt {
	block, ok := r.around(2).(*ast.BlockStmt)
	if !ok {
		return nil
	}
	for _, stmt := range block.List {
		if stmt == ast.Stmt(loop) {
			return nil
		}
		expr, ok := stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := expr.X.(*ast.CallExpr)
		if ok && r.isBuiltin(call, "close") && r.file.text(ast.Unparen(call.Args[0])) == r.file.text(r.sel) {
			return stmt
		}
	}
	return nil
}

// selects is a select of a receive and a default.
func (r *read) selects(clause *ast.CommClause) *form {
	block, _ := r.around(4).(*ast.BlockStmt)
	sel, _ := r.around(5).(*ast.SelectStmt)
	if block == nil || sel == nil || len(block.List) != 2 || r.mentions(clause.Body) || breaks(sel) {
		return nil
	}
	other, _ := block.List[0].(*ast.CommClause)
	if other == clause {
		other, _ = block.List[1].(*ast.CommClause)
	}
	if other.Comm != nil || r.mentions(other.Body) {
		return nil
	}
	assign, _ := clause.Comm.(*ast.AssignStmt)
	if assign != nil && (len(assign.Lhs) != 1 || assign.Tok != token.DEFINE) {
		return nil
	}
	return &form{at: sel, effect: tries, edit: func(pl *place) { r.selected(pl, sel, clause, other, assign) }}
}

// selected makes the select an if.
func (r *read) selected(pl *place, sel *ast.SelectStmt, clause, other *ast.CommClause, assign *ast.AssignStmt) {
	name := r.variable("occurrences", sel)
	header := fmt.Sprintf("if %s := %s.Occurrences()%s; len(%s) ", name, r.file.text(r.sel.X), r.rest(), name)
	variable := ""
	if assign != nil {
		variable = "\n" + r.file.text(assign.Lhs[0]) + " := " + asText(name+"[0]")
	}
	switch {
	case other.Pos() < clause.Pos() && len(other.Body) > 0:
		pl.replace(sel.Pos(), other.Colon+1, header+"== 0 {").replace(clause.Pos(), clause.Colon+1, "} else {"+variable)
	case other.Pos() < clause.Pos():
		pl.replace(sel.Pos(), clause.Colon+1, header+"> 0 {"+variable)
	case len(other.Body) > 0:
		pl.replace(sel.Pos(), clause.Colon+1, header+"> 0 {"+variable).replace(other.Pos(), other.Colon+1, "} else {")
	default:
		pl.replace(sel.Pos(), clause.Colon+1, header+"> 0 {"+variable).replace(r.thisLine(other), r.nextLine(other), "")
	}
}

// breaks says whether a break would leave the select.
func breaks(sel *ast.SelectStmt) bool {
	found := false
	ast.Inspect(sel.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK && n.Label == nil
		}
		return !found
	})
	return found
}
