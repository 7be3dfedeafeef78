// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// changes says whether the calls of a method change: those of the old recorder,
// and those of a wrapper, mock or interface of ours that has its shape.
func (p *pass) changes(fn *types.Func) bool {
	shape := oldShape(fn)
	if shape == "" {
		return false
	}
	if isNamed(fn, recordPath, string(shape)) {
		return true
	}
	fn = fn.Origin()
	if !p.migrated(fn) {
		return false
	}
	return shape != event || p.eventChanges(fn.Signature().Recv().Type())
}

// eventChanges says whether the Event of a type becomes an Eventf. A struct that
// declares both keeps it, as does whatever has an Eventf of the new shape
// already. An Eventf that is only promoted is that of something else: an
// embedded recorder, which in a mock is often nil.
func (p *pass) eventChanges(recv types.Type) bool {
	if types.IsInterface(recv) {
		return !hasMethods(recv, string(eventf)) || methodsOfOldShape(recv)[eventf] != nil
	}
	if _, isPointer := types.Unalias(recv).(*types.Pointer); !isPointer {
		recv = types.NewPointer(recv)
	}
	own := types.NewMethodSet(recv).Lookup(nil, string(eventf))
	return own == nil || len(own.Index()) > 1
}

// parameters are the names in the new signature of a method whose shape changes.
type parameters struct {
	regarding, related, annotations, eventtype, reason, action, note, args string
}

// removals removes the Event of a fake that has an Eventf too, where nothing calls it any more.
func (f *file) removals() {
	for _, decl := range f.ast.Decls {
		method, ok := decl.(*ast.FuncDecl)
		if !ok || !f.dead(method) {
			continue
		}
		f.removed[method] = true
		f.dropNames(method)
		from := method.Pos()
		if method.Doc != nil {
			from = method.Doc.Pos()
		}
		f.rewrite(method, "shape", "nothing calls this Event any more").replace(from, method.End(), "")
	}
}

// dead reports whether a method is an old Event that only its package can call, and that no code there calls.
func (f *file) dead(method *ast.FuncDecl) bool {
	fn, ok := f.TypesInfo.Defs[method.Name].(*types.Func)
	if !ok || oldShape(fn) != event || f.changes(fn) || methodsOfOldShape(fn.Signature().Recv().Type())[eventf] == nil {
		return false
	}
	owner := typeName(fn.Signature().Recv().Type())
	if owner == nil || owner.Exported() && !f.isTest() && f.Pkg.Name() != "main" {
		return false
	}
	for _, obj := range f.TypesInfo.Uses {
		if used, ok := obj.(*types.Func); ok && used.Origin() == fn {
			return false
		}
	}
	body := f.methodDecl(methodsOfOldShape(owner.Type())[eventf])
	return body == nil || !doesNothing(body) || doesNothing(method)
}

// isTest reports whether only tests have the file.
func (f *file) isTest() bool {
	return strings.HasSuffix(f.Fset.Position(f.ast.FileStart).Filename, "_test.go")
}

// shapes gives the methods of wrappers, mocks and interfaces the new shape.
func (f *file) shapes() {
	f.visit(func(n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if fn, ok := f.TypesInfo.Defs[n.Name].(*types.Func); ok && f.changes(fn) {
				f.methodShape(n, fn)
			}
		case *ast.InterfaceType:
			f.interfaceShape(n)
		}
	})
}

func (f *file) methodShape(decl *ast.FuncDecl, fn *types.Func) {
	shape := oldShape(fn)
	names := f.parametersOf(decl, fn)
	pl := f.rewrite(decl.Name, "shape", "method %s gets the shape of the events API", shape)
	if shape == event && decl.Body != nil {
		pl.replace(decl.Name.Pos(), decl.Name.End(), string(eventf))
		if names.note == "_" {
			names.args = "_"
		} else {
			note := f.freeVar(decl, "note", "format")
			pl.insert(decl.Body.Lbrace+1,
				fmt.Sprintf("\n\t%s := %s.Sprintf(%s, %s...)", names.note, f.pkg("fmt"), note, names.args))
			names.note = note
		}
	}
	if decl.Body != nil {
		related, action := f.forwards(decl, names)
		if !related {
			names.related = "_"
		}
		if !action {
			names.action = "_"
		}
	}
	pl.replace(decl.Type.Params.Pos(), decl.Type.Params.End(), f.signatureText(decl.Type, shape, names))
	f.forwardEmpty(decl, fn, names, pl)
}

// forwards reports which of the new parameters the calls in a method's body will hand on.
func (f *file) forwards(decl *ast.FuncDecl, names parameters) (related, action bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if expr, ok := n.(*ast.CallExpr); ok {
			if c, ok := f.oldCall(expr, decl); ok && c.note != nil {
				related = related || f.isParam(c.Args[0], decl, names.regarding)
				action = action || f.isParam(c.reason, decl, names.reason)
			}
		}
		return true
	})
	return related, action
}

// forwardEmpty makes an Eventf that did nothing beside an Event that did do what
// that does: what was recorded by Event arrives at Eventf now.
func (f *file) forwardEmpty(decl *ast.FuncDecl, fn *types.Func, names parameters, pl *place) {
	if oldShape(fn) != eventf || !doesNothing(decl) || decl.Recv == nil {
		return
	}
	plain := methodsOfOldShape(fn.Signature().Recv().Type())[event]
	recv := decl.Recv.List[0]
	if plain == nil || f.methodDecl(plain) == nil || doesNothing(f.methodDecl(plain)) ||
		len(recv.Names) == 0 || recv.Names[0].Name == "_" || names.note == "_" {
		return
	}
	pl.insert(decl.Body.Lbrace+1, fmt.Sprintf("\n\t%s.Event(%s, %s, %s, %s.Sprintf(%s, %s...))\n", recv.Names[0].Name,
		names.regarding, names.eventtype, names.reason, f.pkg("fmt"), names.note, names.args))
}

// methodDecl is where this package declares a method, or nil.
func (p *pass) methodDecl(fn *types.Func) *ast.FuncDecl {
	for _, f := range p.files {
		for _, decl := range f.ast.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && p.TypesInfo.Defs[d.Name] == types.Object(fn) {
				return d
			}
		}
	}
	return nil
}

// doesNothing reports whether a method has an empty body.
func doesNothing(method *ast.FuncDecl) bool { return method.Body != nil && len(method.Body.List) == 0 }

// signatureText renders the parameters of a new signature. Their types are
// written as before, since imports may have any name.
func (f *file) signatureText(sig *ast.FuncType, shape method, names parameters) string {
	object := f.text(sig.Params.List[0].Type)
	variadic := "...any"
	annotations := "map[string]string"
	for _, field := range sig.Params.List {
		switch field.Type.(type) {
		case *ast.Ellipsis:
			variadic = f.text(field.Type)
		case *ast.MapType:
			annotations = f.text(field.Type)
		}
	}
	if shape == annotatedf {
		object += ", " + names.annotations + " " + annotations
	}
	text := fmt.Sprintf("%s, %s %s, %s, %s, %s, %s string, %s %s", names.regarding, names.related, object,
		names.eventtype, names.reason, names.action, names.note, names.args, variadic)
	before := f.source[f.lineStart(sig.Params.Pos()):f.offset(sig.Params.Pos())]
	if f.line(sig.Params.Pos()) != f.line(sig.Params.End()) || len(before)+len("("+text+") {") > maxColumns {
		return "(\n" + text + ",\n)"
	}
	return "(" + text + ")"
}

// parametersOf names the parameters of a method's new signature: those that it
// has keep their names.
func (f *file) parametersOf(decl *ast.FuncDecl, fn *types.Func) parameters {
	var names []string
	sig := fn.Signature()
	for v := range sig.Params().Variables() {
		name := v.Name()
		if name == "" {
			name = "_"
		}
		names = append(names, name)
	}
	shape := oldShape(fn)
	p := parameters{regarding: names[0], annotations: "_"}
	rest := names[1:]
	if shape == annotatedf {
		p.annotations, rest = rest[0], rest[1:]
	}
	p.eventtype, p.reason, p.note = rest[0], rest[1], rest[2]
	p.args = f.freeVar(decl, "args", "arguments")
	if shape != event {
		p.args = rest[3]
	}
	p.related, p.action = f.freeVar(decl, "related", "relatedObject"), f.freeVar(decl, "action", "eventAction")
	return p
}

// freeVar is the first name, or the second if the declaration uses the first.
func (f *file) freeVar(decl ast.Node, name, second string) string {
	used := false
	ast.Inspect(decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			if obj := f.TypesInfo.ObjectOf(id); obj != nil {
				v, isVar := obj.(*types.Var)
				used = used || !isVar || !v.IsField()
			}
		}
		return !used
	})
	if used {
		return second
	}
	return name
}

// interfaceShape rewrites the methods that an interface of ours declares in the
// old shape. Event goes, since Eventf does its work.
func (f *file) interfaceShape(n *ast.InterfaceType) {
	iface, ok := f.TypesInfo.TypeOf(n).Underlying().(*types.Interface)
	if !ok {
		return
	}
	hasEventf := false
	for m := range iface.Methods() {
		hasEventf = hasEventf || m.Name() == string(eventf)
	}
	for _, field := range n.Methods.List {
		sig, ok := field.Type.(*ast.FuncType)
		if !ok || len(field.Names) != 1 {
			continue
		}
		fn, ok := f.TypesInfo.Defs[field.Names[0]].(*types.Func)
		if !ok || !f.changes(fn) {
			continue
		}
		if oldShape(fn) == event && hasEventf {
			f.removeMethod(field)
			continue
		}
		pl := f.rewrite(field.Names[0], "shape", "interface method %s gets the shape of the events API", fn.Name())
		if oldShape(fn) == event {
			pl.replace(field.Names[0].Pos(), field.Names[0].End(), string(eventf))
		}
		pl.replace(sig.Params.Pos(), sig.Params.End(), f.signatureText(sig, oldShape(fn), f.interfaceNames(fn)))
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

func (f *file) removeMethod(field *ast.Field) {
	from, to := field.Pos(), field.End()
	if field.Doc != nil {
		from = field.Doc.Pos()
	}
	if field.Comment != nil {
		to = field.Comment.End()
	}
	tokenFile := f.Fset.File(from)
	if last := tokenFile.Line(to); last < tokenFile.LineCount() && f.aloneOnLine(field) {
		from, to = tokenFile.LineStart(tokenFile.Line(from)), tokenFile.LineStart(last+1)
	}
	f.rewrite(field, "shape", "Event is gone: Eventf does its work").replace(from, to, "")
}

// aloneOnLine says whether an interface's method has its lines for itself.
func (f *file) aloneOnLine(field *ast.Field) bool {
	alone := true
	ast.Inspect(f.ast, func(n ast.Node) bool {
		iface, ok := n.(*ast.InterfaceType)
		if ok && iface.Methods.Pos() <= field.Pos() && field.End() <= iface.Methods.End() {
			line := func(p token.Pos) int { return f.Fset.Position(p).Line }
			alone = line(iface.Methods.Opening) < line(field.Pos()) && line(iface.Methods.Closing) > line(field.End())
		}
		return true
	})
	return alone
}
