// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

const kitPath = sdkEvents + "/eventstest"

// fakes gives the FakeRecorders of a package their form in the events API. For the SDK that is a Recorder of its test kit, where every
// use of the fake is understood; else it stays a channel of the same strings.
func (p *pass) fakes() {
	all := newFakes(p)
	for _, other := range all.files {
		all.collect(other)
		if !other.frozen {
			other.mocks()
		}
	}
	all.judge()
	all.rewrite()
}

// maker is an expression that makes a FakeRecorder.
type maker struct {
	file    *file
	expr    ast.Expr
	stack   []ast.Node // around it
	options string     // of the Recorder that it becomes
}

// makes says whether an expression makes a FakeRecorder.
func (p *pass) makes(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		if fn, ok := typeutil.Callee(p.TypesInfo, e).(*types.Func); ok {
			return isNamed(fn, recordPath, "NewFakeRecorder")
		}
		return p.isNew(e)
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && isFake(p.TypesInfo.TypeOf(e)) && lit.Type != nil
	}
	return false
}

// isNew says whether a call is new(record.FakeRecorder).
func (p *pass) isNew(call *ast.CallExpr) bool {
	return p.TypesInfo.Types[call.Fun].IsBuiltin() && isFake(p.TypesInfo.TypeOf(call))
}

// isFake says whether a type is *record.FakeRecorder.
func isFake(t types.Type) bool {
	if t == nil {
		return false
	}
	ptr, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	return ok && isNamed(named.Obj(), recordPath, "FakeRecorder")
}

// rewrite sends what has been judged.
func (a *fakes) rewrite() {
	for _, m := range a.makers {
		switch why, stays := a.stays[a.find(m.expr)]; {
		case m.file.frozen:
		case why.old:
			a.oldFake(m)
		case stays:
			a.channelFake(m, why)
		default:
			a.kitRecorder(m)
		}
	}
	for _, t := range a.typed {
		switch why, stays := a.stays[a.find(t.node)]; {
		case why.old:
			t.file.edited[t.expr] = true
		case !stays:
			t.file.dropType(t.expr)
			t.file.rewrite(t.expr, "type", "record.FakeRecorder is eventstest.Recorder in the SDK's test kit").
				replace(t.expr.Pos(), t.expr.End(), t.file.pkg(kitPath)+".Recorder")
		}
	}
	for _, r := range a.reads {
		if _, stays := a.stays[a.find(r.node)]; !stays && r.form.effect != joins {
			pl := r.file.rewrite(r.form.at, "fake", "what the channel had is in the Recorder's Occurrences")
			r.form.edit(pl)
		}
	}
}

// channelFake is the default: the FakeRecorder of the events API, whose channel
// has the same strings.
func (a *fakes) channelFake(m *maker, why reason) {
	f := m.file
	if call, ok := m.expr.(*ast.CallExpr); ok && !a.isNew(call) {
		f.dropName(call.Fun)
		f.made[call] = true
		f.rewrite(call, "fake", "the FakeRecorder of the events API").
			replace(call.Fun.Pos(), call.Fun.End(), f.pkg(f.config.eventsPath())+".NewFakeRecorder")
	}
	if a.config.target() == SDK {
		f.keep(m.expr, "%s: it stays a FakeRecorder, which blocks its caller when its channel is full", why.text)
	}
}

// oldFake leaves a fake to the old API, with what holds it.
func (a *fakes) oldFake(m *maker) {
	for obj := range a.objects {
		if a.find(obj) == a.find(m.expr) {
			a.origin[obj] = origin{expr: m.expr}
		}
	}
	switch e := m.expr.(type) {
	case *ast.CallExpr:
		m.file.edited[e.Fun] = true
	case *ast.UnaryExpr:
		m.file.edited[ast.Unparen(e.X).(*ast.CompositeLit).Type] = true
	}
}

// kitRecorder makes a fake a Recorder of the test kit.
func (a *fakes) kitRecorder(m *maker) {
	f := m.file
	switch e := m.expr.(type) {
	case *ast.CallExpr:
		f.made[e] = true
		if a.isNew(e) {
			f.dropType(e.Args[0])
		} else {
			f.dropName(e.Fun)
		}
	case *ast.UnaryExpr:
		f.dropType(ast.Unparen(e.X).(*ast.CompositeLit).Type)
	}
	f.rewrite(m.expr, "fake", "a Recorder of the SDK's test kit").
		replace(m.expr.Pos(), m.expr.End(), f.pkg(kitPath)+".NewRecorder("+m.options+")")
}

// dropType notes that an edit removes the name of a type.
func (f *file) dropType(e ast.Expr) {
	f.edited[ast.Unparen(e)] = true
	f.dropName(e)
}
