// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// action is the expression for the action of a call. Where nothing says what was done it is the reason. The name of a
// function, such as a wrapper or Reconcile, would be a false answer for all Events.
func (f *file) action(c call, pl *plan.Place) string {
	if names, ok := f.forwarding(c); ok && f.mentions(c.reason, c.function, names.reason) {
		return names.action
	}
	reason, function := f.constantText(c.reason), ""
	if c.function != nil {
		function = c.function.Name.Name
	}
	action := f.actions[reason]
	if action == "" {
		note := c.note
		if sprintf, ok := f.sprintf(c); ok {
			note = sprintf.Args[0]
		}
		action = actions.For(reason, f.constantText(note), function)
		f.ask(c, action)
	}
	if action != "" {
		return strconv.Quote(action)
	}
	if f.repeatable(c.reason) {
		return f.Text(c.reason)
	}
	return f.evaluateOnce(c, pl)
}

// constantText is the value of a constant, or of a variable that is only set to one, or "".
func (f *file) constantText(e ast.Expr) string {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v, ok := f.TypesInfo.Uses[id].(*types.Var); ok && len(f.Assigned[v]) == 1 && f.Assigned[v][0].Defines {
			e = f.Assigned[v][0].Expr
		}
	}
	if value := f.TypesInfo.Types[e].Value; value != nil && value.Kind() == constant.String {
		return constant.StringVal(value)
	}
	return ""
}

// ask asks for the action where the reason tells nothing as one: once for a constant, and once for a function whose reasons
// are not constants.
func (f *file) ask(c call, action string) {
	if f.IsTest() {
		return
	}
	if value := f.TypesInfo.Types[c.reason].Value; value != nil {
		reason := constant.StringVal(value)
		switch known := actions.Of(reason); {
		case f.asked[reason]:
		case !actions.IsUpperCamelCase(reason):
			f.asked[reason] = true
			f.Leave(c.reason, "action", "%q is no name in UpperCamelCase: rename the reason, and say here what was done", reason)
		case len(known) > 1 && action == "":
			f.asked[reason] = true
			f.Leave(c.reason, "action", "reason %q becomes the action, too: say here what was done, such as \"%s\"", reason,
				strings.Join(known, `" or "`))
		}
		return
	}
	if c.function == nil || f.asked[c.function] || f.constants(c.reason, c.function) {
		return
	}
	if fn, ok := f.TypesInfo.Defs[c.function.Name].(*types.Func); ok && api.OldShape(fn) != "" {
		return // an Event beside an Eventf that has the action
	}
	f.asked[c.function] = true
	f.Leave(c.function.Name, "action", "%s records a reason that is not a constant, so the action repeats the reason: "+
		"write a constant action here, or let the callers pass one", c.function.Name.Name)
}

// constants reports whether a reason is one of a few constants: of a type of its own, or a variable that is only set to
// constants.
func (f *file) constants(e ast.Expr, fn *ast.FuncDecl) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if !f.TypesInfo.Types[e.Fun].IsType() {
			return false
		}
		_, named := types.Unalias(f.TypesInfo.TypeOf(e.Args[0])).(*types.Named)
		return named
	case *ast.Ident:
		v, ok := f.TypesInfo.Uses[e].(*types.Var)
		return ok && f.parameter(e, fn) == nil && !slices.ContainsFunc(f.Assigned[v], func(value assignments.Value) bool {
			return value.Expr == nil || f.TypesInfo.Types[value.Expr].Value == nil
		})
	}
	return f.TypesInfo.Types[e].Value != nil
}

// evaluateOnce gives the reason of a call a name in front of the statement, since another evaluation may have an effect
// or another value. Where no statement can stand, the expression is repeated.
func (f *file) evaluateOnce(c call, pl *plan.Place) string {
	path, _ := astutil.PathEnclosingInterval(f.AST, c.Pos(), c.End())
	for i, n := range path {
		statement, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		switch block := path[i+1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			var around ast.Node = f.AST
			if c.function != nil {
				around = c.function
			}
			name, assign := f.freeVar(around, "reason", "eventReason"), " := "
			if f.named[block] {
				assign = " = "
			}
			f.named[block] = true
			pl.Insert(statement.Pos(), name+assign+f.Text(c.reason)+"\n")
			pl.Replace(c.reason.Pos(), c.reason.End(), name)
			return name
		}
		break
	}
	return f.Text(c.reason)
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

// isParam reports whether an expression is the parameter of that name.
func (f *file) isParam(e ast.Expr, fn *ast.FuncDecl, name string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == name && f.parameter(id, fn) != nil
}

// parameter is the parameter of a function that an identifier stands for, or nil.
func (f *file) parameter(id *ast.Ident, fn *ast.FuncDecl) *types.Var {
	v, ok := f.TypesInfo.Uses[id].(*types.Var)
	if !ok || fn == nil || v.Kind() != types.ParamVar || v.Parent() != f.TypesInfo.Scopes[fn.Type] {
		return nil
	}
	return v
}

// mentions reports whether an expression contains the parameter of that name.
func (f *file) mentions(e ast.Expr, fn *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name && f.parameter(id, fn) != nil
		return !found
	})
	return found
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
