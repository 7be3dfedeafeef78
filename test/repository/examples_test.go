// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"slices"
	"strings"
	"testing"
)

// The table "Examples" of docs/README.md is made of the Example functions of these packages.
//
// Caught: an Example that was renamed, and one that is new; ExampleWithScheme in events/eventstest, which pkg.go.dev did
// not show, because WithScheme belongs to another package.
func TestExampleIndex(t *testing.T) {
	atRoot(t)
	rows := []string{"| package | examples |", "|---|---|"}
	for _, dir := range documented(t) {
		shown := examplesOf(t, dir)
		for _, file := range goFiles(t) {
			if file.dir() != dir || !file.isTest() {
				continue
			}
			for _, e := range doc.Examples(file.File) {
				if !slices.ContainsFunc(shown, func(s example) bool { return s.name == e.Name }) {
					t.Errorf("%s: pkg.go.dev does not show Example%s, because the package has nothing of that name", file.path, e.Name)
				}
			}
		}
		pkg := cmp.Or(strings.TrimPrefix(dir, "."), "eventseries")
		address := strings.TrimSuffix("https://pkg.go.dev/"+module+strings.TrimPrefix(dir, "."), "/")
		var links []string
		for _, e := range shown {
			links = append(links, fmt.Sprintf("[%s](%s#%s)", e.label, address, e.anchor))
		}
		if len(links) > 0 {
			rows = append(rows, fmt.Sprintf("| %s | %s |", pkg, strings.Join(links, ", ")))
		}
	}
	holdTable(t, "docs/README.md", "Examples", rows)
}

// documented returns the directories of the packages that have a page on pkg.go.dev for users.
func documented(t *testing.T) []string {
	t.Helper()
	return append([]string{"."}, publicPackages(t)...)
}

// example is an Example function as pkg.go.dev shows it.
type example struct {
	name   string // of the function, without "Example"
	label  string
	anchor string
}

// examplesOf returns the Examples of a package that pkg.go.dev shows, by name. go/doc decides it: an Example belongs to
// the package, or to an exported function, type or method of the package, and is not shown if there is none of its name.
func examplesOf(t *testing.T, dir string) (shown []example) {
	t.Helper()
	var files []*ast.File
	for _, file := range goFiles(t) {
		if file.dir() == dir {
			files = append(files, file.File)
		}
	}
	pkg, err := doc.NewFromFiles(fset, files, module+dir, doc.PreserveAST)
	if err != nil {
		t.Fatal(err)
	}
	add := func(symbol string, examples []*doc.Example) {
		for _, e := range examples {
			one := example{name: e.Name, label: symbol, anchor: "example-" + symbol}
			if e.Suffix != "" {
				one.label += " (" + e.Suffix + ")"
				one.anchor += "-" + strings.ToUpper(e.Suffix[:1]) + e.Suffix[1:]
			}
			shown = append(shown, one)
		}
	}
	addAll := func(prefix string, functions []*doc.Func) {
		for _, f := range functions {
			add(prefix+f.Name, f.Examples)
		}
	}
	add("package", pkg.Examples)
	addAll("", pkg.Funcs)
	for _, typ := range pkg.Types {
		add(typ.Name, typ.Examples)
		addAll("", typ.Funcs)
		addAll(typ.Name+".", typ.Methods)
	}
	slices.SortFunc(shown, func(a, b example) int { return strings.Compare(a.name, b.name) })
	return shown
}
