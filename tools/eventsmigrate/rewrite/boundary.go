// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// boundaries bridges the recorders that cross the border between rewritten code
// and code that stays old.
func (f *file) boundaries() {
	f.flows(func(fl flow) {
		if f.edited[fl.value] || !f.crosses(fl) {
			return
		}
		value := f.ofExpr(fl.value)
		target, ok := f.ofType(fl.target)
		if !ok {
			target = fl.side
		}
		switch {
		case value == newSide && target == oldSide:
			f.edited[fl.value] = true
			f.rewrite(fl.value, "boundary", "%s stays with the old API and gets legacy.AsLegacy", f.taker(fl)).
				wrap(fl.value, f.pkg(sdkLegacy)+".AsLegacy")
		case value == oldSide && target == newSide:
			f.edited[fl.value] = true
			f.fromLegacy(fl.value, fl.define)
		}
	})
	if !f.frozen {
		f.methodsOfOld()
	}
}

// handedOver finds broadcasters and fakes that are handed to code that stays old. They are made there and stay old too,
// since nothing bridges them; the recorders of such a broadcaster are bridged.
func (f *file) handedOver() {
	f.flows(func(fl flow) {
		if fl.side != oldSide || !isOld(fl.target) || f.staysOld(fl.target) ||
			types.IsInterface(fl.target) && isOldRecorder(fl.target) {
			return
		}
		made := f.maker(fl.value)
		if _, known := f.decided[made]; made == nil || known {
			return
		}
		f.decided[made] = oldSide
		category := "constructor"
		if f.takenByOurs(fl) {
			category = Kept // the file that takes it was withdrawn, which is reported
		}
		if !f.frozen {
			f.leave(made, category, "%s wants %s, so this one stays old", f.taker(fl), f.describe(fl.target))
		}
	})
}

// takenByOurs reports whether a value is assigned to something that the module declares.
func (f *file) takenByOurs(fl flow) bool {
	if fl.field != nil {
		return f.ours(fl.field.Pkg())
	}
	switch e := fl.to.(type) {
	case *ast.Ident:
		return f.TypesInfo.Uses[e] != nil && f.ours(f.TypesInfo.Uses[e].Pkg())
	case *ast.SelectorExpr:
		return f.TypesInfo.Uses[e.Sel] != nil && f.ours(f.TypesInfo.Uses[e.Sel].Pkg())
	}
	return false
}

// maker is the call of the old package or the literal that makes what a local variable holds, or nil.
func (f *file) maker(value ast.Expr) ast.Expr {
	switch e := ast.Unparen(value).(type) {
	case *ast.CallExpr:
		if fn := f.callee(e); isTopLevel(fn) {
			return e
		}
	case *ast.CompositeLit:
		if isOld(f.TypesInfo.TypeOf(e)) {
			return e
		}
	case *ast.UnaryExpr:
		return f.maker(e.X)
	case *ast.Ident:
		if from, ok := f.origin[f.TypesInfo.Uses[e]]; ok {
			return f.maker(from)
		}
	}
	return nil
}

// taker names what a value is assigned to.
func (f *file) taker(fl flow) string {
	if fl.field != nil {
		return f.describe(f.TypesInfo.TypeOf(fl.to)) + "." + fl.field.Name()
	}
	switch fl.to.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if text := f.text(fl.to); !strings.Contains(text, "\n") {
			return text
		}
	}
	return f.describe(fl.target)
}

// crosses says whether a flow is between two recorders, one of which is an
// interface: a struct or a slice of recorders cannot be bridged.
func (f *file) crosses(fl flow) bool {
	if fl.target == nil || !types.IsInterface(fl.target) || isTypeParam(fl.target) {
		return false
	}
	if !isOldRecorder(fl.target) && len(methodsOfOldShape(fl.target)) == 0 {
		return false
	}
	t := f.TypesInfo.TypeOf(fl.value)
	return isOldRecorder(t) || len(methodsOfOldShape(t)) > 0
}

func (f *file) fromLegacy(value ast.Expr, define bool) {
	pl := f.rewrite(value, "boundary", "this recorder comes from the old API and gets legacy.FromLegacy")
	if define {
		pl.insert(value.Pos(), f.pkg(f.config.eventsPath())+".EventRecorder(")
	}
	pl.wrap(value, f.pkg(sdkLegacy)+".FromLegacy")
	if define {
		pl.insert(value.End(), ")")
	}
}

// describe names a type as its users write it.
func (f *file) describe(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string { return pkg.Name() })
}

// methodsOfOld bridges methods of a rewritten recorder that are used as values:
// their type is the old shape, and who takes them is not known. Package reflect,
// by which gomock's mocks name their methods, takes any shape.
func (f *file) methodsOfOld() {
	called := map[ast.Expr]bool{}
	f.visit(func(n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
			if fn, ok := typeutil.Callee(f.TypesInfo, n).(*types.Func); ok && isNamed(fn, "reflect", "TypeOf") {
				called[ast.Unparen(n.Args[0])] = true
			}
		case *ast.SelectorExpr:
			if called[n] {
				return
			}
			fn, ok := f.TypesInfo.Uses[n.Sel].(*types.Func)
			selection := f.TypesInfo.Selections[n]
			if !ok || selection == nil || selection.Kind() != types.MethodVal || oldShape(fn) == "" ||
				!f.changes(fn) || f.ofReceiver(n) != newSide {
				return
			}
			pl := f.rewrite(n, "boundary", "a method value keeps the old shape through legacy.AsLegacy")
			f.wrapReceiver(pl, n, f.pkg(sdkLegacy)+".AsLegacy")
		}
	})
}

// adapters removes client-go's adapter from an old recorder to the new shape where the recorder is a new one now.
func (f *file) adapters() {
	f.visit(func(n ast.Node, _ []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !isNamed(f.callee(call), recordPath, "NewEventRecorderAdapter") ||
			f.ofExpr(call.Args[0]) != newSide {
			return
		}
		arg := call.Args[0]
		f.edited[arg] = true // it needs no bridge to what is gone
		f.dropName(call.Fun)
		f.rewrite(call, "constructor", "this recorder has the new shape, and needs no NewEventRecorderAdapter").
			replace(call.Pos(), arg.Pos(), "").replace(arg.End(), call.End(), "")
	})
}
