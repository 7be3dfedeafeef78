// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package dataflow follows values backwards, from where they are used to the expressions that make them.
//
//	files ──▶ Package (assignments, calls) ──▶ Program ──▶ Origins ──▶ Text
//
// It does not look at the order of statements: of a variable, all values count that are assigned to it anywhere. A Package
// knows what is in its files. A Program knows the callers of functions and the fields that several packages set, too.
package dataflow

import (
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/types/typeutil"
)

// A Package is the code of one package, or of a part of its files.
type Package struct {
	Types *types.Package
	Info  *types.Info
	// Assignments are those to variables and fields, and Calls all calls, in the order of the files.
	Assignments []Assignment
	Calls       []Call

	funcs  []*ast.FuncDecl
	values map[*types.Var][]Value
	alone  func() *Program
}

// A Value is what a variable or a field is set to.
type Value struct {
	*Package          // that Expr is in
	Expr     ast.Expr // nil for any value: that of an assignment through an address is not known
	Index    int      // of the result, if Expr is a call with several
	Element  bool     // an element or a key of Expr, by range
	Defines  bool     // the variable is declared here, and takes its type from the value
}

// An Assignment sets a variable or a field.
type Assignment struct {
	To *types.Var
	Value
}

// A Call is one in a package.
type Call struct {
	*Package
	*ast.CallExpr
	// In is the function around the call, or nil in the value of a package's variable.
	In *ast.FuncDecl
}

// NewPackage looks at files of a package.
func NewPackage(pkg *types.Package, info *types.Info, files []*ast.File) *Package {
	p := &Package{
		Types:  pkg,
		Info:   info,
		values: map[*types.Var][]Value{},
	}
	p.alone = sync.OnceValue(func() *Program { return NewProgram([]*Package{p}) })
	for _, file := range files {
		for _, decl := range file.Decls {
			p.declaration(decl)
		}
	}
	for _, a := range p.Assignments {
		p.values[a.To] = append(p.values[a.To], a.Value)
	}
	return p
}

// Value is an expression of the package.
func (p *Package) Value(e ast.Expr) Value { return Value{Package: p, Expr: e} }

// Values are those that the package assigns to a variable or a field.
func (p *Package) Values(v *types.Var) []Value { return p.values[v] }

// Function is the function that is declared around a call, or nil.
func (c Call) Function() *types.Func {
	if c.In == nil {
		return nil
	}
	fn, _ := c.Info.Defs[c.In.Name].(*types.Func)
	return fn
}

// Callee returns the function that a call calls, as it was declared, or nil.
func (p *Package) Callee(call *ast.CallExpr) *types.Func {
	if fn, ok := typeutil.Callee(p.Info, call).(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

func (p *Package) declaration(decl ast.Decl) {
	in, _ := decl.(*ast.FuncDecl)
	if in != nil {
		p.funcs = append(p.funcs, in)
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN {
				p.set(n.Lhs[0], Value{Expr: &ast.BinaryExpr{X: n.Lhs[0], Op: token.ADD, Y: n.Rhs[0]}})
			} else {
				p.assign(n.Lhs, n.Rhs, n.Tok == token.DEFINE)
			}
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				names[i] = name
			}
			p.assign(names, n.Values, n.Type == nil)
		case *ast.RangeStmt:
			p.set(n.Key, Value{Expr: n.X, Element: true, Defines: n.Tok == token.DEFINE})
			p.set(n.Value, Value{Expr: n.X, Element: true, Defines: n.Tok == token.DEFINE})
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				p.set(n.X, Value{})
			}
		case *ast.CompositeLit:
			p.fields(n)
		case *ast.CallExpr:
			p.Calls = append(p.Calls, Call{p, n, in})
		}
		return true
	})
}

// assign adds the values of several variables, which may be the results of one call.
func (p *Package) assign(left, right []ast.Expr, defines bool) {
	for i, l := range left {
		switch len(right) {
		case len(left):
			p.set(l, Value{Expr: right[i], Defines: defines})
		case 1:
			p.set(l, Value{Expr: right[0], Index: i, Defines: defines})
		}
	}
}

func (p *Package) set(left ast.Expr, value Value) {
	id, _ := left.(*ast.Ident)
	if selector, ok := left.(*ast.SelectorExpr); ok {
		id = selector.Sel
	}
	if id == nil {
		return
	}
	value.Defines = value.Defines && p.Info.Defs[id] != nil
	if v, ok := p.Info.ObjectOf(id).(*types.Var); ok {
		p.add(v, value)
	}
}

func (p *Package) add(v *types.Var, value Value) {
	value.Package = p
	p.Assignments = append(p.Assignments, Assignment{v, value})
}

// fields adds the values that a literal assigns to the fields of a struct.
func (p *Package) fields(literal *ast.CompositeLit) {
	t := p.Info.TypeOf(literal)
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			p.set(pair.Key, Value{Expr: pair.Value})
		} else {
			p.add(structure.Field(i), Value{Expr: element})
		}
	}
}
