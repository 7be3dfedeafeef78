// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
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

// choose chooses the actions of all calls of a file, function by function.
func (f *file) choose() {
	var functions [][]call
	at := map[*ast.FuncDecl]int{}
	f.Calls(func(expr *ast.CallExpr, around *ast.FuncDecl) {
		c, ok := f.oldCall(expr, around)
		if !ok || c.note == nil {
			return
		}
		if _, seen := at[around]; !seen || around == nil {
			at[around] = len(functions)
			functions = append(functions, nil)
		}
		functions[at[around]] = append(functions[at[around]], c)
	})
	for _, calls := range functions {
		var known []actions.Call
		for _, c := range calls {
			known = append(known, f.known(c))
		}
		for i, choice := range actions.Choose(known) {
			f.choices[calls[i].CallExpr] = choice
		}
	}
}

// known is what tells the action of a call.
func (f *file) known(c call) actions.Call {
	known := actions.Call{Reason: f.reasonText(c), Note: f.noteText(c.note)}
	if c.function != nil {
		known.Function = c.function.Name.Name
	}
	if name := api.TypeName(f.TypesInfo.TypeOf(c.Args[0])); name != nil {
		known.Regarding = name.Name()
	}
	return known
}

// action is the expression for the action of a call. Where nothing tells one it is the reason, unless that is a text
// which is made at run time.
func (f *file) action(c call, pl *plan.Place) string {
	if names, ok := f.forwarding(c); ok && f.mentions(c.reason, c.function, names.reason) {
		return names.action
	}
	reason, choice := f.constantText(c.reason), f.choices[c.CallExpr]
	switch given := f.actions[reason]; given {
	case "":
	case ByCall:
		choice.Guess = false
	default:
		choice = actions.Choice{Action: given}
	}
	switch {
	case choice.Action != "":
	case reason != "":
		choice.Action = actions.Name(reason)
	case f.made(c.reason) || f.TypesInfo.Types[c.reason].Value != nil: // and empty
		choice.Action = actions.Rest
	}
	if reason != "" && !f.IsTest() {
		f.Chosen = append(f.Chosen, Chosen{reason, choice.Action, choice.Guess, f.Fset.Position(c.Pos())})
	}
	if reason == "" && choice.Guess {
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

// constantText is the value of a constant, or of a variable that is only set to one, or "".
func (f *file) constantText(e ast.Expr) string {
	if value := f.onlyValue(e); value != nil {
		e = value
	}
	if value := f.TypesInfo.Types[e].Value; value != nil && value.Kind() == constant.String {
		return constant.StringVal(value)
	}
	return ""
}

// onlyValue is what a variable is set to where it is declared, if it is never set again, or nil.
func (f *file) onlyValue(e ast.Expr) ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := f.TypesInfo.Uses[id].(*types.Var)
	if !ok || len(f.Assigned[v]) != 1 || !f.Assigned[v][0].Defines || f.Assigned[v][0].Index > 0 {
		return nil
	}
	return f.Assigned[v][0].Expr
}

// reasonText is the reason of a call as far as it is known before the program runs. Of several constants it is one,
// if all tell the same action.
func (f *file) reasonText(c call) string {
	id, ok := ast.Unparen(c.reason).(*ast.Ident)
	if !ok || f.onlyValue(id) != nil || !f.constants(id, c.function) {
		return f.partlyConstant(c.reason)
	}
	v, ok := f.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return f.constantText(id)
	}
	reason := ""
	var first actions.Choice
	for i, value := range f.Assigned[v] {
		text := f.constantText(value.Expr)
		choice := actions.Choose([]actions.Call{{Reason: text}})[0]
		if i > 0 && choice != first {
			return ""
		}
		reason, first = text, choice
	}
	return reason
}

// directive is what a format replaces by an argument.
var directive = regexp.MustCompile("%[a-z]")

// partlyConstant is a text without the parts of it that are not constant.
func (f *file) partlyConstant(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return f.partlyConstant(e.X) + f.partlyConstant(e.Y)
	case *ast.CallExpr:
		if !api.IsNamed(f.Callee(e), "fmt", "Sprintf") || len(e.Args) == 0 {
			break
		}
		n := 0
		return directive.ReplaceAllStringFunc(f.constantText(e.Args[0]), func(string) string {
			if n++; n < len(e.Args) {
				return f.partlyConstant(e.Args[n])
			}
			return ""
		})
	}
	return f.constantText(e)
}

// made reports whether an expression is a text that is put together at run time, of which every value would be an
// action.
func (f *file) made(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		fn := f.Callee(e)
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt"
	case *ast.Ident:
		value := f.onlyValue(e)
		return value != nil && f.made(value)
	}
	return false
}

// noteText is a note, or the format of which it or an error in it is made, or "".
func (f *file) noteText(e ast.Expr) string {
	e = ast.Unparen(e)
	if value := f.onlyValue(e); value != nil {
		e = ast.Unparen(value)
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if text := f.constantText(e); text != "" {
			return text
		}
		return f.noteText(e.X)
	case *ast.CallExpr:
		fn, ok := f.Callee(e).(*types.Func)
		method, isMethod := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		switch {
		case !ok:
		case isMethod && fn.Name() == "Error" && len(e.Args) == 0:
			return f.noteText(method.X)
		case fn.Name() == "Sprintf", fn.Name() == "Errorf", api.IsNamed(fn, "errors", "New"):
			return f.noteText(e.Args[0])
		}
	}
	return f.constantText(e)
}

// ask asks, once for a function, for the action of a reason that is not a constant.
func (f *file) ask(c call, action string) {
	if f.IsTest() || c.function == nil || f.asked[c.function] || f.constants(c.reason, c.function) {
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
	f.Leave(c.function.Name, "action", "%s records a reason that is not a constant, %s: "+
		"write a constant action here, or let the callers pass one", c.function.Name.Name, what)
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
		values := f.Assigned[v] // none for a parameter of a function literal
		return ok && f.parameter(e, fn) == nil && len(values) > 0 && !slices.ContainsFunc(values, func(value assignments.Value) bool {
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
