// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// parameters are the names in the new signature of a method whose shape changes.
type parameters struct {
	regarding, related, annotations, eventtype, reason, action, note, args string
}

// RemoveDead removes the Event of a fake that has an Eventf too, where nothing calls it any more. No other step
// looks into it then.
func (p *Package) RemoveDead(of *plan.File) {
	f := &file{of, p}
	for _, decl := range f.AST.Decls {
		method, ok := decl.(*ast.FuncDecl)
		if !ok || !f.dead(method) {
			continue
		}
		f.Remove(method)
		from := method.Pos()
		if method.Doc != nil {
			from = method.Doc.Pos()
		}
		f.Place(method, plan.Shape, "nothing calls this Event any more").Replace(from, method.End(), "")
	}
}

// dead reports whether a method is an old Event that nothing calls. Other modules may call one of an exported type,
// unless it is a placeholder.
func (f *file) dead(method *ast.FuncDecl) bool {
	fn, ok := f.TypesInfo.Defs[method.Name].(*types.Func)
	if !ok || api.OldShape(fn) != api.Event || f.Changes(fn) {
		return false
	}
	owner := api.TypeName(fn.Signature().Recv().Type())
	if owner == nil || f.Survey.Calls(f.Fset, fn) {
		return false
	}
	if owner.Exported() && !f.IsTest() && f.Pkg.Name() != "main" && !doesNothing(method) {
		return false
	}
	formats := api.MethodsOfOldShape(owner.Type())[api.Eventf]
	if formats == nil {
		return false
	}
	body := f.methodDecl(formats)
	return body == nil || !doesNothing(body) || doesNothing(method)
}

// shapes gives the methods of wrappers, mocks and interfaces the new shape.
func (f *file) shapes() {
	f.Visit(func(n ast.Node, _ []ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if fn, ok := f.TypesInfo.Defs[n.Name].(*types.Func); ok && f.Changes(fn) {
				f.methodShape(n, fn)
			}
		case *ast.InterfaceType:
			f.interfaceShape(n)
		}
		return true
	})
}

func (f *file) methodShape(decl *ast.FuncDecl, fn *types.Func) {
	shape := api.OldShape(fn)
	names := f.parametersOf(decl, fn)
	pl := f.Place(decl.Name, plan.Shape, "method %s gets the shape of the events API", shape)
	if shape == api.Event && decl.Body != nil {
		pl.Replace(decl.Name.Pos(), decl.Name.End(), string(api.Eventf))
		renameDoc(decl.Doc, pl)
		if names.note == "_" {
			names.args = "_"
		} else {
			note := f.freeVar(decl, "note", "format")
			pl.Insert(decl.Body.Lbrace+1,
				fmt.Sprintf("\n\t%s := %s.Sprintf(%s, %s...)", names.note, f.Imports.Name("fmt"), note, names.args))
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
			f.drops(decl, fn, names.reason)
		}
	}
	pl.Replace(decl.Type.Params.Pos(), decl.Type.Params.End(), f.signatureText(decl.Type, shape, names))
	f.forwardEmpty(decl, fn, names, pl)
}

// drops reports a method that does something else with the reason than to record it, and so drops the new arguments.
func (f *file) drops(decl *ast.FuncDecl, fn *types.Func, reason string) {
	if api.OldShape(fn) == api.AnnotatedEventf || ast.IsGenerated(f.AST) || !f.mentions(decl.Body, decl, reason) {
		return
	}
	f.Leave(decl.Name, plan.Mock, "%s.Eventf keeps the reason, and drops the related object and the action: give these "+
		"parameters names, and keep them, too", f.receiver(decl))
}

// renameDoc makes a comment about a method Event, which becomes Eventf, begin with the new name.
func renameDoc(doc *ast.CommentGroup, pl *plan.Place) {
	const begin = "// " + string(api.Event)
	if doc != nil && strings.HasPrefix(doc.List[0].Text, begin+" ") {
		pl.Insert(doc.Pos()+token.Pos(len(begin)), "f")
	}
}

// forwards reports which of the new parameters the calls in a method's body will hand on.
func (f *file) forwards(decl *ast.FuncDecl, names parameters) (related, action bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		expr, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if r, ok := f.recording(expr, decl); ok {
			action = action || f.mentions(r.reason, decl, names.reason)
		}
		if c, ok := f.oldCall(expr, decl); ok && c.note != nil {
			related = related || f.isParam(c.object, decl, names.regarding)
		}
		return true
	})
	return related, action
}

// forwardEmpty makes an Eventf that did nothing beside an Event that did do what
// that does: what was recorded by Event arrives at Eventf now.
func (f *file) forwardEmpty(decl *ast.FuncDecl, fn *types.Func, names parameters, pl *plan.Place) {
	if api.OldShape(fn) != api.Eventf || names.note == "_" || !f.worksInEvent(fn.Signature().Recv().Type()) {
		return
	}
	name := f.freeVar(decl, "m", "recorder")
	switch recv := decl.Recv.List[0]; {
	case len(recv.Names) == 0:
		pl.Insert(recv.Type.Pos(), name+" ")
	case recv.Names[0].Name == "_":
		pl.Replace(recv.Names[0].Pos(), recv.Names[0].End(), name)
	default:
		name = recv.Names[0].Name
	}
	pl.Insert(decl.Body.Lbrace+1, fmt.Sprintf("\n\t%s.Event(%s, %s, %s, %s.Sprintf(%s, %s...))", name,
		names.regarding, names.eventtype, names.reason, f.Imports.Name("fmt"), names.note, names.args))
}

// worksInEvent reports whether a type's Eventf does nothing beside an Event that does something.
func (f *file) worksInEvent(t types.Type) bool {
	methods := api.MethodsOfOldShape(t)
	plain, formatting := f.methodDecl(methods[api.Event]), f.methodDecl(methods[api.Eventf])
	return plain != nil && formatting != nil && !doesNothing(plain) && doesNothing(formatting)
}

// methodDecl is the declaration of a method, or nil. A mock is often in another package, so it reads the file.
func (f *file) methodDecl(fn *types.Func) *ast.FuncDecl {
	if fn == nil {
		return nil
	}
	at, fset := f.Fset.Position(fn.Pos()), token.NewFileSet()
	file, err := parser.ParseFile(fset, at.Filename, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && fset.Position(d.Name.Pos()).Offset == at.Offset {
			return d
		}
	}
	return nil
}

// doesNothing reports whether a method has an empty body.
func doesNothing(method *ast.FuncDecl) bool { return method.Body != nil && len(method.Body.List) == 0 }

// signatureText renders the parameters of a new signature. Their types are
// written as before, since imports may have any name.
func (f *file) signatureText(sig *ast.FuncType, shape api.Method, names parameters) string {
	object := f.Text(sig.Params.List[0].Type)
	variadic := "...any"
	annotations := "map[string]string"
	for _, field := range sig.Params.List {
		switch field.Type.(type) {
		case *ast.Ellipsis:
			variadic = f.Text(field.Type)
		case *ast.MapType:
			annotations = f.Text(field.Type)
		}
	}
	if f.lineEach(sig.Params) {
		parameters := []string{names.regarding + " " + object, names.related + " " + object}
		if shape == api.AnnotatedEventf {
			parameters = append(parameters, names.annotations+" "+annotations)
		}
		for _, name := range []string{names.eventtype, names.reason, names.action, names.note} {
			parameters = append(parameters, name+" string")
		}
		return "(\n" + strings.Join(parameters, ",\n") + ",\n" + names.args + " " + variadic + ",\n)"
	}
	objects := names.regarding + ", " + names.related + " " + object
	if shape == api.AnnotatedEventf {
		objects += ", " + names.annotations + " " + annotations
	}
	texts := fmt.Sprintf("%s, %s, %s, %s string, %s %s",
		names.eventtype, names.reason, names.action, names.note, names.args, variadic)
	text := objects + ", " + texts
	before, _ := f.LineText(sig.Params.Pos())
	switch {
	case f.Line(sig.Params.Pos()) == f.Line(sig.Params.End()) && plan.Width(before+"("+text+") {") <= f.Columns():
		return "(" + text + ")"
	case plan.Width("\t"+text+",") <= f.Columns():
		return "(\n" + text + ",\n)"
	}
	return "(\n" + objects + ",\n" + texts + ",\n)"
}

// lineEach reports whether each parameter has a line for itself.
func (f *file) lineEach(parameters *ast.FieldList) bool {
	before := parameters.Pos()
	for _, field := range parameters.List {
		if len(field.Names) > 1 || f.Line(before) == f.Line(field.Pos()) {
			return false
		}
		before = field.End()
	}
	return true
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
	shape := api.OldShape(fn)
	p := parameters{regarding: names[0], annotations: "_"}
	rest := names[1:]
	if shape == api.AnnotatedEventf {
		p.annotations, rest = rest[0], rest[1:]
	}
	p.eventtype, p.reason, p.note = rest[0], rest[1], rest[2]
	p.args = f.freeVar(decl, "args", "arguments")
	if shape != api.Event {
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
