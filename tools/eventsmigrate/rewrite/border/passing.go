// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package border

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// declaration is a field, a parameter or a variable whose type is written as an old recorder, with all of its names.
type declaration struct {
	at   ast.Node
	vars []*types.Var
}

// traffic is what is assigned to a variable, and what the variable is assigned to.
type traffic struct {
	in, out []Flow
	other   int // how often the variable is named, but for that
}

// Passes reports whether a declaration is one of variables that stay old, because old recorders only pass through them.
func (b *Package) Passes(n ast.Node) bool { return b.passes[n] }

// findPassing finds the variables that stay old. It begins with all for which the package alone is responsible, and
// takes away those that do more than to pass an old recorder on, until only the right ones are left.
func (b *Package) findPassing() {
	var declared []declaration
	all := map[*types.Var]*traffic{}
	values := b.usedAsValues()
	for _, file := range b.pass.Files {
		if b.FrozenAt(file.FileStart) {
			continue
		}
		for _, d := range b.private(file, values) {
			declared = append(declared, d)
			for _, v := range d.vars {
				all[v] = &traffic{}
			}
		}
	}
	if len(all) == 0 {
		return
	}
	b.count(all)
	for v := range all {
		b.passing[v] = true
	}
	for changed := true; changed; {
		before := len(declared)
		declared = slices.DeleteFunc(declared, func(d declaration) bool {
			if !slices.ContainsFunc(d.vars, func(v *types.Var) bool { return !b.onlyPasses(all[v]) }) {
				return false
			}
			for _, v := range d.vars {
				delete(b.passing, v)
			}
			return true
		})
		changed = len(declared) < before
	}
	for _, d := range declared {
		b.passes[d.at] = true
	}
}

// onlyPasses reports whether old recorders come to a variable and go to old code, and nothing else happens to the
// variable.
func (b *Package) onlyPasses(t *traffic) bool {
	old := false
	for _, flow := range t.in {
		side := b.Of(flow.Value)
		if side == NewSide {
			return false
		}
		old = old || side == OldSide
	}
	return old && t.other == 0 && len(t.out) > 0 && !slices.ContainsFunc(t.out, func(flow Flow) bool {
		side, known := b.OfType(flow.Target)
		if !known {
			side = b.unlessPassing(flow.Var, flow.Side)
		}
		return side != OldSide
	})
}

// private are the declarations of a file that no other package can use: fields that are not exported, parameters of
// functions that are not exported and are only called, and local variables.
func (b *Package) private(file *ast.File, values map[types.Object]bool) (all []declaration) {
	add := func(at ast.Node, names []*ast.Ident, typ ast.Expr) {
		if t := b.info.TypeOf(typ); len(names) == 0 || t == nil || !types.IsInterface(t) || !api.IsOldRecorder(t) {
			return
		}
		d := declaration{at: at}
		for _, name := range names {
			v, ok := b.info.Defs[name].(*types.Var)
			if !ok || name.Name == "_" || v.IsField() && v.Exported() {
				return
			}
			d.vars = append(d.vars, v)
		}
		all = append(all, d)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && !n.Name.IsExported() && !values[b.info.Defs[n.Name]] {
				for _, field := range n.Type.Params.List {
					add(field, field.Names, field.Type)
				}
			}
		case *ast.StructType:
			for _, field := range n.Fields.List {
				add(field, field.Names, field.Type)
			}
		case *ast.ValueSpec:
			if obj := b.info.Defs[n.Names[0]]; n.Type != nil && obj != nil && obj.Parent() != b.pass.Pkg.Scope() {
				add(n, n.Names, n.Type)
			}
		}
		return true
	})
	return all
}

// usedAsValues are the functions that are not only called.
func (b *Package) usedAsValues() map[types.Object]bool {
	called := map[*ast.Ident]bool{}
	for _, file := range b.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				id, _ := ast.Unparen(call.Fun).(*ast.Ident)
				called[id] = true
			}
			return true
		})
	}
	values := map[types.Object]bool{}
	for id, used := range b.info.Uses {
		if _, ok := used.(*types.Func); ok && !called[id] {
			values[used] = true
		}
	}
	return values
}

// count finds the traffic of variables.
func (b *Package) count(all map[*types.Var]*traffic) {
	for _, used := range b.info.Uses {
		if v, ok := used.(*types.Var); ok && all[v] != nil {
			all[v].other++
		}
	}
	for _, file := range b.pass.Files {
		b.Flows(file, func(flow Flow) {
			if t := all[flow.Var]; t != nil {
				t.in = append(t.in, flow)
				t.other -= b.names(flow)
			}
			if t := all[b.Data.Variable(flow.Value)]; t != nil {
				t.out = append(t.out, flow)
				t.other--
			}
		})
		ast.Inspect(file, func(n ast.Node) bool {
			if compared, ok := n.(*ast.BinaryExpr); ok && b.info.Types[compared.Y].IsNil() {
				if t := all[b.Data.Variable(compared.X)]; t != nil {
					t.other--
				}
			}
			return true
		})
	}
}

// names is how often an assignment to a variable names the variable: a literal may leave out the name of a field.
func (b *Package) names(flow Flow) (n int) {
	switch to := flow.To.(type) {
	case *ast.CompositeLit:
		for _, element := range to.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok && pair.Value == flow.Value {
				n = 1
			}
		}
	case *ast.Ident, *ast.SelectorExpr:
		if b.Data.Variable(to) == flow.Var {
			n = 1
		}
	}
	return n
}

// unlessPassing is the side of a variable that may be one through which old recorders only pass.
func (b *Package) unlessPassing(v *types.Var, side Side) Side {
	if b.passing[v] {
		return OldSide
	}
	return side
}
