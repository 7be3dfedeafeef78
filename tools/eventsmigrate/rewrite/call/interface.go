// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/types"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// interfaceShape rewrites the methods that an interface of ours declares in the
// old shape. Event goes, since Eventf does its work.
func (f *file) interfaceShape(n *ast.InterfaceType) {
	iface, ok := f.TypesInfo.TypeOf(n).Underlying().(*types.Interface)
	if !ok {
		return
	}
	hasEventf := false
	for m := range iface.Methods() {
		hasEventf = hasEventf || m.Name() == string(api.Eventf)
	}
	for _, field := range n.Methods.List {
		sig, ok := field.Type.(*ast.FuncType)
		if !ok || len(field.Names) != 1 {
			continue
		}
		fn, ok := f.TypesInfo.Defs[field.Names[0]].(*types.Func)
		if !ok || !f.Changes(fn) {
			continue
		}
		if api.OldShape(fn) == api.Event && hasEventf {
			f.removeMethod(n, field)
			continue
		}
		pl := f.Place(field.Names[0], plan.Shape, "interface method %s gets the shape of the events API", fn.Name())
		if api.OldShape(fn) == api.Event {
			pl.Replace(field.Names[0].Pos(), field.Names[0].End(), string(api.Eventf))
			renameDoc(field.Doc, pl)
		}
		pl.Replace(sig.Params.Pos(), sig.Params.End(), f.signatureText(sig, api.OldShape(fn), f.interfaceNames(fn)))
	}
}

// interfaceNames are the parameters of an interface's method; unlike a
// function's they are all named, and nothing can clash with them.
func (f *file) interfaceNames(fn *types.Func) parameters {
	p := parameters{
		regarding: "regarding", related: "related", annotations: "annotations", eventtype: "eventtype",
		reason: "reason", action: "action", note: "note", args: "args",
	}
	if first := fn.Signature().Params().At(0).Name(); first != "" && first != "_" {
		p.regarding = first
	}
	return p
}

// removeMethod removes a method of an interface, with its lines if it has them for itself.
func (f *file) removeMethod(n *ast.InterfaceType, field *ast.Field) {
	from, to := field.Pos(), field.End()
	if field.Doc != nil {
		from = field.Doc.Pos()
	}
	if field.Comment != nil {
		to = field.Comment.End()
	}
	if f.Line(n.Methods.Opening) < f.Line(from) && f.Line(to) < f.Line(n.Methods.Closing) {
		from, to = f.Lines(from, to)
	}
	f.Place(field, plan.Shape, "Event is gone: Eventf does its work").Replace(from, to, "")
}
