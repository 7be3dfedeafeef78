// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// survey finds the broadcasters of a package: a union-find over the variables,
// fields, parameters and results that one flows through, and the calls that make
// one.
type survey struct {
	*pass
	parent map[any]any // of *types.Var and ast.Expr
	parts  map[any]*broadcaster
	order  []any // of parts, as they were found
	owners map[*types.Var]*types.TypeName
}

// broadcasters surveys the package.
func (p *pass) broadcasters() []*broadcaster {
	s := &survey{
		pass: p, parent: map[any]any{}, parts: map[any]*broadcaster{}, owners: map[*types.Var]*types.TypeName{},
	}
	if !s.concerned() {
		return nil
	}
	s.ownFields()
	for _, f := range p.files {
		ast.PreorderStack(f.ast, nil, func(n ast.Node, stack []ast.Node) bool {
			s.visit(f, n, stack)
			return true
		})
	}
	merged := map[any]*broadcaster{}
	var all []*broadcaster
	for _, key := range s.order {
		root := s.find(key)
		if merged[root] == nil {
			merged[root] = &broadcaster{}
			all = append(all, merged[root])
		}
		merged[root].absorb(s.parts[key])
	}
	return all
}

// concerned says whether the package can have a broadcaster at all.
func (s *survey) concerned() bool {
	for _, imported := range s.Pkg.Imports() {
		if imported.Path() == recordPath {
			return true
		}
	}
	return false
}

func (b *broadcaster) absorb(part *broadcaster) {
	b.makers = append(b.makers, part.makers...)
	b.starts = append(b.starts, part.starts...)
	b.loggings = append(b.loggings, part.loggings...)
	b.recorders = append(b.recorders, part.recorders...)
	b.ends = append(b.ends, part.ends...)
	b.stops = append(b.stops, part.stops...)
	b.types = append(b.types, part.types...)
	b.holders = append(b.holders, part.holders...)
	b.foreign = b.foreign || part.foreign
	if part.obstacle != "" {
		b.refuse("%s", part.obstacle)
	}
}

func (s *survey) find(key any) any {
	for s.parent[key] != key {
		key = s.parent[key]
	}
	return key
}

func (s *survey) union(a, b any) {
	s.part(a)
	s.part(b)
	s.parent[s.find(a)] = s.find(b)
}

// part is what is known about one variable or call by itself.
func (s *survey) part(key any) *broadcaster {
	if b, ok := s.parts[key]; ok {
		return b
	}
	b := &broadcaster{}
	s.parts[key], s.parent[key] = b, key
	s.order = append(s.order, key)
	if v, ok := key.(*types.Var); ok {
		b.holders = []*types.Var{v}
		s.holder(b, v)
	}
	return b
}

// holder refuses a variable that code outside the package may use.
func (s *survey) holder(b *broadcaster, v *types.Var) {
	switch {
	case v.Pkg() != s.Pkg:
		b.foreign = true
		b.refuse("%s of package %s holds it", v.Name(), v.Pkg().Path())
	case !v.Exported() || s.Pkg.Name() == "main" || s.inTest(v):
	case v.IsField() && (s.owners[v] == nil || !s.owners[v].Exported()):
	case v.IsField(), v.Parent() == s.Pkg.Scope():
		b.refuse("other packages may use %s", v.Name())
	}
}

func (s *survey) inTest(obj types.Object) bool {
	return isTestFile(s.Fset.Position(obj.Pos()).Filename)
}

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }

// ownFields finds the named struct that declares each field.
func (s *survey) ownFields() {
	for _, name := range s.Pkg.Scope().Names() {
		typ, ok := s.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if st, ok := typ.Type().Underlying().(*types.Struct); ok {
			for field := range st.Fields() {
				s.owners[field] = typ
			}
		}
	}
}

func (s *survey) visit(f *file, n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		s.name(f, n, stack)
	case *ast.AssignStmt:
		s.tuple(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			names[i] = name
		}
		s.tuple(names, n.Values)
	case *ast.ParenExpr:
		return
	}
	e, ok := n.(ast.Expr)
	if !ok || !f.TypesInfo.Types[e].IsValue() || !isOldBroadcaster(f.TypesInfo.TypeOf(e)) || isSelected(e, stack) {
		return
	}
	u := use{file: f, expr: e, stack: slices.Clone(stack)}
	key := s.key(u)
	if f.frozen {
		s.part(key).refuse("part of it is in a file that stays old (%s)", s.place(e))
	}
	s.flow(u, key)
}

// isSelected says whether an identifier is the second half of a selector, or the
// name of a field in a literal.
func isSelected(e ast.Expr, stack []ast.Node) bool {
	switch around := stack[len(stack)-1].(type) {
	case *ast.SelectorExpr:
		return ast.Expr(around.Sel) == e
	case *ast.KeyValueExpr:
		return around.Key == e
	}
	return false
}

// key is what a value of a broadcaster's type belongs to.
func (s *survey) key(u use) any {
	switch e := u.expr.(type) {
	case *ast.Ident:
		if v, ok := u.TypesInfo.ObjectOf(e).(*types.Var); ok {
			return v.Origin()
		}
	case *ast.SelectorExpr:
		if v, ok := u.TypesInfo.Uses[e.Sel].(*types.Var); ok {
			return v.Origin()
		}
	case *ast.CallExpr:
		return s.called(u, e)
	}
	s.part(u.expr).refuse("it is kept in a map, a slice or an interface (%s)", s.place(u.expr))
	return u.expr
}

// called is a call that makes or returns a broadcaster.
func (s *survey) called(u use, call *ast.CallExpr) any {
	fn, ok := typeutil.Callee(s.TypesInfo, call).(*types.Func)
	switch {
	case !ok:
		s.part(call).refuse("a function value returns it (%s)", s.place(call))
	case isNamed(fn, recordPath, "NewBroadcaster", "NewBroadcasterForTests", "NewBroadcasterWithCorrelatorOptions"):
		part := s.part(call)
		part.makers = append(part.makers, u)
	case fn.Pkg() != s.Pkg:
		s.part(call).foreign = true
		s.part(call).refuse("it comes from %s.%s, which stays old", fn.Pkg().Path(), fn.Name())
	default:
		return s.member(fn, fn.Origin().Signature().Results().At(0))
	}
	return call
}

// member is a parameter or a result of a function of the package.
func (s *survey) member(fn *types.Func, v *types.Var) *types.Var {
	part := s.part(v)
	switch {
	case fn.Exported() && s.Pkg.Name() != "main" && !s.inTest(fn):
		part.refuse("other packages may call %s", fn.Name())
	case fn.Signature().Recv() != nil && (types.IsInterface(fn.Signature().Recv().Type()) || s.inInterface(fn.Name())):
		part.refuse("an interface has the method %s", fn.Name())
	case fn.Origin().Signature().TypeParams().Len() > 0:
		part.refuse("%s is generic", fn.Name())
	}
	return v
}

// inInterface says whether an interface of the package has a method of that name.
func (s *survey) inInterface(method string) bool {
	for _, name := range s.Pkg.Scope().Names() {
		typ, ok := s.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !types.IsInterface(typ.Type()) {
			continue
		}
		if obj, _, _ := types.LookupFieldOrMethod(typ.Type(), false, s.Pkg, method); obj != nil {
			return true
		}
	}
	return false
}
