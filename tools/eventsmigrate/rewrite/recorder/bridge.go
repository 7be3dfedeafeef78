// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// boundaries bridges the recorders that cross the border between rewritten code
// and code that stays old.
func (f *file) boundaries() {
	f.Flows(f.AST, func(fl border.Flow) {
		if f.Edited(fl.Value) || !f.crosses(fl) {
			return
		}
		value := f.Of(fl.Value)
		target, ok := f.OfType(fl.Target)
		if !ok {
			target = fl.Side
		}
		switch {
		case value == border.NewSide && target == border.OldSide:
			f.MarkEdited(fl.Value)
			f.Place(fl.Value, plan.ToOld, "%s stays with the old API and gets legacy.AsLegacy", f.taker(fl)).
				Wrap(fl.Value, f.Imports.Name(api.Legacy)+".AsLegacy")
		case value == border.OldSide && target == border.NewSide:
			f.MarkEdited(fl.Value)
			f.fromLegacy(fl.Value, fl.Define)
			f.staying(fl.Value, fl.Value)
		case value == border.OldSide && target == border.OldSide && !f.Frozen && f.takingPackage(fl) != "":
			f.Leave(fl.Value, plan.Kept, "%s takes this recorder and stays with the old API", f.taker(fl)).
				About(f.takingPackage(fl))
		}
	})
}

// clientGoBridges drops client-go's bridges to the events API from recorders that are of that API now.
func (f *file) clientGoBridges() {
	f.Visit(func(n ast.Node, stack []ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !api.IsNamed(f.Callee(call), api.Record, "NewEventRecorderAdapter") {
			return true
		}
		recorder := call.Args[0]
		if f.Of(recorder) != border.NewSide {
			return true
		}
		f.MarkEdited(recorder)
		f.Imports.Drop(call.Fun)
		pl := f.Place(call, plan.Unused,
			"this recorder is of the events API now, and record.NewEventRecorderAdapter goes")
		assignment, _ := stack[len(stack)-1].(*ast.AssignStmt)
		if uses := f.onlyName(assignment, recorder); uses != nil {
			from, to := f.Lines(assignment.Pos(), assignment.End())
			pl.Replace(from, to, "")
			for _, use := range uses {
				pl.Replace(use.Pos(), use.End(), f.Text(recorder))
			}
			return true
		}
		pl.Replace(call.Pos(), recorder.Pos(), "").Replace(recorder.End(), call.End(), "")
		return true
	})
}

// onlyName returns the uses of the variable that an assignment defines, if the bridge was all that made it differ from
// the variable of the recorder, and nil otherwise.
func (f *file) onlyName(assignment *ast.AssignStmt, recorder ast.Expr) (uses []*ast.Ident) {
	from, ok := ast.Unparen(recorder).(*ast.Ident)
	if !ok || assignment == nil || len(assignment.Lhs) != 1 {
		return nil
	}
	before, _ := f.LineText(assignment.Pos())
	_, after := f.LineText(assignment.End())
	if strings.TrimSpace(before+after) != "" {
		return nil // something else is on the line
	}
	name, _ := assignment.Lhs[0].(*ast.Ident)
	defined, _ := f.TypesInfo.Defs[name].(*types.Var)
	source, _ := f.TypesInfo.Uses[from].(*types.Var)
	if defined == nil || source == nil || len(f.Data.Values(defined)) != 1 || len(f.Data.Values(source)) != 1 {
		return nil
	}
	for id, used := range f.TypesInfo.Uses {
		if used != defined {
			continue
		}
		if _, there := f.Pkg.Scope().Innermost(id.Pos()).LookupParent(source.Name(), id.Pos()); there != source {
			return nil
		}
		uses = append(uses, id)
	}
	return uses
}

// handedOver finds broadcasters and fakes that are handed to code that stays old. They are made there and stay old too,
// since nothing bridges them; the recorders of such a broadcaster are bridged.
func (f *file) handedOver() {
	f.Flows(f.AST, func(fl border.Flow) {
		if fl.Side != border.OldSide || !api.IsOld(fl.Target) || f.StaysOld(fl.Target) ||
			types.IsInterface(fl.Target) && api.IsOldRecorder(fl.Target) {
			return
		}
		made := f.Maker(fl.Value)
		if made == nil || f.Decided(made) != border.Neither {
			return
		}
		f.Decide(made, border.OldSide)
		category := plan.Constructor
		if f.takenByOurs(fl) {
			category = plan.Kept // the file that takes it was withdrawn, which is reported
		}
		if !f.Frozen {
			f.Leave(made, category, "%s wants %s, so this one stays old%s", f.taker(fl), f.Describe(fl.Target), ofManager(fl))
		}
	})
}

// takenByOurs reports whether a value is assigned to something that the module declares.
func (f *file) takenByOurs(fl border.Flow) bool {
	if fl.Var != nil && fl.Var.IsField() {
		return f.Ours(fl.Var.Pkg())
	}
	obj := f.to(fl)
	return obj != nil && f.Ours(obj.Pkg())
}

// to is the function or the variable by whose name a value is assigned, or nil.
func (f *file) to(fl border.Flow) types.Object {
	switch e := fl.To.(type) {
	case *ast.Ident:
		return f.TypesInfo.Uses[e]
	case *ast.SelectorExpr:
		return f.TypesInfo.Uses[e.Sel]
	}
	return nil
}

// takingPackage is the package of another module whose function a value is passed to, or "". It is not one of those whose
// functions only convert recorders.
func (f *file) takingPackage(fl border.Flow) string {
	fn, ok := f.to(fl).(*types.Func)
	if !ok || fn.Signature().Recv() != nil || f.Ours(fn.Pkg()) {
		return ""
	}
	if path := fn.Pkg().Path(); path != api.Legacy && path != api.Record {
		return path
	}
	return ""
}

// taker names what a value is assigned to.
func (f *file) taker(fl border.Flow) string {
	switch fl.To.(type) {
	case *ast.CompositeLit:
		return f.Describe(f.TypesInfo.TypeOf(fl.To)) + "." + fl.Var.Name()
	case *ast.Ident, *ast.SelectorExpr:
		if text := f.Text(fl.To); !strings.Contains(text, "\n") {
			return text
		}
	}
	return f.Describe(fl.Target)
}

// ofManager says which recorders of a controller-runtime manager have a broadcaster that is handed to the manager: those of
// the old API, which may be made anywhere in the program.
func ofManager(fl border.Flow) string {
	if fl.Var == nil || !fl.Var.IsField() || fl.Var.Name() != "EventBroadcaster" ||
		!strings.HasPrefix(fl.Var.Pkg().Path(), "sigs.k8s.io/controller-runtime/") {
		return ""
	}
	return ": leader election uses it, and so does each recorder that " + api.ManagerMethod + " still makes. " +
		"The manager's new recorders do not"
}

// crosses reports whether a flow is between two recorders, one of which is an
// interface: a struct or a slice of recorders cannot be bridged.
func (f *file) crosses(fl border.Flow) bool {
	if fl.Target == nil || !types.IsInterface(fl.Target) || border.IsTypeParam(fl.Target) {
		return false
	}
	if !api.IsOldRecorder(fl.Target) && len(api.MethodsOfOldShape(fl.Target)) == 0 {
		return false
	}
	t := f.TypesInfo.TypeOf(fl.Value)
	return api.IsOldRecorder(t) || len(api.MethodsOfOldShape(t)) > 0
}

func (f *file) fromLegacy(value ast.Expr, define bool) {
	pl := f.Place(value, plan.ToNew, "this recorder comes from the old API and gets legacy.FromLegacy")
	if define {
		pl.Insert(value.Pos(), f.Imports.Name(f.Target.Events())+".EventRecorder(")
	}
	pl.Wrap(value, f.Imports.Name(api.Legacy)+".FromLegacy")
	if define {
		pl.Insert(value.End(), ")")
	}
}

// methodsOfOld bridges methods of a rewritten recorder that are used as values, or that take what another call returns:
// their type is the old shape, and who takes them is not known. Package reflect,
// by which gomock's mocks name their methods, takes any shape.
func (f *file) methodsOfOld() {
	called := map[ast.Expr]bool{}
	f.Visit(func(n ast.Node, _ []ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = len(n.Args) != 1 // one is all that another call returns, and its parts have no names
			if api.IsNamed(f.Callee(n), "reflect", "TypeOf") {
				called[ast.Unparen(n.Args[0])] = true
			}
		case *ast.SelectorExpr:
			fn, ok := f.TypesInfo.Uses[n.Sel].(*types.Func)
			selection := f.TypesInfo.Selections[n]
			if called[n] || !ok || selection == nil || selection.Kind() != types.MethodVal ||
				!f.Changes(fn) || f.OfReceiver(n) != border.NewSide {
				break
			}
			f.Place(n, plan.ToOld, "a method value keeps the old shape through legacy.AsLegacy").
				Insert(n.X.Pos(), f.Imports.Name(api.Legacy)+".AsLegacy(").Insert(n.X.End(), f.Promotion(n)+")")
		}
		return true
	})
}
