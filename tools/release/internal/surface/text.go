// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"fmt"
	"go/types"
	"strings"
)

// text writes types as home sees them, without the names of parameters.
type text struct {
	home   *types.Package
	module *Module
}

func (x text) of(t types.Type) string {
	switch t := t.(type) {
	case *types.Pointer:
		return "*" + x.of(t.Elem())
	case *types.Slice:
		return "[]" + x.of(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), x.of(t.Elem()))
	case *types.Map:
		return "map[" + x.of(t.Key()) + "]" + x.of(t.Elem())
	case *types.Chan:
		return [...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()] + x.of(t.Elem())
	case *types.Signature:
		return "func" + x.signature(t)
	case *types.Interface:
		return x.literal(t)
	}
	return types.TypeString(t, x.qualify)
}

func (x text) qualify(p *types.Package) string {
	if p == x.home {
		return ""
	}
	return x.module.Name(p.Path())
}

func (x text) signature(s *types.Signature) string {
	results := x.tuple(s.Results(), false)
	switch s.Results().Len() {
	case 0:
		results = ""
	case 1:
		results = " " + results
	default:
		results = " (" + results + ")"
	}
	return x.parameters(s.TypeParams()) + "(" + x.tuple(s.Params(), s.Variadic()) + ")" + results
}

func (x text) tuple(tuple *types.Tuple, variadic bool) string {
	all := make([]string, tuple.Len())
	for i := range all {
		all[i] = x.of(tuple.At(i).Type())
	}
	if last := len(all) - 1; variadic {
		all[last] = "..." + strings.TrimPrefix(all[last], "[]")
	}
	return strings.Join(all, ", ")
}

// parameters are those of a generic type or function.
func (x text) parameters(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name()+" "+x.of(p.Constraint()))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// literal is an interface without a name. Its methods are sorted.
func (x text) literal(i *types.Interface) string {
	if i.Empty() {
		return "any"
	}
	var all []string
	for m := range i.ExplicitMethods() {
		all = append(all, m.Name()+x.signature(m.Signature()))
	}
	for e := range i.EmbeddedTypes() {
		all = append(all, x.of(e))
	}
	if i.IsImplicit() {
		return strings.Join(all, "; ")
	}
	return "interface{" + strings.Join(all, "; ") + "}"
}
