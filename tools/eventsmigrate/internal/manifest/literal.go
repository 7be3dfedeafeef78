// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// rbacPackage is the import path, without the version, of the type PolicyRule.
const rbacPackage = "k8s.io/api/rbac/"

// literal is a PolicyRule in Go code. What is not a constant string is missing in the rule.
type literal struct {
	rule rbacfile.Rule
	line int
	core int // the offset behind the core group, or -1
}

// literals extends the rules that a Go file has as literals, one list of them at a time, as these end in one role.
func (p *planner) literals(name, text string) []*insertion {
	if !strings.Contains(text, `"`+rbacPackage) {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil // it does not compile, which the rewrite reports
	}
	r := &literalReader{fset: fset, packages: ImportedAs(file)}
	ast.Inspect(file, r.inspect)
	var all []*insertion
	for _, list := range r.lists {
		all = append(all, p.literalsOf(name, list)...)
	}
	return all
}

// ImportedAs returns the import paths of a file by the names that it has for them, as far as the paths show these.
func ImportedAs(file *ast.File) map[string]string {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // it has been parsed
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = path
	}
	return imported
}

// literalsOf returns the insertions that make a list of rules allow recording through the new group.
func (p *planner) literalsOf(name string, list []literal) []*insertion {
	var rules []rbacfile.Rule
	for _, l := range list {
		rules = append(rules, l.rule)
	}
	var all []*insertion
	for _, l := range list {
		p.hasRules = p.hasRules || records(l.rule, "") || records(l.rule, newGroup)
		if !records(l.rule, "") || allows(rules, newGroup) {
			continue
		}
		if l.core < 0 || !extensible(l.rule) {
			p.human(name, l.line, "this PolicyRule allows recording through core/v1 only: add one behind it for %s", newRule)
			continue
		}
		rules = append(rules, recording)
		all = append(all, &insertion{offset: l.core, text: ", " + strconv.Quote(newGroup)})
		p.changed(name, l.line, "PolicyRule: %s added to APIGroups", newGroup)
	}
	return all
}

// literalReader collects the literals of PolicyRules in a file.
type literalReader struct {
	fset     *token.FileSet
	packages map[string]string // import paths by name
	lists    [][]literal
}

// inspect is called for each node. It goes by the names of the fields, as the elements of a list have no type.
func (r *literalReader) inspect(n ast.Node) bool {
	composite, ok := n.(*ast.CompositeLit)
	if !ok {
		return true
	}
	if rule, ok := r.rule(composite); ok { // of no list
		r.lists = append(r.lists, []literal{rule})
		return false
	}
	var list []literal
	for _, element := range composite.Elts {
		if inner, ok := element.(*ast.CompositeLit); ok {
			if rule, ok := r.rule(inner); ok {
				list = append(list, rule)
			}
		}
	}
	r.lists = append(r.lists, list)
	return len(list) == 0
}

// rule reads a literal, and reports whether it has the fields of a PolicyRule.
func (r *literalReader) rule(composite *ast.CompositeLit) (literal, bool) {
	l := literal{line: r.fset.Position(composite.Pos()).Line, core: -1}
	found := 0
	for _, element := range composite.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return l, false
		}
		key, _ := field.Key.(*ast.Ident)
		values, _ := field.Value.(*ast.CompositeLit)
		if key == nil || values == nil {
			continue
		}
		switch key.Name {
		case "APIGroups":
			found++
			for _, value := range values.Elts {
				if group, ok := r.constant(value); ok {
					l.rule.APIGroups = append(l.rule.APIGroups, group)
					if group == "" {
						l.core = r.fset.Position(value.End()).Offset
					}
				}
			}
		case "Resources":
			found++
			l.rule.Resources = r.constants(values)
		case "Verbs":
			found++
			l.rule.Verbs = r.constants(values)
		case "ResourceNames":
			l.rule.ResourceNames = []string{"(some)"} // which are not known before the program runs
		}
	}
	return l, found == 3
}

// constants are the strings of a list. One that is not known is empty, so that the list is not taken for a shorter one.
func (r *literalReader) constants(list *ast.CompositeLit) []string {
	var all []string
	for _, value := range list.Elts {
		text, _ := r.constant(value)
		all = append(all, text)
	}
	return all
}

// constant is the value of a string, or of one of the constants that the Kubernetes API has for RBAC.
func (r *literalReader) constant(value ast.Expr) (string, bool) {
	switch value := value.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(value.Value)
		return text, err == nil
	case *ast.SelectorExpr:
		pkg, _ := value.X.(*ast.Ident)
		if pkg == nil {
			return "", false
		}
		switch path, name := r.packages[pkg.Name], value.Sel.Name; {
		case path == "k8s.io/api/core/v1" && name == "GroupName":
			return "", true
		case path == "k8s.io/api/events/v1" && name == "GroupName":
			return newGroup, true
		case strings.HasPrefix(path, rbacPackage) && (name == "APIGroupAll" || name == "ResourceAll" || name == "VerbAll"):
			return "*", true
		}
	}
	return "", false
}
