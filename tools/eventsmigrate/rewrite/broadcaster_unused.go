// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// removal is an expression that the edits remove, but for some of its parts.
type removal struct {
	*file
	from ast.Node
	but  []ast.Expr
}

// names calls visit with the names that a removal removes.
func (r removal) names(visit func(*ast.Ident, types.Object)) {
	ast.Inspect(r.from, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && slices.Contains(r.but, e) {
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			visit(id, r.TypesInfo.Uses[id])
		}
		return true
	})
}

// drop notes the uses of imports that go.
func (r removal) drop() {
	r.names(func(_ *ast.Ident, obj types.Object) {
		if name, ok := obj.(*types.PkgName); ok {
			r.dropped[name]++
		}
	})
}

// removals are the expressions that the plan removes.
func (w *wiring) removals() {
	remove := func(u use, from ast.Node, but ...ast.Expr) {
		w.removed = append(w.removed, removal{file: u.file, from: from, but: but})
	}
	for _, maker := range w.makers {
		for _, option := range maker.call().Args {
			if len(w.clients) == 0 || w.config.target() != SDK {
				remove(maker, option)
				continue
			}
			remove(maker, option, maker.option(option, "WithContext"))
		}
	}
	for _, u := range w.loggings {
		if u.method() == "StartLogging" {
			remove(u, u.call().Args[0])
		}
	}
	for i, u := range w.starts {
		remove(u, u.call().Args[0], w.kept(w.clients[i]))
	}
	for _, u := range w.recorders {
		remove(u, u.call().Args[1], w.recorder[u.call()].component)
		if len(w.clients) > 0 && w.config.target() == SDK {
			remove(u, u.call().Args[0], w.kept(w.scheme))
		}
	}
}

// kept is the expression of a need that is written again in its own file.
func (w *wiring) kept(n *need) ast.Expr {
	if n == nil {
		return nil
	}
	for _, maker := range w.makers {
		at := w.madeAt(maker)
		if maker.file == n.file && (n == w.scheme || n == w.client(maker, at)) && w.verbatim(*n, maker, at) {
			return n.expr
		}
	}
	return nil
}

// unused finds the local variables that nothing uses after the edits, since Go
// does not compile them.
func (w *wiring) unused() {
	w.removals()
	gone := map[*types.Var]int{}
	var order []*types.Var
	for _, r := range w.removed {
		r.names(func(_ *ast.Ident, obj types.Object) {
			v, ok := obj.(*types.Var)
			if !ok || !isLocal(v) || w.scope[v] != nil || r.from.Pos() <= v.Pos() && v.Pos() < r.from.End() {
				return
			}
			if gone[v] == 0 {
				order = append(order, v)
			}
			gone[v]++
		})
	}
	for _, v := range order {
		if w.uses(v) > gone[v] {
			continue
		}
		b, ok := w.blank(v)
		if !ok {
			w.refuse("nothing else uses %s: remove it", v.Name())
			return
		}
		w.blanks = append(w.blanks, b)
	}
}

// isLocal says whether a variable is one of a function.
func isLocal(v *types.Var) bool {
	return !v.IsField() && v.Parent() != nil && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}

func (p *pass) uses(v *types.Var) int {
	count := 0
	for _, obj := range p.TypesInfo.Uses {
		if obj == types.Object(v) {
			count++
		}
	}
	return count
}

// blank is the definition of a variable that goes.
type blank struct {
	*file
	define *ast.AssignStmt
	at     int
}

func (w *wiring) blank(v *types.Var) (blank, bool) {
	for _, f := range w.files {
		if v.Pos() < f.ast.FileStart || f.ast.FileEnd <= v.Pos() {
			continue
		}
		var found blank
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if assign, ok := n.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
				for i, to := range assign.Lhs {
					if to.Pos() == v.Pos() {
						found = blank{file: f, define: assign, at: i}
					}
				}
			}
			return true
		})
		return found, found.define != nil
	}
	return blank{}, false
}

// apply deletes the definition if that has no effect. Else the variable gets the
// name _, and is assigned to if nothing else is defined there.
func (b blank) apply() {
	name := b.define.Lhs[b.at]
	if len(b.define.Lhs) == 1 && b.pure(b.define.Rhs[0]) {
		from, to := b.lines(b.define)
		b.rewrite(name, "constructor", "nothing else uses this").replace(from, to, "")
		removal{file: b.file, from: b.define.Rhs[0]}.drop()
		return
	}
	pl := b.rewrite(name, "constructor", "nothing else uses this").replace(name.Pos(), name.End(), "_")
	for i, to := range b.define.Lhs {
		id, ok := to.(*ast.Ident)
		if i != b.at && ok && id.Name != "_" && b.TypesInfo.Defs[id] != nil {
			return
		}
	}
	pl.replace(b.define.TokPos, b.define.TokPos+token.Pos(len(":=")), "=")
}

// pure says whether an expression has no effect and needs no local variable.
func (f *file) pure(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			pure = false
		case *ast.UnaryExpr:
			pure = pure && n.Op != token.ARROW
		case *ast.Ident:
			v, ok := f.TypesInfo.Uses[n].(*types.Var)
			pure = pure && (!ok || !isLocal(v))
		}
		return pure
	})
	return pure
}
