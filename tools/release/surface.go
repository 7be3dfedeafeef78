// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// surface is what users of a module can see of it, as sorted lines by the file of api/ that has them.
type surface map[string][]string

// module is a module's own code, type-checked, with the modules in its directory contrib: they are released with it.
type module struct {
	path string
	own  map[string]*packages.Package
}

// load type-checks the module in dir.
func load(ctx context.Context, dir string) (*module, error) {
	nested, err := filepath.Glob(filepath.Join(dir, "contrib", "*", "go.mod"))
	if err != nil {
		return nil, err
	}
	m := &module{own: map[string]*packages.Package{}}
	for _, gomod := range append([]string{filepath.Join(dir, "go.mod")}, nested...) {
		const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule
		all, err := packages.Load(&packages.Config{Context: ctx, Dir: filepath.Dir(gomod), Mode: mode}, "./...")
		if err != nil {
			return nil, fmt.Errorf("load the packages of %s: %w", gomod, err)
		}
		var errs []error
		for _, p := range all {
			for _, e := range p.Errors {
				errs = append(errs, e)
			}
			m.own[p.PkgPath] = p
			if m.path == "" && p.Module != nil {
				m.path = p.Module.Path
			}
		}
		if len(errs) > 0 {
			return nil, fmt.Errorf("the module of %s does not compile: %w", gomod, errors.Join(errs...))
		}
	}
	return m, nil
}

// name is the path of a package within the module; the last element of the module's for its root.
func (m *module) name(pkg string) string {
	if pkg == m.path {
		return path.Base(m.path)
	}
	return strings.TrimPrefix(pkg, m.path+"/")
}

// public reports whether another module can import the package for its own use.
func (m *module) public(p *packages.Package) bool {
	hidden := func(element string) bool {
		return slices.Contains([]string{"internal", "testdata", "examples", "test"}, element)
	}
	return len(p.GoFiles) > 0 && p.Name != "main" && !slices.ContainsFunc(strings.Split(m.name(p.PkgPath), "/"), hidden)
}

// surface returns the exported API of each public package, and the log lines, annotations and environment variables of
// these and of what they need of the module.
func (m *module) surface() (surface, error) {
	s := surface{}
	var errs []error
	seen := map[string]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if p == nil || seen[p.PkgPath] {
			return
		}
		seen[p.PkgPath] = true
		logs, err := logsOf(p)
		errs = append(errs, err)
		for _, line := range logs {
			s["logs.txt"] = append(s["logs.txt"], "pkg "+m.name(p.PkgPath)+", log "+line)
		}
		s["names.txt"] = append(s["names.txt"], namesOf(p)...)
		for imported := range p.Imports {
			visit(m.own[imported])
		}
	}
	for _, p := range m.own {
		if !m.public(p) {
			continue
		}
		visit(p)
		e := &exported{module: m, home: p.Types}
		for _, name := range p.Types.Scope().Names() {
			if object := p.Types.Scope().Lookup(name); object.Exported() {
				e.object(object)
			}
		}
		file := strings.ReplaceAll(m.name(p.PkgPath), "/", "-") + ".txt"
		s[file] = append(s[file], e.lines...)
	}
	for file, lines := range s {
		slices.Sort(lines)
		if s[file] = slices.Compact(lines); len(lines) == 0 {
			delete(s, file)
		}
	}
	return s, errors.Join(errs...)
}

// The names that people and programs outside of Go know.
var (
	annotation  = regexp.MustCompile(`^[a-z0-9-]+\.dev/[a-z0-9./-]+$`)
	environment = regexp.MustCompile(`^[A-Z][A-Z0-9]+(_[A-Z0-9]+)+$`)
)

// namesOf returns the annotations and the variables of the environment that a package names.
func namesOf(p *packages.Package) (lines []string) {
	for _, file := range p.Syntax {
		for node := range ast.Preorder(file) {
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				continue
			}
			switch text := constant.StringVal(constant.MakeFromLiteral(literal.Value, token.STRING, 0)); {
			case annotation.MatchString(text):
				lines = append(lines, "annotation "+text)
			case environment.MatchString(text):
				lines = append(lines, "environment "+text)
			}
		}
	}
	return lines
}

// exported writes the exported API of a package, a line for each name that a user can write.
type exported struct {
	module *module
	home   *types.Package
	lines  []string
}

func (e *exported) line(format string, args ...any) {
	e.lines = append(e.lines, "pkg "+e.module.name(e.home.Path())+", "+fmt.Sprintf(format, args...))
}

func (e *exported) object(object types.Object) {
	switch o := object.(type) {
	case *types.Const:
		e.line("const %s %s = %s", o.Name(), e.of(o.Type()), o.Val().ExactString())
	case *types.Var:
		e.line("var %s %s", o.Name(), e.of(o.Type()))
	case *types.Func:
		e.line("func %s%s", o.Name(), e.signature(o.Signature()))
	case *types.TypeName:
		e.typeName(o)
	}
}

func (e *exported) typeName(name *types.TypeName) {
	if alias, ok := name.Type().(*types.Alias); ok {
		e.line("type %s%s = %s", name.Name(), e.parameters(alias.TypeParams()), e.of(alias.Rhs()))
		return
	}
	named := name.Type().(*types.Named)
	head := "type " + name.Name() + e.parameters(named.TypeParams())
	switch u := named.Underlying().(type) {
	case *types.Struct:
		e.line("%s struct", head)
		for i := range u.NumFields() {
			name, tag := u.Field(i).Name(), ""
			if u.Field(i).Embedded() {
				name = "embedded"
			}
			if u.Tag(i) != "" {
				tag = fmt.Sprintf(" %q", u.Tag(i))
			}
			if u.Field(i).Exported() {
				e.line("%s struct, %s %s%s", head, name, e.of(u.Field(i).Type()), tag)
			}
		}
	case *types.Interface:
		if !u.IsMethodSet() {
			break
		}
		var methods []string // one line has all, where a new one shows as a change
		for method := range u.Methods() {
			if method.Exported() {
				methods = append(methods, method.Name())
				e.line("%s interface, %s%s", head, method.Name(), e.signature(method.Signature()))
			}
		}
		if len(methods) < u.NumMethods() {
			methods = append(methods, sealed)
		}
		e.line("%s interface { %s }", head, strings.Join(methods, ", "))
		return
	}
	if !types.IsInterface(named) {
		e.methods(named)
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		e.line("%s %s", head, e.of(named.Underlying()))
	}
}

// sealed is said of an interface with unexported methods.
const sealed = "unexported methods"

// methods writes the methods of a type, and those that it has of what it embeds without saying so.
func (e *exported) methods(named *types.Named) {
	values := types.NewMethodSet(named)
	for selection := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		method := selection.Obj()
		if s, ok := named.Underlying().(*types.Struct); !method.Exported() ||
			ok && len(selection.Index()) > 1 && s.Field(selection.Index()[0]).Exported() {
			continue
		}
		star := "*"
		if values.Lookup(method.Pkg(), method.Name()) != nil {
			star = ""
		}
		e.line("method (%s%s) %s%s", star, named.Obj().Name(), method.Name(), e.signature(selection.Type().(*types.Signature)))
	}
}

func (e *exported) of(t types.Type) string {
	return types.TypeString(nameless(t), func(p *types.Package) string {
		if p == e.home {
			return ""
		}
		return e.module.name(p.Path())
	})
}

func (e *exported) signature(s *types.Signature) string {
	return e.parameters(s.TypeParams()) + strings.TrimPrefix(e.of(s), "func")
}

// nameless is a type, of a function without the names of parameters, which are no API.
func nameless(t types.Type) types.Type {
	s, ok := t.(*types.Signature)
	if !ok {
		return t
	}
	tuple := func(old *types.Tuple) *types.Tuple {
		var all []*types.Var
		for v := range old.Variables() {
			all = append(all, types.NewParam(token.NoPos, nil, "", nameless(v.Type())))
		}
		return types.NewTuple(all...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(s.Params()), tuple(s.Results()), s.Variadic())
}

// parameters are those of a generic type or function.
func (e *exported) parameters(list *types.TypeParamList) string {
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name()+" "+e.of(p.Constraint()))
	}
	if len(all) == 0 {
		return ""
	}
	return "[" + strings.Join(all, ", ") + "]"
}
