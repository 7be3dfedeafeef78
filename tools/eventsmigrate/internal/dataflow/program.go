// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Program is some packages. It knows objects by the places of their declarations, since the type checker makes another
// object for each variant of a package.
type Program struct {
	funcs  map[token.Pos]function
	calls  map[token.Pos][]Call  // of each function
	values map[token.Pos][]Value // that are assigned to a variable or a field
	passed map[token.Pos][]Value // to a parameter
}

// A function is one with a body.
type function struct {
	*Package
	*types.Func
	body *ast.BlockStmt
}

// Alone is a program of this package.
func (p *Package) Alone() *Program { return p.alone() }

// NewProgram links packages.
func NewProgram(pkgs []*Package) *Program {
	p := &Program{
		funcs:  map[token.Pos]function{},
		calls:  map[token.Pos][]Call{},
		values: map[token.Pos][]Value{},
		passed: map[token.Pos][]Value{},
	}
	for _, pkg := range pkgs {
		for _, decl := range pkg.funcs {
			if fn, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok && decl.Body != nil {
				p.funcs[fn.Pos()] = function{pkg, fn, decl.Body}
			}
		}
		for _, a := range pkg.Assignments {
			if a.To.Pos().IsValid() {
				p.values[a.To.Pos()] = append(p.values[a.To.Pos()], a.Value)
			}
		}
	}
	p.link(pkgs)
	return p
}

// link finds what each call calls: a function, the method of an interface and those that implement it, or what a variable
// holds. What variables hold is better known when the arguments of the other calls are.
func (p *Program) link(pkgs []*Package) {
	implementing := map[token.Pos][]*types.Func{}
	var dynamic []Call
	for _, pkg := range pkgs {
		for _, call := range pkg.Calls {
			fn := pkg.Callee(call.CallExpr)
			if fn == nil {
				if pkg.Variable(call.Fun) != nil {
					dynamic = append(dynamic, call)
				}
				continue
			}
			p.call(fn, call)
			methods, known := implementing[fn.Pos()]
			if !known {
				methods = p.implementing(fn, pkgs)
				implementing[fn.Pos()] = methods
			}
			for _, method := range methods {
				p.call(method, call)
			}
		}
	}
	for _, call := range dynamic {
		for _, held := range p.Origins(call.Value(call.Fun), Reach{Args: p.Passed, Fields: AllFields}) {
			if fn, ok := held.Object(held.Expr).(*types.Func); ok {
				p.call(fn, call)
			}
		}
	}
}

// implementing returns the methods that a call of an interface's method may call, if one of the packages declares the
// interface. Of any other function there are none.
func (p *Program) implementing(method *types.Func, pkgs []*Package) (all []*types.Func) {
	recv := method.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) || !slices.ContainsFunc(pkgs, func(pkg *Package) bool {
		return method.Pkg() != nil && pkg.Types.Path() == method.Pkg().Path()
	}) {
		return nil
	}
	declared := recv.Type().Underlying().(*types.Interface)
	for _, fn := range p.funcs {
		if own := fn.Signature().Recv(); own != nil && fn.Name() == method.Name() && implements(own.Type(), declared) {
			all = append(all, fn.Func)
		}
	}
	return all
}

// implements reports whether a type, or a pointer to it, has the methods of an interface. It compares texts, since the
// types in two variants of a package are not identical.
func implements(t types.Type, declared *types.Interface) bool {
	if _, isPointer := types.Unalias(t).(*types.Pointer); !isPointer {
		t = types.NewPointer(t)
	}
	for wanted := range declared.Methods() {
		found, _, _ := types.LookupFieldOrMethod(t, false, wanted.Pkg(), wanted.Name())
		if own, ok := found.(*types.Func); !ok || shape(own) != shape(wanted) {
			return false
		}
	}
	return true
}

// shape is a text for the types of a function's parameters and results.
func shape(fn *types.Func) string {
	var text strings.Builder
	for _, tuple := range []*types.Tuple{fn.Signature().Params(), fn.Signature().Results()} {
		for v := range tuple.Variables() {
			text.WriteString(types.TypeString(v.Type(), nil) + ",")
		}
		text.WriteString(";")
	}
	return text.String()
}

// call adds a call of a function, and what it passes to parameters.
func (p *Program) call(fn *types.Func, call Call) {
	p.calls[fn.Pos()] = append(p.calls[fn.Pos()], call)
	for i, arg := range call.Args {
		if param := paramAt(fn, call, i); param != nil && param.Pos().IsValid() {
			p.passed[param.Pos()] = append(p.passed[param.Pos()], call.Value(arg))
		}
	}
}

// paramAt returns the parameter that has the i-th argument as its value, or nil.
func paramAt(fn *types.Func, call Call, i int) *types.Var {
	params := fn.Signature().Params()
	switch {
	case i >= params.Len(), fn.Signature().Variadic() && i == params.Len()-1:
		return nil
	case len(call.Args) == 1 && params.Len() > 1: // the results of another call
		return nil
	}
	return params.At(i)
}

// CallsOf returns the calls of a function, which may be in any package. Those of an interface's method are also calls of the
// methods that implement it.
func (p *Program) CallsOf(fn *types.Func) []Call { return p.calls[fn.Pos()] }

// Values are those that the packages assign to a variable or a field.
func (p *Program) Values(v *types.Var) []Value { return p.values[v.Pos()] }

// Passed returns what all calls pass to a parameter.
func (p *Program) Passed(param *types.Var) []Value { return p.passed[param.Pos()] }

// Argument returns what a call of a function passes to one of its parameters. It has no expression if the call does not
// tell, and ok is false if the function has no such parameter.
func (c Call) Argument(fn *types.Func, param *types.Var) (arg Value, ok bool) {
	for i := range fn.Signature().Params().Len() {
		if fn.Signature().Params().At(i).Pos() != param.Pos() {
			continue
		}
		if i >= len(c.Args) || paramAt(fn, c, i) == nil {
			return c.Value(nil), true
		}
		return c.Value(c.Args[i]), true
	}
	return Value{}, false
}
