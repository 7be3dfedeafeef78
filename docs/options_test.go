// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Every option of every package has a row, with the default that the source has.
//
// Caught: an option without a row; 9 seconds for the publish interval; a worker more in legacy.
func TestOptionsHasEveryOption(t *testing.T) {
	cells, names := map[string]string{}, []string(nil)
	for _, row := range rowsOf(sections(t, "options.md")["all-options"]) {
		cells[strings.Trim(row[0], "`")] = strings.Trim(row[1], "`")
	}
	for _, pkg := range []string{"events", "adapter", "legacy"} {
		source := readOptions(t, filepath.Join("..", pkg))
		for _, option := range source.names {
			name, want := pkg+"."+option, source.defaults[source.fields[option]]
			names = append(names, name)
			if isFigure := number.FindStringIndex(cells[name]); (want != "" || isFigure != nil) && cells[name] != want {
				t.Errorf("options.md: the default of %s is %q, want %q", name, cells[name], want)
			}
		}
	}
	explains(t, "options.md", "All options", names)
}

// options has the options of a package, read from its source.
type options struct {
	names     []string
	fields    map[string]string // that an option sets
	constants map[string]string
	defaults  map[string]string // by field
}

func readOptions(t *testing.T, dir string) *options {
	t.Helper()
	o := &options{fields: map[string]string{}, constants: map[string]string{}, defaults: map[string]string{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, content, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	for _, visit := range []func(ast.Node) bool{o.constant, o.option, o.byDefault} {
		for _, file := range parsed {
			ast.Inspect(file, visit)
		}
	}
	return o
}

// constant adds a constant whose name begins with "default".
func (o *options) constant(n ast.Node) bool {
	spec, ok := n.(*ast.ValueSpec)
	if ok && len(spec.Values) == 1 && strings.HasPrefix(spec.Names[0].Name, "default") {
		o.constants[spec.Names[0].Name] = value(spec.Values[0])
	}
	return true
}

// option adds an option and the field that it sets.
func (o *options) option(n ast.Node) bool {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "With") || f.Type.Results == nil ||
		types.ExprString(f.Type.Results.List[0].Type) != "Option" {
		return true
	}
	o.names = append(o.names, f.Name.Name)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if set, ok := n.(*ast.AssignStmt); ok {
			o.fields[f.Name.Name] = fieldOf(set.Lhs[0])
		}
		return true
	})
	return true
}

// byDefault learns what a field gets where no option sets it: by an assignment or in a literal of newConfig, or in a
// call that has the field and then the default.
func (o *options) byDefault(n ast.Node) bool {
	f, ok := n.(*ast.FuncDecl)
	if !ok || strings.HasPrefix(f.Name.Name, "With") {
		return true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			o.learn(n.Lhs[0], n.Rhs[0], f.Name.Name == "newConfig")
		case *ast.KeyValueExpr:
			o.learn(n.Key, n.Value, f.Name.Name == "newConfig")
		case *ast.CallExpr:
			for i := 1; i < len(n.Args); i++ {
				o.learn(n.Args[i-1], n.Args[i], false)
			}
		}
		return true
	})
	return false
}

func (o *options) learn(field, value ast.Expr, anything bool) {
	name := fieldOf(field)
	text := types.ExprString(value)
	for constant, known := range o.constants {
		if name != "" && (text == constant || strings.HasPrefix(text, "max("+constant+",")) {
			o.defaults[name] = known
			return
		}
	}
	_, isName := value.(*ast.Ident)
	_, isOfPackage := value.(*ast.SelectorExpr)
	_, isLiteral := value.(*ast.CompositeLit)
	isValue := isName && ast.IsExported(text) || isOfPackage || isLiteral
	if anything && isValue && name != "" && o.defaults[name] == "" {
		o.defaults[name] = text
	}
}

// fieldOf returns the last name of a field, or of its address.
func fieldOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return fieldOf(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident: // the key of a literal
		return e.Name
	}
	return ""
}

var units = map[string]time.Duration{
	"time.Second": time.Second, "time.Minute": time.Minute, "time.Hour": time.Hour,
}

// value is a constant as the page has it: a number, or a duration without what is zero.
// The fields of a literal are as the arguments of the option.
func value(e ast.Expr) string {
	if literal, ok := e.(*ast.CompositeLit); ok {
		var fields []string
		for _, field := range literal.Elts {
			fields = append(fields, value(field))
		}
		return strings.Join(fields, ", ")
	}
	number, unit := types.ExprString(e), time.Duration(0)
	if product, ok := e.(*ast.BinaryExpr); ok {
		number, unit = types.ExprString(product.X), units[types.ExprString(product.Y)]
	} else if units[number] > 0 {
		number, unit = "1", units[number]
	}
	n, err := strconv.Atoi(number)
	if err != nil || unit == 0 {
		return number
	}
	text := (time.Duration(n) * unit).String()
	return strings.Replace(strings.Replace(text, "m0s", "m", 1), "h0m", "h", 1)
}
