// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"go/token"
)

// code is that of a package-level declaration. The methods of a type belong to the type, because a value of the type may
// be anywhere behind an interface.
type code struct {
	uses  uses
	names []name // what it names
}

// name names a package-level declaration.
type name struct{ path, name string }

// initial is the declaration that stands for what runs when a program imports a package: its init functions, and the
// calls in the values of its variables.
const initial = "init"

// declarations are those of a package, by name.
type declarations map[string]*code

// add adds what a file of the package declares, and returns what all of that does. Names are compared as written: a
// local variable that has the name of a declaration counts as that.
func (d declarations) add(path, file string, syntax *ast.File, imports map[string]string, generated bool) (all uses) {
	add := func(declared string, node ast.Node) {
		if d[declared] == nil {
			d[declared] = &code{}
		}
		found := usesOf(file, node, imports)
		if generated {
			found.makes = false // its generator will make the old one again
			found.reads = nil   // what it has for all kinds of objects
		}
		all.add(found)
		d[declared].uses.add(found)
		d[declared].names = append(d[declared].names, namesIn(path, imports, node)...)
	}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			declared := decl.Name.Name
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				declared = receiver(decl.Recv.List[0].Type)
			}
			add(declared, decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name.Name, spec)
				case *ast.ValueSpec:
					for _, declared := range spec.Names {
						add(declared.Name, spec)
					}
					if decl.Tok == token.VAR {
						eachCall(spec, func(call ast.Node) { add(initial, call) })
					}
				}
			}
		}
	}
	return all
}

// eachCall visits the calls that run when a variable gets its value, and not those in functions that are part of the
// value.
func eachCall(spec *ast.ValueSpec, visit func(ast.Node)) {
	for _, value := range spec.Values {
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if _, conversion := n.Fun.(*ast.ParenExpr); !conversion {
					visit(n)
				}
				return false
			}
			return true
		})
	}
}

// receiver returns the name of the type of a receiver.
func receiver(expr ast.Expr) (name string) {
	ast.Inspect(expr, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && name == "" {
			name = ident.Name
		}
		return name == ""
	})
	return name
}

// namesIn returns what a node may name: declarations of its package, and of packages that its file imports.
func namesIn(path string, imports map[string]string, node ast.Node) (names []name) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && imports[x.Name] != "" {
				names = append(names, name{imports[x.Name], n.Sel.Name})
			}
			names = append(names, namesIn(path, imports, n.X)...)
			return false // a field or method is none
		case *ast.Ident:
			names = append(names, name{path, n.Name})
			if dotted := imports["."]; dotted != "" {
				names = append(names, name{dotted, n.Name})
			}
		}
		return true
	})
	return names
}

// reach returns what a program does with recorders, in the code that its main function may reach.
func reach(nodes map[string]*node, program string, packages map[string]bool) (all uses) {
	seen := map[name]bool{}
	todo := []name{{program, "main"}}
	for path := range packages {
		todo = append(todo, name{path, initial})
	}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := nodes[next.path]
		if n == nil || n.declarations[next.name] == nil || seen[next] {
			continue
		}
		seen[next] = true
		all.add(n.declarations[next.name].uses)
		todo = append(todo, n.declarations[next.name].names...)
	}
	return all
}
