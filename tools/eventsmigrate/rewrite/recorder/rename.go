// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"go/ast"
	"go/printer"
	"go/types"
	"path"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// renames puts new names in the place of old ones wherever they are written: in declarations, calls, literals and
// assertions.
func (f *file) renames() {
	f.Visit(func(n ast.Node, stack []ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && f.Decided(e) == border.OldSide {
			return false // with all of its options
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if f.Pinned(n.Type) && !f.Generated(n) {
				f.Keep(n.Name, "an interface of another module dictates the signature of %s", n.Name.Name)
			}
		case *ast.Field, *ast.ValueSpec:
			if f.Passes(n) {
				f.Keep(n, "this recorder comes from the old API and goes to code that stays with the old API")
			}
		case *ast.CallExpr:
			f.options(n)
		case *ast.Ident:
			if to, ok := f.Target.Becomes(f.TypesInfo.Uses[n]); ok && !f.InOld(stack) {
				f.rename(n, stack, to)
			}
		}
		return true
	})
}

func (f *file) rename(id *ast.Ident, stack []ast.Node, to api.Name) {
	var expr ast.Expr = id
	if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && sel.Sel == id {
		expr, stack = sel, stack[:len(stack)-1]
	}
	if f.Edited(expr) || to.Lost && !isCalled(expr, stack) {
		return
	}
	f.MarkEdited(expr)
	f.Imports.Drop(expr)
	category := plan.Type
	if _, isFunc := f.TypesInfo.Uses[id].(*types.Func); isFunc {
		category = plan.Constructor
	}
	f.Place(expr, category, "record.%s becomes %s.%s", id.Name, path.Base(to.Path), to.Name).
		Replace(expr.Pos(), expr.End(), f.Imports.Name(to.Path)+"."+to.Name)
	if to.Name == api.NewBroadcaster && !isCalled(expr, stack) {
		f.leaveMerging(expr, "it")
	}
	if strings.HasPrefix(id.Name, "EventRecorder") {
		f.embedding(expr, stack)
	}
}

// isCalled reports whether an expression is the function of the call around it.
func isCalled(expr ast.Expr, stack []ast.Node) bool {
	call, ok := stack[len(stack)-1].(*ast.CallExpr)
	return ok && ast.Unparen(call.Fun) == expr
}

// leaveMerging reports a function that makes broadcasters somewhere else, with what to call in its place.
func (f *file) leaveMerging(function ast.Expr, callee string) {
	f.Leave(function, plan.Notes, "call %s with events.WithNotePolicy(events.%s), or notes that differ become one Event",
		callee, api.NotesApart)
}

// options makes a new broadcaster tell notes apart, and takes away what a call hands to it and nothing there takes.
func (f *file) options(call *ast.CallExpr) {
	to, ok := f.Target.Becomes(f.Callee(call))
	if !ok || to.Name != api.NewBroadcaster {
		return
	}
	var lost []string
	for _, arg := range call.Args {
		value := f.Data.Resolve(arg)
		option, ok := value.(*ast.CallExpr)
		if to.Lost || ok && api.IsNamed(f.Callee(option), api.Record, "WithSleepDuration", "WithCorrelatorOptions") {
			f.Remove(arg)
			f.dropUnused(arg)
			lost = append(lost, f.oneLine(value))
		}
	}
	if len(lost) > 0 {
		f.Keep(call, "the new broadcaster has no counterpart of %s, so this goes", strings.Join(lost, ", "))
	}
	notes := f.notesApartOption()
	if call.Ellipsis.IsValid() {
		f.Leave(call, plan.Notes, "add %s to the options, or notes that differ become one Event", notes)
		return
	}
	pl := f.Place(call, plan.Constructor, "the new broadcaster tells notes apart, as the old one did")
	if len(lost) == len(call.Args) {
		pl.Replace(call.Lparen+1, call.Rparen, notes)
		return
	}
	var last ast.Expr // that is kept
	for i, arg := range call.Args {
		switch {
		case !f.Edited(arg):
			last = arg
		case last != nil:
			pl.Replace(call.Args[i-1].End(), arg.End(), "")
		default:
			pl.Replace(arg.Pos(), call.Args[i+1].Pos(), "")
		}
	}
	pl.Insert(last.End(), ", "+notes)
}

// oneLine is a node in one line, without its comments.
func (f *file) oneLine(n ast.Node) string {
	var lines strings.Builder
	_ = printer.Fprint(&lines, f.Fset, n) // it was parsed
	text := strings.NewReplacer("{ ", "{", ", }", "}", "( ", "(", ", )", ")")
	return text.Replace(strings.Join(strings.Fields(lines.String()), " "))
}

// embedding names a struct that loses its AnnotatedEventf: the events API's
// recorder has none to promote, and annotations recorded through the struct
// would go missing unnoticed.
func (f *file) embedding(expr ast.Expr, stack []ast.Node) {
	field, isField := stack[len(stack)-1].(*ast.Field)
	if !isField || len(field.Names) > 0 {
		return
	}
	spec, isSpec := stack[len(stack)-4].(*ast.TypeSpec) // around the struct and its list of fields
	if _, isStruct := stack[len(stack)-3].(*ast.StructType); !isStruct || !isSpec {
		return
	}
	t := f.TypesInfo.Defs[spec.Name].Type()
	sel := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, string(api.AnnotatedEventf))
	if sel == nil || len(sel.Index()) == 1 {
		return
	}
	f.Leave(expr, plan.Annotations, "%s has no AnnotatedEventf any more: declare one, or annotations do not pass through it",
		spec.Name.Name)
}
