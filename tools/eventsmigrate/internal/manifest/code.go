// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// code is a Go file. It is read by its syntax alone, so that files of other modules can be read, and those that do not compile.
type code struct {
	fset    *token.FileSet
	lines   []string
	imports map[string]string // paths, by the names that the file has for them
	values  scope             // of package-level variables and constants
	makers  map[string]*ast.FuncDecl
	used    map[string]bool // values and makers that are a rule of some role
}

// hasRoleInCode matches a Go file that may have roles.
var hasRoleInCode = regexp.MustCompile(`PolicyRule|kind: *(Cluster)?Role\b`)

// readGo reads the roles in Go code: the rules of one declaration, by the name of the declaration, and those in strings.
func (f *File) readGo(name, text string) error {
	if !hasRoleInCode.MatchString(text) {
		return nil
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	c := &code{
		fset:    fset,
		lines:   strings.Split(text, "\n"),
		imports: map[string]string{},
		values:  scope{},
		makers:  map[string]*ast.FuncDecl{},
		used:    map[string]bool{},
	}
	for _, spec := range syntax.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value) // it has been parsed
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		c.imports[local] = imported
	}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			c.values.declare(decl)
		case *ast.FuncDecl:
			if decl.Recv == nil && c.made(decl) != nil {
				c.makers[decl.Name.Name] = decl
			}
		}
	}
	named := map[string]*Role{}
	for _, decl := range syntax.Decls {
		for _, part := range parts(decl) {
			role := c.role(part.name, part.node)
			named[part.declared] = role
			f.Roles = append(f.Roles, role)
		}
	}
	for name := range c.used { // its rule is one of the roles that use it
		f.Roles = slices.DeleteFunc(f.Roles, func(role *Role) bool { return role == named[name] })
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			f.readString(literal, fset.Position(literal.Pos()).Line)
		}
		return true
	})
	return nil
}

// part is a function, or a variable.
type part struct {
	declared string
	name     string // for people
	node     ast.Node
}

// parts returns what a declaration declares.
func parts(decl ast.Decl) (all []part) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv != nil {
			return []part{{name: "method " + decl.Name.Name, node: decl}}
		}
		return []part{{declared: decl.Name.Name, name: "func " + decl.Name.Name, node: decl}}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				all = append(all, part{declared: spec.Names[0].Name, name: "var " + spec.Names[0].Name, node: spec})
			}
		}
	}
	return all
}

// role returns the rules in a part of a declaration.
func (c *code) role(name string, node ast.Node) *Role {
	role := &Role{Name: name}
	known := c.locals(node)
	var literals []*ast.CompositeLit // nil for a rule that is made elsewhere
	elements := map[ast.Expr]bool{}  // of literals
	add := func(at ast.Expr, literal *ast.CompositeLit, in scope) {
		role.add(c.rule(literal, in), c.line(at.Pos()))
		if at != ast.Expr(literal) || !elements[at] {
			literal = nil
		}
		literals = append(literals, literal)
	}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if isRule(n) {
				add(n, n, known)
				return false
			}
			for _, element := range n.Elts {
				elements[element] = true
			}
		case *ast.Ident:
			literal, ok := c.values[n.Name].(*ast.CompositeLit)
			if ok && elements[n] && known[n.Name] == ast.Expr(literal) && isRule(literal) {
				c.used[n.Name] = true
				add(n, literal, c.values)
			}
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.Ident)
			if ok && c.makers[called.Name] != nil {
				maker := c.makers[called.Name]
				c.used[called.Name] = true
				add(n, c.made(maker), c.called(maker, n, known))
				return false
			}
		}
		return true
	})
	if i := role.about(); i >= 0 && literals[i] != nil {
		role.form = c.form(literals[i])
	}
	return role
}

// made returns the literal that a function returns, if this is all that it does.
func (c *code) made(decl *ast.FuncDecl) *ast.CompositeLit {
	if decl.Body == nil || len(decl.Body.List) != 1 {
		return nil
	}
	result, ok := decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return nil
	}
	if literal, ok := result.Results[0].(*ast.CompositeLit); ok && isRule(literal) {
		return literal
	}
	return nil
}

// isRule reports whether a literal is that of a PolicyRule. In a list it has no type.
func isRule(literal *ast.CompositeLit) bool {
	switch named := literal.Type.(type) {
	case *ast.Ident:
		return named.Name == "PolicyRule"
	case *ast.SelectorExpr:
		return named.Sel.Name == "PolicyRule"
	case nil:
		return fieldOf(literal, "Verbs") != nil
	}
	return false
}

// fieldOf returns the value of a field in a literal, or nil.
func fieldOf(literal *ast.CompositeLit, name string) ast.Expr {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
				return pair.Value
			}
		}
	}
	return nil
}

func (c *code) line(pos token.Pos) int { return c.fset.Position(pos).Line }

// readString reads a string that begins in a line, if it is a manifest. In one with quotes all is in that line.
func (f *File) readString(literal *ast.BasicLit, line int) {
	text, err := strconv.Unquote(literal.Value)
	if err != nil || !HasRole(text) {
		return
	}
	inside := File{}
	if inside.readYAML(text) != nil {
		return
	}
	for _, role := range inside.Roles {
		role.Format, role.form = GoString, nil
		for i := range role.lines {
			if literal.Value[0] != '`' {
				role.lines[i] = 1
			}
			role.lines[i] += line - 1
		}
	}
	f.Roles = append(f.Roles, inside.Roles...)
	f.Bindings = append(f.Bindings, inside.Bindings...)
}
