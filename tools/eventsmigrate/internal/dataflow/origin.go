// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// A Reach says how far values are followed. The more it has, the more of the origins of a value come from elsewhere: a field
// has the values of all structs of its type, and a parameter those of all callers.
type Reach struct {
	// Args returns what may be passed to a parameter, or nothing if that is not known. Nil knows of none.
	Args   func(param *types.Var) []Value
	Fields Fields
	// Stop reports whether an expression is an origin, because nobody needs to know more of it. Nil stops nowhere.
	Stop func(Value) bool
}

// Fields are which fields are followed.
type Fields int

const (
	NoFields  Fields = iota
	OwnFields        // those that no other package can set
	AllFields
)

// Origins follows a value through variables, parameters, fields, conversions, results of functions and elements of lists, to
// the expressions that make it. The last one has no Expr if any value may come from there. A parameter without arguments is
// an origin itself. What differs from call to call by its nature is not followed, as the text of an error.
func (p *Program) Origins(from Value, reach Reach) (all []Value) {
	w := p.walk(reach)
	w.visit = func(origin Value) { all = append(all, origin) }
	w.follow(from)
	return all
}

// A walk follows values. It visits each variable once.
type walk struct {
	*Program
	reach Reach
	seen  map[token.Pos]bool
	visit func(origin Value)
	// results has the origins of what functions return, in terms of their parameters.
	results map[result][]Value
}

// A result is one of those of a function.
type result struct {
	fn    token.Pos
	index int
}

func (p *Program) walk(reach Reach) *walk {
	return &walk{
		Program: p,
		reach:   reach,
		seen:    map[token.Pos]bool{},
		results: map[result][]Value{},
	}
}

// fork returns a walk that visits what this one has not visited yet.
func (w *walk) fork(visit func(Value)) *walk {
	forked := *w
	forked.seen = maps.Clone(w.seen)
	forked.visit = visit
	return &forked
}

func (w *walk) follow(from Value) {
	if from.Expr == nil {
		w.visit(from)
		return
	}
	if from.Element {
		w.elements(from)
		return
	}
	from.Expr = ast.Unparen(from.Expr)
	if w.stops(from) {
		w.visit(from)
		return
	}
	switch e := from.Expr.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		w.variable(from)
	case *ast.UnaryExpr: // an address, or what a channel has
		w.follow(from.Value(e.X))
	case *ast.StarExpr:
		w.follow(from.Value(e.X))
	case *ast.TypeAssertExpr:
		w.follow(from.Value(e.X))
	case *ast.CallExpr:
		w.call(from, e)
	default:
		w.visit(from)
	}
}

func (w *walk) stops(at Value) bool {
	return at.Info.Types[at.Expr].Value != nil || whyVolatile(at.Package, at.Expr) != "" ||
		w.reach.Stop != nil && w.reach.Stop(at)
}

// variable follows what is assigned to a variable or a field.
func (w *walk) variable(from Value) {
	v := from.Variable(from.Expr)
	if v == nil || v.IsField() && !w.reaches(v, from.Package) {
		w.visit(from)
		return
	}
	if w.seen[v.Pos()] {
		return
	}
	w.seen[v.Pos()] = true
	values := w.values[v.Pos()]
	if v.Kind() == types.ParamVar {
		var passed []Value
		if w.reach.Args != nil {
			passed = w.reach.Args(v)
		}
		if len(passed) == 0 {
			w.visit(from)
		}
		values = slices.Concat(passed, values)
	} else if len(values) == 0 {
		w.visit(from)
	}
	for _, next := range values {
		w.follow(next)
	}
}

// reaches reports whether a field that a package uses is followed.
func (w *walk) reaches(field *types.Var, user *Package) bool {
	switch w.reach.Fields {
	case OwnFields:
		return !field.Exported() && field.Pkg() == user.Types
	case AllFields:
		return true
	}
	return false
}

// elements follows the elements of a list that is written out.
func (w *walk) elements(list Value) {
	w.fork(func(origin Value) {
		literal, ok := origin.Expr.(*ast.CompositeLit)
		if !ok {
			w.visit(origin.Value(nil))
			return
		}
		for _, element := range literal.Elts {
			w.follow(origin.Value(element))
		}
	}).follow(list.Value(list.Expr))
}

// call follows a conversion, or what a function of the program returns: parameters of it to what this call passes.
func (w *walk) call(from Value, call *ast.CallExpr) {
	if from.Info.Types[call.Fun].IsType() {
		w.follow(from.Value(call.Args[0]))
		return
	}
	callee := from.Callee(call)
	if callee == nil || w.funcs[callee.Pos()].body == nil {
		w.visit(from)
		return
	}
	for _, origin := range w.returned(w.funcs[callee.Pos()], from.Index) {
		next := origin
		if param := origin.Variable(origin.Expr); param != nil {
			if arg, ok := (Call{Package: from.Package, CallExpr: call}).Argument(callee, param); ok {
				next = arg
			}
		}
		w.follow(next)
	}
}

// returned returns the origins of what a function returns. Its parameters are origins there, too.
func (w *walk) returned(fn function, index int) []Value {
	key := result{fn.Pos(), index}
	if known, ok := w.results[key]; ok {
		return known
	}
	w.results[key] = nil // of a function that calls itself
	var all []Value
	found := map[Value]bool{}
	reach := w.reach
	reach.Args = nil
	inner := w.Program.walk(reach)
	inner.results = w.results
	inner.visit = func(origin Value) {
		if !found[origin] {
			found[origin] = true
			all = append(all, origin)
		}
	}
	for _, value := range w.values[fn.Signature().Results().At(index).Pos()] {
		inner.follow(value)
	}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > index {
				inner.follow(fn.Value(n.Results[index]))
			} else if len(n.Results) == 1 {
				inner.follow(Value{Package: fn.Package, Expr: n.Results[0], Index: index})
			}
		}
		return true
	})
	w.results[key] = all
	return all
}
