// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

const (
	coreClientPath = "k8s.io/client-go/kubernetes/typed/core/v1"
	clientPath     = "k8s.io/client-go/kubernetes"
	schemePath     = "k8s.io/client-go/kubernetes/scheme"
	waitPath       = "k8s.io/apimachinery/pkg/util/wait"
)

// sinks finds the clients behind StartRecordingToSink. A test may have a start of
// its own, but no function writes to two sinks.
func (w *wiring) sinks() {
	for i, start := range w.starts {
		for _, other := range w.starts[:i] {
			if other.declaration() == start.declaration() {
				w.refuse("it writes to several sinks (%s and %s)", w.place(other.expr), w.place(start.expr))
				return
			}
		}
		if !w.sink(start) {
			return
		}
	}
}

func (w *wiring) sink(start use) bool {
	if len(start.call().Args) != 1 {
		return false
	}
	sink := start.call().Args[0]
	client := start.clientOf(sink)
	switch {
	case client == nil:
		w.refuse("its sink is not made of a client's CoreV1().Events(...) right there (%s)", w.place(sink))
	case !w.isClient(client):
		w.refuse("%s, of type %s, does not have EventsV1: hand in a kubernetes.Interface (%s)",
			start.text(client), start.describe(w.TypesInfo.TypeOf(client)), w.place(sink))
	case start.guarded(client):
		w.refuse("%s may be nil (%s): make the broadcaster where it is not", start.text(client), w.place(sink))
	default:
		w.clients = append(w.clients, &need{use: start, expr: client})
		return true
	}
	return false
}

// clientOf is x in &EventSinkImpl{Interface: x.CoreV1().Events("")}, also in the
// older typedcorev1.New(x.CoreV1().RESTClient()).Events("").
func (f *file) clientOf(sink ast.Expr) ast.Expr {
	if unary, ok := ast.Unparen(sink).(*ast.UnaryExpr); ok && unary.Op == token.AND {
		sink = unary.X
	}
	lit, ok := ast.Unparen(sink).(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 1 || !isNamed(typeNameOrNil(f.TypesInfo.TypeOf(lit)), coreClientPath, "EventSinkImpl") {
		return nil
	}
	value := lit.Elts[0]
	if kv, ok := value.(*ast.KeyValueExpr); ok {
		value = kv.Value
	}
	core := f.selected(value, "Events")
	if call, ok := ast.Unparen(core).(*ast.CallExpr); ok && isNamed(f.callee(call), coreClientPath, "New") {
		core = f.selected(call.Args[0], "RESTClient")
	}
	return f.selected(core, "CoreV1")
}

// selected is x in x.method(...), or nil.
func (f *file) selected(e ast.Expr, method string) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method {
		return nil
	}
	return sel.X
}

func (f *file) callee(call *ast.CallExpr) types.Object {
	return typeutil.Callee(f.TypesInfo, call)
}

// isClient says whether an expression is what the constructor needs.
func (w *wiring) isClient(e ast.Expr) bool {
	t := w.TypesInfo.TypeOf(e)
	if w.config.target() != SDK {
		return hasMethods(t, "EventsV1")
	}
	pkg := imported(w.Pkg, clientPath, map[*types.Package]bool{})
	if pkg == nil {
		return false
	}
	obj := pkg.Scope().Lookup("Interface")
	if obj == nil {
		return false
	}
	iface, ok := obj.Type().Underlying().(*types.Interface)
	return ok && types.Implements(t, iface)
}

// imported is a package among all that a package imports, or nil.
func imported(from *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	for _, pkg := range from.Imports() {
		if pkg.Path() == path {
			return pkg
		}
		if seen[pkg] {
			continue
		}
		seen[pkg] = true
		if found := imported(pkg, path, seen); found != nil {
			return found
		}
	}
	return nil
}

// guarded says whether a use is under a comparison of the client with nil.
func (u use) guarded(client ast.Expr) bool {
	for _, around := range u.stack {
		branch, ok := around.(*ast.IfStmt)
		if !ok {
			continue
		}
		found := false
		ast.Inspect(branch.Cond, func(n ast.Node) bool {
			compared, ok := n.(*ast.BinaryExpr)
			if ok && (compared.Op == token.NEQ || compared.Op == token.EQL) && u.TypesInfo.Types[compared.Y].IsNil() {
				found = found || u.text(compared.X) == u.text(client)
			}
			return true
		})
		if found {
			return true
		}
	}
	return false
}

// source is what NewRecorder is told about the component.
type source struct {
	component ast.Expr
	literal   bool // the component is written out, not a field of a variable
	host      bool
}

func (s source) name(f *file) string {
	switch {
	case s.component == nil:
		return `""`
	case s.literal:
		return f.text(s.component)
	}
	return f.text(s.component) + ".Component"
}

// sources reads the EventSource of every recorder.
func (w *wiring) sources() {
	w.recorder = map[*ast.CallExpr]source{}
	for _, u := range w.recorders {
		w.recorder[u.call()] = sourceOf(u.call().Args[1])
	}
}

func sourceOf(e ast.Expr) source {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return source{component: e}
	}
	src := source{literal: true}
	for i, elt := range lit.Elts {
		kv, keyed := elt.(*ast.KeyValueExpr)
		switch {
		case keyed && kv.Key.(*ast.Ident).Name == "Component":
			src.component = kv.Value
		case !keyed && i == 0:
			src.component = elt
		default:
			src.host = true
		}
	}
	return src
}

// schemes finds the scheme for the adapter, which has one for all recorders.
func (w *wiring) schemes() {
	if len(w.clients) == 0 || w.config.target() != SDK {
		return
	}
	for i, u := range w.recorders {
		scheme := u.call().Args[0]
		if i > 0 && u.text(scheme) != w.recorders[0].text(w.recorders[0].call().Args[0]) {
			w.refuse("its recorders have several schemes (%s)", w.place(scheme))
		}
		if w.TypesInfo.Types[scheme].IsNil() || w.isClientScheme(scheme) {
			continue
		}
		w.scheme = &need{use: u, expr: scheme}
	}
}

func (w *wiring) isClientScheme(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && isNamed(w.TypesInfo.Uses[sel.Sel], schemePath, "Scheme")
}
