// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"go/ast"
	"slices"
	"strconv"
)

// scope has the values of variables and constants by name. That of a variable with several values is nil.
type scope map[string]ast.Expr

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
