// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// code is all packages of a program. It knows objects by the places of their declarations, since the type checker makes
// another object for each variant of a package.
type code struct {
	fset   *token.FileSet
	funcs  map[token.Pos]function
	sites  map[token.Pos][]site  // the calls of a function
	values map[token.Pos][]value // what is assigned to a variable or a field, or passed to a parameter
	docs   *docs
}

// A function is one with a body.
type function struct {
	*recording.Survey
	*types.Func
	decl *ast.FuncDecl
}

// A site is a call.
type site struct {
	*recording.Survey
	call   *ast.CallExpr
	cursor inspector.Cursor
}

// A value is an expression and the package that it is in.
type value struct {
	*recording.Survey
	assignments.Value
}

func newCode(fset *token.FileSet, surveys []*recording.Survey) *code {
	c := &code{
		fset:   fset,
		funcs:  map[token.Pos]function{},
		sites:  map[token.Pos][]site{},
		values: map[token.Pos][]value{},
		docs:   &docs{fset: fset},
	}
	for _, s := range surveys {
		for fn, decl := range s.Funcs {
			if decl.Body != nil {
				c.funcs[fn.Pos()] = function{s, fn, decl}
			}
		}
		for v, assigned := range s.Assigned {
			for _, from := range assigned {
				c.assign(v, value{s, from})
			}
		}
	}
	var dynamic []site
	for _, s := range surveys {
		for _, cursor := range s.Sites {
			from := site{s, cursor.Node().(*ast.CallExpr), cursor}
			if fn := s.Callee(from.call); fn != nil {
				c.call(fn, from)
			} else if _, ok := objectOf(s.Info, from.call.Fun).(*types.Var); ok {
				dynamic = append(dynamic, from)
			}
		}
	}
	for _, from := range dynamic { // a variable holds the function
		for _, held := range c.origins(from.Survey, from.call.Fun) {
			if fn, ok := objectOf(held.Info, held.Expr).(*types.Func); ok {
				c.call(fn, from)
			}
		}
	}
	return c
}

// call adds a call of a function, and what it passes to parameters.
func (c *code) call(fn *types.Func, from site) {
	c.sites[fn.Pos()] = append(c.sites[fn.Pos()], from)
	params := fn.Signature().Params()
	for i, arg := range from.call.Args {
		if i < params.Len() && !(fn.Signature().Variadic() && i == params.Len()-1) {
			c.assign(params.At(i), value{from.Survey, assignments.Value{Expr: arg}})
		}
	}
}

func (c *code) assign(to *types.Var, from value) {
	if to.Pos().IsValid() {
		c.values[to.Pos()] = append(c.values[to.Pos()], from)
	}
}

// origins follows a value through variables, fields, parameters and functions to the expressions that make it, whoever
// calls the functions.
func (c *code) origins(s *recording.Survey, expr ast.Expr) []value {
	var found []value
	c.origin(value{s, assignments.Value{Expr: expr}}, map[token.Pos]bool{}, &found)
	return found
}

func (c *code) origin(from value, seen map[token.Pos]bool, found *[]value) {
	if from.Expr == nil {
		return
	}
	if from.Element {
		c.elements(from, seen, found)
		return
	}
	expr := ast.Unparen(from.Expr)
	switch e := expr.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		v, ok := objectOf(from.Info, e).(*types.Var)
		if !ok || len(c.values[v.Pos()]) == 0 {
			break
		}
		if !seen[v.Pos()] {
			seen[v.Pos()] = true
			for _, next := range c.values[v.Pos()] {
				c.origin(next, seen, found)
			}
		}
		return
	case *ast.UnaryExpr:
		c.origin(value{from.Survey, assignments.Value{Expr: e.X}}, seen, found)
		return
	case *ast.StarExpr:
		c.origin(value{from.Survey, assignments.Value{Expr: e.X}}, seen, found)
		return
	case *ast.TypeAssertExpr:
		c.origin(value{from.Survey, assignments.Value{Expr: e.X}}, seen, found)
		return
	case *ast.CallExpr:
		if from.Info.Types[e.Fun].IsType() {
			c.origin(value{from.Survey, assignments.Value{Expr: e.Args[0]}}, seen, found)
			return
		}
		if fn := from.Callee(e); fn != nil && c.funcs[fn.Pos()].decl != nil {
			c.results(c.funcs[fn.Pos()], from.Index, seen, found)
			return
		}
	}
	*found = append(*found, value{from.Survey, assignments.Value{Expr: expr}})
}

// elements follows the elements of a list that is written out.
func (c *code) elements(list value, seen map[token.Pos]bool, found *[]value) {
	for _, from := range c.origins(list.Survey, list.Expr) {
		literal, ok := from.Expr.(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, element := range literal.Elts {
			c.origin(value{from.Survey, assignments.Value{Expr: element}}, seen, found)
		}
	}
}

// results follows what a function returns.
func (c *code) results(fn function, index int, seen map[token.Pos]bool, found *[]value) {
	if seen[fn.Pos()] {
		return
	}
	seen[fn.Pos()] = true
	for _, from := range c.values[fn.Signature().Results().At(index).Pos()] {
		c.origin(from, seen, found)
	}
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > index {
				c.origin(value{fn.Survey, assignments.Value{Expr: n.Results[index]}}, seen, found)
			} else if len(n.Results) == 1 {
				c.origin(value{fn.Survey, assignments.Value{Expr: n.Results[0], Index: index}}, seen, found)
			}
		}
		return true
	})
}

// objectOf returns what a name or a selector stands for.
func objectOf(info *types.Info, expr ast.Expr) types.Object {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return info.ObjectOf(e)
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	}
	return nil
}
