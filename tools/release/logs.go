// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// loggers are the packages whose calls are log lines.
var loggers = []string{"github.com/go-logr/logr", "k8s.io/klog/v2"}

// logsOf returns every line that a package logs: the level, the message and the keys in their order, with the value of
// advice. What is no constant is an error: nobody can look for it, and a check cannot hold it.
func logsOf(p *packages.Package) (lines []string, err error) {
	var errs []error
	r := newReader(p)
	for _, call := range r.calls {
		logged, err := r.read(call)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: a log line that no check can hold: %w", p.Fset.Position(call.Pos()), err))
		}
		lines = append(lines, logged...)
	}
	return lines, errors.Join(errs...)
}

// reader reads the log calls of a package.
type reader struct {
	*packages.Package
	calls []*ast.CallExpr
	// loggers are the values of variables that are set once, where they are declared.
	loggers map[types.Object]ast.Expr
	// arguments are what the package's own functions are called with, by parameter.
	arguments map[types.Object][]ast.Expr
}

func newReader(p *packages.Package) *reader {
	r := &reader{Package: p, loggers: map[types.Object]ast.Expr{}, arguments: map[types.Object][]ast.Expr{}}
	for _, file := range p.Syntax {
		for node := range ast.Preorder(file) {
			switch n := node.(type) {
			case *ast.AssignStmt:
				r.assigned(n)
			case *ast.CallExpr:
				r.called(n)
			}
		}
	}
	return r
}

func (r *reader) assigned(n *ast.AssignStmt) {
	for i, left := range n.Lhs {
		if name, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && r.TypesInfo.Defs[name] != nil {
			r.loggers[r.TypesInfo.Defs[name]] = n.Rhs[i]
		}
	}
}

func (r *reader) called(call *ast.CallExpr) {
	f := r.function(call)
	switch {
	case f == nil || f.Pkg() == nil:
	case slices.Contains(loggers, f.Pkg().Path()):
		if _, logs := messageAt[f.Name()]; logs && !passes(f) {
			r.calls = append(r.calls, call)
		}
	case f.Pkg() == r.Types && len(call.Args) == f.Signature().Params().Len():
		for i, arg := range call.Args {
			parameter := f.Signature().Params().At(i)
			r.arguments[parameter] = append(r.arguments[parameter], arg)
		}
	}
}

// passes tells whether f is a method of an interface, such as logr's LogSink: those pass on what another call logged.
func passes(f *types.Func) bool {
	receiver := f.Signature().Recv()
	return receiver != nil && types.IsInterface(receiver.Type())
}

// messageAt is where the message stands among the arguments of a logger's function, by its name. The texts of the
// functions that format are no constants, which read says.
var messageAt = map[string]int{
	"Info": 0, "InfoS": 0, "Error": 1, "ErrorS": 1,
	"Infof": 0, "Errorf": 0, "Warningf": 0, "Fatalf": 0, "Warning": 0, "Fatal": 0, "Infoln": 0, "Errorln": 0,
}

func (r *reader) function(call *ast.CallExpr) *types.Func {
	var name *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel
	case *ast.Ident:
		name = f
	default:
		return nil
	}
	f, _ := r.TypesInfo.Uses[name].(*types.Func)
	return f
}

// read returns the lines of a log call: one, or one for each text that its function is called with.
func (r *reader) read(call *ast.CallExpr) ([]string, error) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil, fmt.Errorf("%s is called in a way that this check cannot read", types.ExprString(call.Fun))
	}
	level, keys, err := r.logger(selector.X)
	if err != nil {
		return nil, err
	}
	at := messageAt[selector.Sel.Name]
	if level == "" || at > 0 {
		level = strings.TrimSuffix(selector.Sel.Name, "S")
	}
	messages, err := r.messages(call.Args[at])
	if err != nil {
		return nil, err
	}
	more, err := r.keys(call.Args[at+1:])
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(messages))
	for i, message := range messages {
		lines[i] = strings.Join(slices.Concat([]string{level, strconv.Quote(message)}, keys, more), " ")
	}
	return lines, nil
}

// logger follows an expression to what was asked of the logger before: its verbosity and its values.
func (r *reader) logger(x ast.Expr) (level string, keys []string, err error) {
	switch x := x.(type) {
	case *ast.Ident:
		if value := r.loggers[r.TypesInfo.Uses[x]]; value != nil {
			return r.logger(value)
		}
	case *ast.CallExpr:
		selector, ok := x.Fun.(*ast.SelectorExpr)
		if !ok {
			return "", nil, nil
		}
		switch selector.Sel.Name {
		case "V":
			_, keys, err = r.logger(selector.X)
			return "V(" + types.ExprString(x.Args[0]) + ")", keys, err
		case "WithValues":
			level, keys, err = r.logger(selector.X)
			if err != nil {
				return "", nil, err
			}
			more, err := r.keys(x.Args)
			return level, append(keys, more...), err
		}
	}
	return "", nil, nil
}

// messages returns a constant, or those that are passed for a parameter.
func (r *reader) messages(x ast.Expr) (all []string, err error) {
	passed := []ast.Expr{x}
	if name, ok := x.(*ast.Ident); ok && r.arguments[r.TypesInfo.Uses[name]] != nil {
		passed = r.arguments[r.TypesInfo.Uses[name]]
	}
	for _, x := range passed {
		message, ok := r.constant(x)
		if !ok {
			return nil, fmt.Errorf("the message %s is no constant", types.ExprString(x))
		}
		all = append(all, message)
	}
	return all, nil
}

func (r *reader) keys(args []ast.Expr) ([]string, error) {
	var keys []string
	for i := 0; i < len(args); i += 2 {
		key, ok := r.constant(args[i])
		if !ok {
			return nil, fmt.Errorf("the key %s is no constant", types.ExprString(args[i]))
		}
		if key == "advice" { // alerts and documentation look for its value
			advice, ok := r.constant(args[i+1])
			if !ok {
				return nil, fmt.Errorf("the advice %s is no constant", types.ExprString(args[i+1]))
			}
			key += "=" + advice
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func (r *reader) constant(x ast.Expr) (string, bool) {
	value := r.TypesInfo.Types[x].Value
	if value == nil || value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(value), true
}
