// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// settle makes sure that every maker can have the client and the scheme, if need
// be further down in its block.
func (w *wiring) settle() {
	if len(w.clients) == 0 {
		return
	}
	for _, maker := range w.makers {
		missing := w.missing(maker, maker.expr.Pos())
		if missing == nil {
			continue
		}
		w.moves = w.moveDown(maker)
		if w.moves == nil {
			w.refuse("%s is not known yet where it is made", missing.text(missing.expr))
			return
		}
	}
}

// client is the client that a maker can have at a position: that of a start in
// the same function, else of the first that will do. Nil if there is none.
func (w *wiring) client(maker use, at token.Pos) *need {
	var found *need
	for _, n := range w.clients {
		near := n.declaration() == maker.declaration()
		if (found == nil || near) && w.bring(*n, maker, at) != nil {
			found = n
		}
		if near {
			break
		}
	}
	return found
}

// missing is the first need that a maker cannot have at a position, or nil.
func (w *wiring) missing(maker use, at token.Pos) *need {
	if w.client(maker, at) == nil {
		return w.clients[0]
	}
	if w.scheme != nil && w.bring(*w.scheme, maker, at) == nil {
		return w.scheme
	}
	return nil
}

// madeAt is where a maker stands in the end.
func (w *wiring) madeAt(maker use) token.Pos {
	if w.moves != nil {
		return w.moves.to.Pos()
	}
	return maker.expr.Pos()
}

// bring gives the text of a need at a maker: its own, if its names mean the same
// there; for a field, what the function around the maker sets it to; for a
// variable of another package, its qualified name. Nil if there is none.
func (w *wiring) bring(n need, maker use, at token.Pos) func() string {
	if w.verbatim(n, maker, at) {
		return func() string { return n.text(n.expr) }
	}
	sel, ok := ast.Unparen(n.expr).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := w.TypesInfo.Uses[sel.Sel].(*types.Var)
	switch {
	case !ok:
		return nil
	case v.IsField():
		return w.fieldValue(v.Origin(), maker, at)
	case v.Pkg() != w.Pkg:
		return func() string { return maker.pkg(v.Pkg().Path()) + "." + v.Name() }
	}
	return nil
}

// verbatim says whether a need can stand at a maker as it is written.
func (w *wiring) verbatim(n need, maker use, at token.Pos) bool {
	return w.visible(n.expr, at) && w.ready(n, maker, at)
}

// visible says whether every name in an expression means the same at a position.
func (p *pass) visible(e ast.Expr, at token.Pos) bool {
	scope := p.Pkg.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	same := true
	ast.PreorderStack(e, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || len(stack) > 0 && isSelected(id, stack) {
			return true
		}
		if obj := p.TypesInfo.Uses[id]; obj != nil {
			_, found := scope.LookupParent(id.Name, at)
			same = same && found == obj
		}
		return true
	})
	return same
}

// ready says whether what an expression mentions is set before a position, and
// not between that and where the expression stands.
func (w *wiring) ready(n need, maker use, at token.Pos) bool {
	decl := maker.declaration()
	if decl == nil || decl != n.declaration() {
		return true
	}
	mentioned := map[types.Object]bool{}
	ast.Inspect(n.expr, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok {
			if v, ok := w.TypesInfo.Uses[id].(*types.Var); ok {
				mentioned[v] = true
			}
		}
		return true
	})
	ready := true
	ast.Inspect(decl, func(node ast.Node) bool {
		assign, ok := node.(*ast.AssignStmt)
		if !ok || assign.Pos() < at || assign.End() > n.use.expr.Pos() {
			return true
		}
		for _, to := range assign.Lhs {
			ready = ready && !mentioned[w.variable(to)]
		}
		return true
	})
	return ready
}

// variable is the variable or field that an expression names, or nil.
func (p *pass) variable(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.TypesInfo.ObjectOf(e)
	case *ast.SelectorExpr:
		return p.TypesInfo.Uses[e.Sel]
	}
	return nil
}

// declaration is the function declaration around a use, or nil.
func (u use) declaration() *ast.FuncDecl { return enclosing(u.stack) }

// fieldValue is what the function around a maker sets a field to, if that may be
// written a second time at a position.
func (w *wiring) fieldValue(field *types.Var, maker use, at token.Pos) func() string {
	decl := maker.declaration()
	if decl == nil {
		return nil
	}
	var values []ast.Expr
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && isField(w.TypesInfo.Uses[id], field) {
				values = append(values, n.Value)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if isField(w.variable(to), field) && len(n.Lhs) == len(n.Rhs) {
					values = append(values, n.Rhs[i])
				}
			}
		}
		return true
	})
	if len(values) != 1 || !maker.repeatable(values[0]) {
		return nil
	}
	value := need{use: use{file: maker.file, expr: values[0], stack: maker.stack}, expr: values[0]}
	if !w.verbatim(value, maker, at) {
		return nil
	}
	return func() string { return maker.text(values[0]) }
}

func isField(obj types.Object, field *types.Var) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Origin() == field
}
