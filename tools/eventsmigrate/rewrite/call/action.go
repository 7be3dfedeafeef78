// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Action says how the action of a call is found. The old API had none, and the
// server refuses an Event without one.
type Action struct {
	// ByFunction takes the verb of the enclosing function's name; the default is
	// the reason.
	ByFunction bool
	// Map has actions by reason, for reasons that are constants. It wins.
	Map map[string]string
}

// action is the expression for the action of a call.
func (f *file) action(c call) string {
	if names, ok := f.forwarding(c); ok && f.isParam(c.reason, c.function, names.reason) {
		return names.action
	}
	value := f.TypesInfo.Types[c.reason].Value
	if value != nil && value.Kind() == constant.String {
		if action, ok := f.actions.Map[constant.StringVal(value)]; ok {
			return strconv.Quote(action)
		}
	}
	empty := value != nil && constant.StringVal(value) == ""
	byFunction := f.actions.ByFunction && value != nil // a reason that is handed in names no function of ours
	if !empty && !byFunction && f.repeatable(c.reason) {
		return f.Text(c.reason)
	}
	if c.function == nil {
		return strconv.Quote("Record")
	}
	return strconv.Quote(verb(c.function.Name.Name))
}

// repeatable reports whether an expression may be written twice: it has no effect
// and gives the same value again.
func (f *file) repeatable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return f.repeatable(e.X)
	case *ast.BinaryExpr:
		return f.repeatable(e.X) && f.repeatable(e.Y)
	case *ast.CallExpr:
		return f.TypesInfo.Types[e.Fun].IsType() && len(e.Args) == 1 && f.repeatable(e.Args[0])
	}
	return false
}

// verb is the first word of a function's name, as an action: scaleDown is Scale.
func verb(function string) string {
	words := strings.TrimLeft(function, "_")
	first, size := utf8.DecodeRuneInString(words)
	end := strings.IndexFunc(words[min(size, len(words)):], func(r rune) bool { return unicode.IsUpper(r) || r == '_' })
	if end < 0 {
		end = len(words) - size
	}
	return string(unicode.ToUpper(first)) + words[size:size+end]
}

// isParam reports whether an expression is the parameter of that name.
func (f *file) isParam(e ast.Expr, fn *ast.FuncDecl, name string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || id.Name != name {
		return false
	}
	v, ok := f.TypesInfo.Uses[id].(*types.Var)
	return ok && fn != nil && v.Parent() == f.TypesInfo.Scopes[fn.Type]
}

// forwarding returns the parameters of the function around a call, if that is
// itself a method whose shape changes.
func (f *file) forwarding(c call) (parameters, bool) {
	if c.function == nil {
		return parameters{}, false
	}
	fn, ok := f.TypesInfo.Defs[c.function.Name].(*types.Func)
	if !ok || !f.Changes(fn) {
		return parameters{}, false
	}
	return f.parametersOf(c.function, fn), true
}
