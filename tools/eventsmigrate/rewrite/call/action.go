// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// ByCall in the place of an action says that the calls of a reason may have different ones.
const ByCall = "*"

// Chosen is the action of a call.
type Chosen struct {
	Reason string // or the function around the call, with (), if the reason is not a constant
	Action string
	Guess  bool // nothing tells the action with certainty, and nobody gave it
	Place  token.Position
}

// action is the expression for the action of a call that records: the parameter of a wrapper or a helper, or a constant.
func (f *file) action(r recording) string {
	if names, ok := f.forwarding(r.function); ok && f.mentions(r.reason, r.function, names.reason) {
		return names.action
	}
	if h := f.passed[r.CallExpr]; h != nil {
		return h.action
	}
	return strconv.Quote(f.decide(r))
}

// decide returns the action of a call: the one that somebody gave for its reason, or else the choice. It reports the
// action, unless the call is in a test, or in an Event beside an Eventf that has the action.
func (f *file) decide(r recording) string {
	choice := f.choices[r.CallExpr]
	reasons := f.reasons(r)
	for _, reason := range reasons {
		switch given := f.actions[reason]; given {
		case "":
		case ByCall:
			choice.Guess = false
		default:
			choice = actions.Choice{Action: given}
		}
	}
	if r.function != nil {
		if fn, ok := f.TypesInfo.Defs[r.function.Name].(*types.Func); ok && api.OldShape(fn) != "" {
			return choice.Action
		}
	}
	for _, reason := range reasons {
		if !f.IsTest() {
			f.Chosen = append(f.Chosen, Chosen{reason, choice.Action, choice.Guess, f.Fset.Position(r.Pos())})
		}
	}
	return choice.Action
}

// reasons are the names under which somebody may give the action of a call: its reason, or those that tell the same
// action, or else the function around it, as in Reconciler.warn().
func (f *file) reasons(r recording) []string {
	if text := f.reasonOf(r.reason); text.Known() && f.reasonText(r.reason) != "" {
		slices.Sort(text.Constants)
		return slices.DeleteFunc(slices.Compact(text.Constants), func(reason string) bool { return reason == "" })
	}
	if r.function == nil {
		return []string{f.Pkg.Name() + "()"}
	}
	name := r.function.Name.Name + "()"
	if receiver := f.receiver(r.function); receiver != "" {
		name = receiver + "." + name
	}
	return []string{name}
}

// receiver is the name of the type whose method a function is, or "".
func (f *file) receiver(function *ast.FuncDecl) string {
	fn, ok := f.TypesInfo.Defs[function.Name].(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return ""
	}
	if name := api.TypeName(fn.Signature().Recv().Type()); name != nil {
		return name.Name()
	}
	return ""
}

// constantText is the one constant that a text is, or "".
func (f *file) constantText(e ast.Expr) string { return f.Data.TextOf(e).Constant() }

// reasonText is the reason of a call as far as it is known before the program runs. Of several constants it is one, if all
// that tell an action tell the same.
func (f *file) reasonText(e ast.Expr) (reason string) {
	text := f.reasonOf(e)
	if !text.Known() {
		return text.ConstantParts()
	}
	if len(text.Constants) == 1 {
		return text.Constants[0]
	}
	for _, other := range text.Constants {
		switch {
		case choiceOf(other).Guess:
		case reason != "" && choiceOf(other) != choiceOf(reason):
			return ""
		default:
			reason = other
		}
	}
	return reason
}

// reasonOf is what is known of a reason. A constant of a type of its own tells it, too, if its method String is called.
func (f *file) reasonOf(e ast.Expr) dataflow.Text {
	if of := f.stringer(e); of != nil && f.TypesInfo.Types[of].Value != nil {
		e = of
	}
	return f.Data.TextOf(e)
}

// stringer is what a method String is called on, or nil.
func (f *file) stringer(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "String" {
		return nil
	}
	if basic, ok := f.TypesInfo.TypeOf(sel.X).Underlying().(*types.Basic); !ok || basic.Info()&types.IsString == 0 {
		return nil
	}
	return sel.X
}

// choiceOf is what a reason alone tells of the action.
func choiceOf(reason string) actions.Choice {
	return actions.Choose([]actions.Call{{Reason: reason}})[0]
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
func (f *file) mentions(e ast.Node, fn *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name && f.parameter(id, fn) != nil
		return !found
	})
	return found
}

// forwarding returns the parameters of a function, if that is itself a method whose shape changes.
func (f *file) forwarding(function *ast.FuncDecl) (parameters, bool) {
	if function == nil {
		return parameters{}, false
	}
	fn, ok := f.TypesInfo.Defs[function.Name].(*types.Func)
	if !ok || !f.Changes(fn) {
		return parameters{}, false
	}
	return f.parametersOf(function, fn), true
}
