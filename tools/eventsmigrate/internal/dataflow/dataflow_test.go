// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
)

// check returns a package of this code, and the argument of its call of the function use.
func check(t *testing.T, imports, code string) (*dataflow.Package, ast.Expr) {
	t.Helper()
	fset := token.NewFileSet()
	text := "package p\n\n" + imports + "\n\nfunc use(any) {}\n\n" + code
	file, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	p := dataflow.NewPackage(pkg, info, []*ast.File{file})
	for _, call := range p.Calls {
		if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "use" {
			return p, call.Args[0]
		}
	}
	t.Fatal("nothing is used")
	return nil, nil
}

// A variable that is set once has the value of its declaration.
func TestOnly(t *testing.T) {
	for _, test := range []struct{ code, want string }{
		{`func f() { x := "a"; use(x) }`, `"a"`},
		{`func f() { x := "a"; use((x)) }`, `"a"`},
		{`var x = "a"; func f() { use(x) }`, `"a"`},
		{`func f() { x := "a"; y := x; use(y) }`, `x`},
		{`func g() string { return "a" }; func f() { x := g(); use(x) }`, `g()`},
		{`func f() { x := "a"; x = "b"; use(x) }`, ""},
		{`func f() { x := "a"; x += "b"; use(x) }`, ""},
		{`func f() { x := "a"; use(x); _ = &x }`, ""},
		{`func f() { var x string; x = "a"; use(x) }`, ""},
		{`func f() { var x any = "a"; use(x) }`, ""},
		{`func f() { for _, x := range []string{"a"} { use(x) } }`, ""},
		{`func g() (string, error) { return "a", nil }; func f() { x, _ := g(); use(x) }`, ""},
		{`func f(m map[int]string) { x, ok := m[1]; use(x); _ = ok }`, ""},
		{`func f(x string) { use(x) }`, ""},
		{`func f() { use("a") }`, ""},
	} {
		p, arg := check(t, "", test.code)
		got := ""
		if only := p.Only(arg); only != nil {
			got = types.ExprString(only)
		}
		if got != test.want {
			t.Errorf("%s: Only = %q, want %q", test.code, got, test.want)
		}
	}
}

// A text is written as its constants, why it is volatile, whether it is unknown, its parameters, and its formats.
func TestText(t *testing.T) {
	for _, test := range []struct{ code, want string }{
		{`func f() { use("a") }`, "a; a"},
		{`func f(b bool) { x := "a"; if b { x = "b" }; use(x) }`, "a b; a b"},
		{`func f(x string) { use(x) }`, "params x; %s"},
		{`func f(x string) { x = "a"; use(x) }`, "a params x; %s a"},
		{`func f() { x := "a"; p := &x; use(*p) }`, "a unknown; a %s"},
		{`func f(x any) { use(x.(string)) }`, "params x; %s"},
		{`type e string; func f(x e) { y := string(x); use(y) }`, "params x; %s"},
		// Elements of lists.
		{`func f() { for _, x := range []string{"a", "b"} { use(x) } }`, "a b; a b"},
		{`func f() { all := []string{"a"}; for _, x := range all { use(x) } }`, "a; a"},
		{`func f(all []string) { for _, x := range all { use(x) } }`, "unknown; %s"},
		{`func f() { for x := range map[string]string{"a": "b"} { use(x) } }`, "unknown; %s"},
		// Results of functions, with what this call passes to them.
		{`func g() (string, string) { return "a", "b" }; func f() { _, x := g(); use(x) }`, "b; b"},
		{`func g() (x string) { x = "a"; return }; func f() { use(g()) }`, "a; a"},
		{`func g(x string) string { return x }; var _ = g("b"); func f() { use(g("a")) }`, "a; a"},
		{`func g(x string) string { y := x; return y }; func f(b bool) { x := g("a"); if b { x = g("b") }; use(x) }`, "a b; a b"},
		{`func g(n int) string { if n > 0 { return g(n-1) }; return "a" }; func f() { use(g(1)) }`, "a; a"},
		// Fields, as long as no other package can set them.
		{`type s struct { x string }; var v = s{"a"}; func f() { use(v.x) }`, "a; a"},
		{`type s struct { X string }; var v = s{X: "a"}; func f() { use(v.X) }`, "unknown; %s"},
		// Texts that are put together.
		{`func f(b bool) { x := "a"; if b { x = "b" }; use(x + "c") }`, "ac bc; ac bc"},
		{`func f(x string) { use("a: " + x) }`, "volatile a concatenation params x; a: %s"},
		{`func f(x error) { use("a: " + x.Error()) }`, "volatile the text of an error; a: %s"},
		{`import "fmt"; func f(x int) { use(fmt.Sprintf("%s %d", "a", x)) }`, "volatile fmt.Sprintf; a %d"},
		{`import "errors"; func f() { err := errors.New("a"); use(err.Error()) }`, "volatile the text of an error; a"},
		{`import "strings"; func f(x error) { use(strings.ToLower(x.Error())) }`, "volatile the text of an error; %s"},
	} {
		imports, code, _ := strings.Cut(test.code, "; ")
		if !strings.HasPrefix(imports, "import") {
			imports, code = "", test.code
		}
		p, arg := check(t, imports, code)
		if diff := cmp.Diff(test.want, describe(p.TextOf(arg))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.code, diff)
		}
	}
}

func describe(text dataflow.Text) string {
	words := text.Constants
	if text.Volatile != "" {
		words = append(words, "volatile "+text.Volatile)
	}
	if text.Unknown {
		words = append(words, "unknown")
	}
	for _, param := range text.Params {
		words = append(words, "params "+param.Name())
	}
	return fmt.Sprintf("%s; %s", strings.Join(words, " "), strings.Join(text.Formats, " "))
}
