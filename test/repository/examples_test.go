// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"go/ast"
	"go/doc"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cannotRun are Examples without an Output.
var cannotRun = []string{"TestSink"} // needs a *testing.T with subtests; TestLines runs its code

// Each exported constructor and seam has an Example that runs, and its output is compared:
//
//	a function that returns something of the package or a recorder, a sink or a broadcaster
//	an interface that users implement or hand in
//	a handler: an option that takes a function
//	a method that makes or starts something, unless it is deprecated: an Example calls it
//
// Caught: New, a seam and a handler without an Example; an Example without an Output, which go test does not run.
func TestConstructorsAndSeamsHaveExamples(t *testing.T) {
	atRoot(t)
	for _, dir := range publicPackages(t) {
		p := documented(t, dir)
		shown, calls := map[string]bool{}, map[string]bool{}
		for _, example := range examplesOf(p) {
			name, _, _ := strings.Cut(example.Name, "_")
			shown[name] = true
			if example.Output == "" && !example.EmptyOutput && !slices.Contains(cannotRun, name) {
				t.Errorf("%v: Example%s has no Output, so it does not run", fset.Position(example.Code.Pos()), example.Name)
			}
			addCalls(calls, example)
		}
		for _, name := range constructors(p) {
			if !shown[name] {
				t.Errorf("%s: func %s has no Example", dir, name)
			}
		}
		for _, typ := range p.Types {
			if isSeam(typ) && !shown[typ.Name] {
				t.Errorf("%s: interface %s has no Example", dir, typ.Name)
			}
			for _, method := range typ.Methods {
				if begins.MatchString(method.Name) && !strings.Contains(method.Doc, "Deprecated:") && !calls[method.Name] {
					t.Errorf("%s: no Example calls %s.%s", dir, typ.Name, method.Name)
				}
			}
		}
	}
}

// examplesOf returns all Examples of a package.
func examplesOf(p *doc.Package) []*doc.Example {
	all := slices.Clone(p.Examples)
	for _, f := range p.Funcs {
		all = append(all, f.Examples...)
	}
	for _, typ := range p.Types {
		all = append(all, typ.Examples...)
		for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
			all = append(all, f.Examples...)
		}
	}
	return all
}

// addCalls adds what an Example calls, itself or through a function of its file.
func addCalls(calls map[string]bool, example *doc.Example) {
	find := func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			calls[selector.Sel.Name] = true
		}
		return true
	}
	ast.Inspect(example.Code, find)
	if example.Play != nil {
		ast.Inspect(example.Play, find)
	}
}

var (
	begins = regexp.MustCompile(`^(New|Start)`)
	// results are the types of other packages that make a function a constructor.
	results = regexp.MustCompile(`^(events\.Sink|(clientevents|record)\.EventRecorder(Logger)?)$`)
)

// constructors returns the exported functions whose result is of the package, and the options that take a function. A
// pointer to a type of client-go, under our name or not, is client-go's to explain.
func constructors(p *doc.Package) (all []string) {
	own := map[string]bool{}
	for _, typ := range p.Types {
		own[typ.Name] = !typ.Decl.Specs[0].(*ast.TypeSpec).Assign.IsValid()
	}
	funcs := slices.Clone(p.Funcs)
	for _, typ := range p.Types {
		funcs = append(funcs, typ.Funcs...)
	}
	for _, f := range funcs {
		if f.Decl.Type.Results == nil {
			continue
		}
		result := typeName(f.Decl.Type.Results.List[0].Type)
		bare := strings.TrimPrefix(result, "*")
		known, isOurs := own[bare]
		switch {
		case strings.HasSuffix(bare, "Option"):
			if takesFunction(f.Decl) {
				all = append(all, f.Name)
			}
		case known, isOurs && bare == result, results.MatchString(bare):
			all = append(all, f.Name)
		}
	}
	return all
}

func typeName(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return "*" + typeName(e.X)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	default:
		return ""
	}
}

func takesFunction(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(field *ast.Field) bool {
		_, isFunction := field.Type.(*ast.FuncType)
		return isFunction
	})
}

func isSeam(typ *doc.Type) bool {
	_, isInterface := typ.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.InterfaceType)
	return isInterface
}
