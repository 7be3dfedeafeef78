// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const timesFile = "internal/timing/timing.go"

// The table "Times" of DESIGN.md is made of internal/timing: each constant with its value, and the first sentence of its
// comment, which gives the reason.
//
// Caught: a value that was changed in the code alone; a row without a constant; a constant without a comment.
func TestTimes(t *testing.T) {
	atRoot(t)
	var want []string
	for _, file := range goFiles(t) {
		if file.path == timesFile {
			want = timesOf(t, file)
		}
	}
	if len(want) < 10 {
		t.Fatalf("%d times are in %s", len(want), timesFile)
	}
	want = slices.Concat([]string{"| name | value | meaning and reason |", "|---|---|---|"}, want)
	holdTable(t, "DESIGN.md", "Times", want)
}

// timesOf returns the rows of the table.
func timesOf(t *testing.T, file *goFile) (rows []string) {
	t.Helper()
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST && group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			one := spec.(*ast.ValueSpec)
			name := one.Names[0].Name
			comment := strings.Join(strings.Fields(one.Doc.Text()), " ")
			sentence, _, _ := strings.Cut(comment, ". ")
			reason, found := strings.CutPrefix(strings.TrimSuffix(sentence, "."), name+" is ")
			if !found || !one.Names[0].IsExported() {
				t.Errorf("%v: want an exported name, and a comment that begins with %q", fset.Position(one.Pos()), name+" is ")
			}
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", name, timeOf(t, one.Values[0]), reason))
		}
	}
	return rows
}

// timeOf returns a time as the table has it. A back-off has two.
func timeOf(t *testing.T, value ast.Expr) string {
	t.Helper()
	literal, ok := value.(*ast.CompositeLit)
	if !ok {
		return inWords(durationOf(t, value))
	}
	var all []string
	for _, element := range literal.Elts {
		all = append(all, inWords(durationOf(t, element.(*ast.KeyValueExpr).Value)))
	}
	return strings.Join(all, " to ")
}

var units = map[string]time.Duration{
	"Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// durationOf evaluates an expression such as time.Minute or 2 * time.Minute.
func durationOf(t *testing.T, value ast.Expr) time.Duration {
	t.Helper()
	n := 1
	if product, ok := value.(*ast.BinaryExpr); ok && product.Op == token.MUL {
		if factor, ok := product.X.(*ast.BasicLit); ok {
			n, _ = strconv.Atoi(factor.Value)
			value = product.Y
		}
	}
	if unit, ok := value.(*ast.SelectorExpr); ok && n > 0 && units[unit.Sel.Name] > 0 {
		return time.Duration(n) * units[unit.Sel.Name]
	}
	t.Errorf("%v: want a number of units of package time", fset.Position(value.Pos()))
	return 0
}

func inWords(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%g s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%g min", d.Minutes())
	}
	return fmt.Sprintf("%g h", d.Hours())
}

// noTimes are files of the runtime that name a unit of time, and why that is no time to wait.
var noTimes = map[string]string{
	"debug/words.go":               "a time in the past, in words",
	"internal/engine/config.go":    "the bound of options: for ever",
	"internal/request/classify.go": "Retry-After is in seconds",
	"internal/series/shared.go":    "a rate is in occurrences a second",
}

// No other package of the runtime has times of its own. The test kit has, and so have packages that only read Events.
//
// Caught: a time-out in a package of its own; a file that was in noTimes for nothing.
func TestTimesAreInOnePlace(t *testing.T) {
	atRoot(t)
	found := map[string]bool{}
	production(t, func(pkg string, file *goFile) {
		for _, other := range []string{"examples/", "contrib/", "events/eventstest/", "internal/testkit/", "eventview/"} {
			if strings.HasPrefix(pkg+"/", other) {
				return
			}
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			unit, ok := n.(*ast.SelectorExpr)
			if !ok || units[unit.Sel.Name] == 0 || file.path == timesFile {
				return true
			}
			if pkg, ok := unit.X.(*ast.Ident); ok && pkg.Name == "time" {
				found[file.path] = true
				if noTimes[file.path] == "" {
					t.Errorf("%v: want the time in %s, with its reason", fset.Position(unit.Pos()), timesFile)
				}
			}
			return true
		})
	})
	for file := range noTimes {
		if !found[file] {
			t.Errorf("%s has no unit of time any more: remove it from noTimes", file)
		}
	}
}
