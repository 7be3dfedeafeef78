// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Exported returns the exported API of a package, a line for each name that a user can write, sorted. A line stands for
// itself: it names the package, and types of other modules by their import paths. Names of parameters are no API.
func (m *Module) Exported(p *packages.Package) []string {
	w := &writer{text: text{home: p.Types, module: m}, deprecated: deprecated(p)}
	for _, name := range p.Types.Scope().Names() {
		if object := p.Types.Scope().Lookup(name); object.Exported() {
			w.object(object)
		}
	}
	slices.Sort(w.lines)
	return slices.Compact(w.lines)
}

type writer struct {
	text
	deprecated map[types.Object]bool
	lines      []string
}

// line adds what is said of object.
func (w *writer) line(object types.Object, format string, args ...any) {
	line := "pkg " + w.module.Name(w.home.Path()) + ", " + fmt.Sprintf(format, args...)
	if w.deprecated[object] {
		line += " //deprecated"
	}
	w.lines = append(w.lines, line)
}

func (w *writer) object(object types.Object) {
	switch o := object.(type) {
	case *types.Const:
		w.line(o, "const %s %s = %s", o.Name(), w.of(o.Type()), o.Val().ExactString())
	case *types.Var:
		w.line(o, "var %s %s", o.Name(), w.of(o.Type()))
	case *types.Func:
		w.line(o, "func %s%s", o.Name(), w.signature(o.Signature()))
	case *types.TypeName:
		w.typeName(o)
	}
}

func (w *writer) typeName(name *types.TypeName) {
	if alias, ok := name.Type().(*types.Alias); ok {
		w.line(name, "type %s%s = %s", name.Name(), w.parameters(alias.TypeParams()), w.of(alias.Rhs()))
		return
	}
	named := name.Type().(*types.Named)
	head := "type " + name.Name() + w.parameters(named.TypeParams())
	switch u := named.Underlying().(type) {
	case *types.Struct:
		w.line(name, "%s struct", head)
		w.fields(head, u)
	case *types.Interface:
		w.interfaceType(name, head, u)
		return // its methods are said
	default:
		w.line(name, "%s %s", head, w.of(u))
	}
	w.methods(named)
}

func (w *writer) fields(head string, s *types.Struct) {
	for i := range s.NumFields() {
		f := s.Field(i)
		tag := ""
		if s.Tag(i) != "" {
			tag = fmt.Sprintf(" %q", s.Tag(i))
		}
		switch {
		case !f.Exported():
		case f.Embedded():
			w.line(f, "%s struct, embedded %s%s", head, w.of(f.Type()), tag)
		default:
			w.line(f, "%s struct, %s %s%s", head, f.Name(), w.of(f.Type()), tag)
		}
	}
}

// interfaceType says an interface in one line, where a new method shows as a change, and each method in one.
func (w *writer) interfaceType(name *types.TypeName, head string, i *types.Interface) {
	if !i.IsMethodSet() {
		w.line(name, "%s %s", head, w.of(i))
		return
	}
	var methods []string
	for m := range i.Methods() {
		if m.Exported() {
			methods = append(methods, m.Name())
			w.line(m, "%s interface, %s%s", head, m.Name(), w.signature(m.Signature()))
		}
	}
	if len(methods) < i.NumMethods() {
		methods = append(methods, "unexported methods")
	}
	w.line(name, "%s interface { %s }", head, strings.Join(methods, ", "))
}

// methods says the methods of a type, and those that it has of what it embeds without saying so.
func (w *writer) methods(named *types.Named) {
	values := types.NewMethodSet(named)
	pointers := types.NewMethodSet(types.NewPointer(named))
	for selection := range pointers.Methods() {
		m := selection.Obj().(*types.Func)
		if !m.Exported() || w.embedded(named, selection) {
			continue
		}
		receiver := receiver(named)
		if values.Lookup(m.Pkg(), m.Name()) == nil {
			receiver = "*" + receiver
		}
		w.line(m, "method (%s) %s%s", receiver, m.Name(), w.signature(selection.Type().(*types.Signature)))
	}
}

// receiver is a type as a method's receiver names it, with its type parameters but not their constraints.
func receiver(named *types.Named) string {
	name := named.Obj().Name()
	if named.TypeParams().Len() == 0 {
		return name
	}
	var parameters []string
	for p := range named.TypeParams().TypeParams() {
		parameters = append(parameters, p.Obj().Name())
	}
	return name + "[" + strings.Join(parameters, ", ") + "]"
}

// embedded tells whether a method comes with an exported field, whose line stands for it.
func (w *writer) embedded(named *types.Named, method *types.Selection) bool {
	s, ok := named.Underlying().(*types.Struct)
	return ok && len(method.Index()) > 1 && s.Field(method.Index()[0]).Exported()
}
