// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// dropUnused drops the local variables that only a part of the file uses that goes, because the file would not compile
// with them, and then those that only these use.
func (f *file) dropUnused(part ast.Node) {
	ast.Inspect(part, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.Kind() != types.LocalVar {
			return true
		}
		if writes, ok := f.onlyWritten(v); ok {
			for _, w := range writes {
				f.drop(w)
			}
		}
		return true
	})
}

// write is a place where a variable, or a field of it, gets a value.
type write struct {
	name      *ast.Ident
	left      ast.Expr // the name, or a field of it
	statement ast.Node // *ast.AssignStmt or *ast.ValueSpec
	stack     []ast.Node
}

// onlyWritten returns where a local variable is written, and whether nothing that stays reads it.
func (f *file) onlyWritten(v *types.Var) (writes []write, ok bool) {
	ok = true
	f.Visit(func(n ast.Node, stack []ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName || f.TypesInfo.ObjectOf(id) != v || f.Gone(id) {
			return true
		}
		w, written := f.writeOf(id, stack)
		if written {
			writes = append(writes, w)
		}
		ok = ok && written
		return true
	})
	return writes, ok
}

// writeOf returns what an identifier is written by, and false if it is read. A write to a field through a pointer reads the
// pointer, unless only this variable has what it points to.
func (f *file) writeOf(id *ast.Ident, stack []ast.Node) (write, bool) {
	w := write{name: id, left: id}
	for i, around := range slices.Backward(stack) {
		switch n := around.(type) {
		case *ast.SelectorExpr:
			if selection := f.TypesInfo.Selections[n]; selection.Indirect() && !(w.left == id && f.isFresh(id)) {
				return w, false
			}
			w.left = n
			continue
		case *ast.AssignStmt:
			w.statement, w.stack = n, slices.Clone(stack[:i])
			return w, (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && slices.Contains(n.Lhs, w.left)
		case *ast.ValueSpec:
			w.statement, w.stack = n, slices.Clone(stack[:i])
			return w, slices.Contains(n.Names, id)
		}
		break
	}
	return w, false
}

// isFresh reports whether a variable points to nothing but what is made for it.
func (f *file) isFresh(id *ast.Ident) bool {
	v := f.Data.Variable(id)
	return v != nil && !slices.ContainsFunc(f.Data.Values(v), func(value dataflow.Value) bool {
		made, ok := value.Expr.(*ast.UnaryExpr)
		if !ok || made.Op != token.AND {
			return true
		}
		_, ok = made.X.(*ast.CompositeLit)
		return !ok
	})
}

// drop takes a statement away that only writes a variable. Of one that does more it leaves the rest, and writes to
// nothing.
func (f *file) drop(w write) {
	f.Remove(w.left)
	statement, around := w.statement, w.stack
	alone := true
	var values []ast.Expr
	switch n := statement.(type) {
	case *ast.AssignStmt:
		values = n.Rhs
		alone = len(n.Lhs) == 1
	case *ast.ValueSpec:
		values = n.Values
		alone = len(n.Names) == 1
		if decl, ok := around[len(around)-1].(*ast.GenDecl); ok && len(decl.Specs) == 1 {
			statement, around = around[len(around)-2], around[:len(around)-2]
		}
	}
	pl := f.Place(statement, plan.Unused, "%s goes with what used it", w.name.Name)
	if alone && !slices.ContainsFunc(values, f.evaluated) && f.cutLines(pl, statement, around) {
		f.Remove(statement)
		for _, value := range values {
			f.dropUnused(value)
		}
		return
	}
	pl.Replace(w.left.Pos(), w.left.End(), "_")
	assign, ok := statement.(*ast.AssignStmt)
	if ok && assign.Tok == token.DEFINE && !slices.ContainsFunc(assign.Lhs, f.isNew) {
		pl.Replace(assign.TokPos, assign.TokPos+token.Pos(len(":=")), "=")
	}
}

// isNew reports whether an assignment declares a name that stays.
func (f *file) isNew(left ast.Expr) bool {
	id, ok := left.(*ast.Ident)
	return ok && f.TypesInfo.Defs[id] != nil && !f.Gone(id)
}

// cutLines removes a statement with its lines and the comment above it. It returns false if something else is on these
// lines, or if the statement is part of another one.
func (f *file) cutLines(pl *plan.Place, statement ast.Node, around []ast.Node) bool {
	switch around[len(around)-1].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
	default:
		return false
	}
	before, _ := f.LineText(statement.Pos())
	_, after := f.LineText(statement.End())
	if rest := strings.TrimSpace(after); strings.TrimSpace(before) != "" || rest != "" && !strings.HasPrefix(rest, "//") {
		return false
	}
	from := statement.Pos() - token.Pos(len(before))
	to := statement.End() + token.Pos(len(after)+1)
	for _, group := range f.AST.Comments {
		indent, _ := f.LineText(group.Pos())
		if f.Line(group.End())+1 == f.Line(statement.Pos()) && strings.TrimSpace(indent) == "" {
			from = group.Pos() - token.Pos(len(indent))
		}
	}
	previous, _ := f.LineText(from - 1)
	_, next := f.LineText(to)
	if strings.TrimSpace(next) == "" && (strings.TrimSpace(previous) == "" || strings.HasSuffix(previous, "{")) {
		to += token.Pos(len(next) + 1) // an empty line between nothing and the rest
	}
	for _, group := range f.AST.Comments {
		for _, comment := range group.List {
			if from <= comment.Pos() && comment.End() <= to {
				f.MarkEdited(comment)
			}
		}
	}
	pl.Replace(from, to, "")
	return true
}

// evaluated reports whether an expression has to be evaluated: it calls something, and is no option of a broadcaster.
func (f *file) evaluated(e ast.Expr) bool {
	if name := api.TypeName(f.TypesInfo.TypeOf(e)); name != nil && api.IsNamed(name, api.Record, name.Name()) {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !f.TypesInfo.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return found
}
