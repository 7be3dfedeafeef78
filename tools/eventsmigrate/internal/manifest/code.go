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

// scope has the values of variables and constants by name. That of a variable with several values is nil.
type scope map[string]ast.Expr

// hasRoleInCode matches a Go file that may have roles.
var hasRoleInCode = regexp.MustCompile(`PolicyRule|kind: *(Cluster)?Role\b`)

// readGo reads the roles in Go code: the rules of one declaration, by the name of the declaration, and those in strings.
func (f *File) readGo(name, text string) {
	if !hasRoleInCode.MatchString(text) {
		return
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	c := &code{
		fset: fset, lines: strings.Split(text, "\n"),
		imports: map[string]string{}, values: scope{}, makers: map[string]*ast.FuncDecl{}, used: map[string]bool{},
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

// declare adds what a declaration gives to names.
func (s scope) declare(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		if spec, ok := spec.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
			for i, name := range spec.Names {
				s.set(name, spec.Values[i])
			}
		}
	}
}

func (s scope) set(name *ast.Ident, value ast.Expr) {
	if _, known := s[name.Name]; known {
		value = nil
	}
	s[name.Name] = value
}

// locals returns the values of names in a function, and those of the package behind them.
func (c *code) locals(node ast.Node) scope {
	inner := scope{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			inner.declare(n)
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok {
					value := ast.Expr(nil)
					if len(n.Lhs) == len(n.Rhs) {
						value = n.Rhs[i]
					}
					inner.set(name, value)
				}
			}
		case *ast.Field: // a parameter
			for _, name := range n.Names {
				inner.set(name, nil)
			}
		}
		return true
	})
	for name, value := range c.values {
		if _, hidden := inner[name]; !hidden {
			inner[name] = value
		}
	}
	return inner
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
			if literal, ok := c.values[n.Name].(*ast.CompositeLit); ok && elements[n] && known[n.Name] == ast.Expr(literal) && isRule(literal) {
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

// called returns the values of names in a function that is called.
func (c *code) called(decl *ast.FuncDecl, call *ast.CallExpr, caller scope) scope {
	inner := c.locals(decl)
	i := 0
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			if _, variadic := field.Type.(*ast.Ellipsis); variadic && !call.Ellipsis.IsValid() {
				inner[name.Name] = &ast.CompositeLit{Elts: call.Args[min(i, len(call.Args)):]}
			} else if i < len(call.Args) {
				inner[name.Name] = resolved(call.Args[i], caller)
			}
			i++
		}
	}
	return inner
}

// resolved returns the value of a name, and other expressions as they are.
func resolved(expr ast.Expr, known scope) ast.Expr {
	if name, ok := expr.(*ast.Ident); ok && known[name.Name] != nil {
		return known[name.Name]
	}
	return expr
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

// fields are those of a PolicyRule, by the names that they have in YAML.
var fields = map[string]string{
	"apiGroups": "APIGroups", "resources": "Resources", "resourceNames": "ResourceNames", "verbs": "Verbs",
	"nonResourceURLs": "NonResourceURLs",
}

// rule reads a literal. What the file does not tell may be anything, like what a template fills in; but resources that it does not
// tell are not taken for Events.
func (c *code) rule(literal *ast.CompositeLit, known scope) rule {
	one := rule{}
	for key, name := range fields {
		value := fieldOf(literal, name)
		if value == nil {
			continue
		}
		one[key] = c.texts(value, known)
		if key == "resources" {
			one[key] = slices.DeleteFunc(one[key], func(text string) bool { return text == templated })
		}
	}
	return one
}

// texts returns the elements of a list.
func (c *code) texts(list ast.Expr, known scope) (all []string) {
	literal, ok := resolved(list, known).(*ast.CompositeLit)
	if !ok {
		return []string{templated}
	}
	for _, element := range literal.Elts {
		all = append(all, c.text(element, known))
	}
	return all
}

// text returns the value of a string.
func (c *code) text(expr ast.Expr, known scope) string {
	switch expr := resolved(expr, known).(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(expr.Value); err == nil {
			return text
		}
	case *ast.SelectorExpr:
		switch expr.Sel.Name {
		case "VerbAll", "APIGroupAll", "ResourceAll":
			return "*"
		case "GroupName":
			return c.group(expr.X)
		case "Group": // of SchemeGroupVersion, or of GroupVersion
			if version, ok := expr.X.(*ast.SelectorExpr); ok {
				return c.group(version.X)
			}
		}
	}
	return templated
}

// group returns the API group of a package that the file imports.
func (c *code) group(expr ast.Expr) string {
	name, _ := expr.(*ast.Ident)
	if name == nil || c.imports[name.Name] == "" {
		return templated
	}
	switch imported := c.imports[name.Name]; imported {
	case "k8s.io/api/core/v1":
		return ""
	case "k8s.io/api/events/v1":
		return newGroup
	default:
		return imported // which is no group, but another one in any case
	}
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

// goForm is the form of a rule that is an element of a literal, in lines of its own.
type goForm struct {
	head     string // what stands before the brace
	last     int    // the last line
	oneLine  bool
	oneField bool // each value of a field has a line of its own
}

// form returns the form of a literal, or nil if another one cannot be written behind it.
func (c *code) form(literal *ast.CompositeLit) form {
	first, last := c.line(literal.Pos()), c.line(literal.End())
	head, _, _ := strings.Cut(c.lines[first-1], "{")
	if column := c.fset.Position(literal.Pos()).Column; strings.TrimSpace(c.lines[first-1][:column-1]) != "" ||
		!strings.HasSuffix(strings.TrimSpace(c.lines[last-1]), "},") {
		return nil
	}
	verbs := fieldOf(literal, "Verbs")
	return &goForm{
		head: head, last: last, oneLine: first == last,
		oneField: verbs != nil && c.line(verbs.Pos()) != c.line(verbs.End()),
	}
}

func (f *goForm) end([]string, int) int { return f.last }

func (f *goForm) another(first string) []string {
	if f.oneLine {
		return []string{f.head + NewRuleInGo + ","}
	}
	indent := first[:len(first)-len(strings.TrimLeft(first, "\t "))]
	lines := []string{f.head + "{"}
	for _, field := range []struct {
		name, space string
		values      []string
	}{
		{"APIGroups", " ", []string{newGroup}},
		{"Resources", " ", []string{resource}},
		{"Verbs", "     ", recordingVerbs},
	} {
		if !f.oneField {
			lines = append(lines, indent+"\t"+field.name+":"+field.space+"[]string{"+quoted(field.values, ", ")+"},")
			continue
		}
		lines = append(lines, indent+"\t"+field.name+": []string{")
		for _, value := range field.values {
			lines = append(lines, indent+"\t\t"+strconv.Quote(value)+",")
		}
		lines = append(lines, indent+"\t},")
	}
	return append(lines, indent+"},")
}

func quoted(values []string, between string) string {
	var all []string
	for _, value := range values {
		all = append(all, strconv.Quote(value))
	}
	return strings.Join(all, between)
}
