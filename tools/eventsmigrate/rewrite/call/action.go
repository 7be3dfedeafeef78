// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// ByCall in the place of an action says that the calls of a reason may have different ones.
const ByCall = "*"

// Chosen is the action of a call whose reason is a constant.
type Chosen struct {
	Reason string
	Action string
	Guess  bool // nothing tells the action with certainty, and nobody gave it
	Place  token.Position
}

// decide returns the action of a call: the one that somebody gave for its reason, or else the choice. It reports the action,
// unless the reason is no constant, or the call is in a test.
func (f *file) decide(call *ast.CallExpr, reason string) actions.Choice {
	choice := f.choices[call]
	switch given := f.actions[reason]; given {
	case "":
	case ByCall:
		choice.Guess = false
	default:
		choice = actions.Choice{Action: given}
	}
	if reason != "" && !f.IsTest() {
		f.Chosen = append(f.Chosen, Chosen{reason, choice.Action, choice.Guess, f.Fset.Position(call.Pos())})
	}
	return choice
}

// action is the expression for the action of a call. Where nothing tells one, nor what the reason is, it is the reason,
// unless that is a text which is made at run time.
func (f *file) action(c call, pl *plan.Place) string {
	if names, ok := f.forwarding(c); ok && f.mentions(c.reason, c.function, names.reason) {
		return names.action
	}
	text := f.Data.TextOf(c.reason)
	reason := text.Constant()
	choice := f.decide(c.CallExpr, reason)
	if choice.Action == "" && (text.Volatile != "" || text.Known() && text.Constants[0] == "") {
		choice.Action = actions.Rest // each text would be an action, or none is one
	}
	if choice.Guess && reason == "" && !text.Known() && !f.isEnumerated(c.reason) {
		f.ask(c, choice.Action)
	}
	switch {
	case choice.Action != "" && choice.Action != reason:
		return strconv.Quote(choice.Action)
	case f.repeatable(c.reason):
		return f.Text(c.reason)
	}
	return f.evaluateOnce(c, pl)
}

// constantText is the one constant that a text is, or "".
func (f *file) constantText(e ast.Expr) string { return f.Data.TextOf(e).Constant() }

// reasonText is the reason of a call as far as it is known before the program runs. Of several constants it is one,
// if all tell the same action.
func (f *file) reasonText(e ast.Expr) string {
	text := f.Data.TextOf(e)
	if !text.Known() {
		return text.ConstantParts()
	}
	reason := text.Constants[0]
	for _, other := range text.Constants[1:] {
		if choiceOf(other) != choiceOf(reason) {
			return ""
		}
	}
	return reason
}

// choiceOf is what a reason alone tells of the action.
func choiceOf(reason string) actions.Choice {
	return actions.Choose([]actions.Call{{Reason: reason}})[0]
}

// ask asks, once for a function, for the action of a reason that is not a constant.
func (f *file) ask(c call, action string) {
	if f.IsTest() || c.function == nil || f.asked[c.function] {
		return
	}
	if fn, ok := f.TypesInfo.Defs[c.function.Name].(*types.Func); ok && api.OldShape(fn) != "" {
		return // an Event beside an Eventf that has the action
	}
	f.asked[c.function] = true
	what := "so the action repeats the reason"
	if action != "" {
		what = "and its action " + action + " is a guess"
	}
	f.Leave(c.function.Name, plan.Action, "%s records a reason that is not a constant, %s: "+
		"write a constant action here, or let the callers pass one", c.function.Name.Name, what)
}

// isEnumerated reports whether a reason is converted from a type of its own, which stands for a few constants.
func (f *file) isEnumerated(reason ast.Expr) bool {
	conversion, ok := ast.Unparen(reason).(*ast.CallExpr)
	if !ok || !f.TypesInfo.Types[conversion.Fun].IsType() {
		return false
	}
	_, named := types.Unalias(f.TypesInfo.TypeOf(conversion.Args[0])).(*types.Named)
	return named
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
