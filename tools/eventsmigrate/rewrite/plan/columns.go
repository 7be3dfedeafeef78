// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/golangci"
)

// tabWidth is how many columns a tab counts.
const tabWidth = 4

// Columns is how long a line of the file may get: what the project's linter or formatter allows, or else as long as the
// longest statement with a call in one line is, and at least 120 columns. These are 100 if that statement just fits into
// 100 and each signature does, or the file has an argument a line, as formatters with that limit break calls.
func (f *File) Columns() int {
	columns, _ := f.columns()
	return columns
}

// Limited reports whether a linter or a formatter of the project limits the lines.
func (f *File) Limited() bool {
	_, limited := f.columns()
	return limited
}

func (f *File) findColumns() (columns int, limited bool) {
	_, config := golangci.Near(filepath.Dir(f.Fset.Position(f.AST.FileStart).Filename))
	if limit := config.Columns(); limit > 0 {
		return limit, true
	}
	longest, signature := 0, 0
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if f.Line(n.Pos()) == f.Line(n.Type.End()) {
				before, _ := f.LineText(n.Type.End())
				signature = max(signature, Width(before+" {"))
			}
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeferStmt:
			if f.Line(n.Pos()) == f.Line(n.End()) && calls(n) {
				before, _ := f.LineText(n.End())
				longest = max(longest, Width(before))
			}
		}
		return true
	})
	if f.BreaksAll() || 90 < longest && longest <= 100 && signature <= 100 {
		return max(longest, 100), false
	}
	return max(longest, 120), false
}

// calls reports whether a statement has a call.
func calls(statement ast.Node) (found bool) {
	ast.Inspect(statement, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

// BreaksAll reports whether most calls of the file that have several lines have one for each argument. A call whose last
// argument alone has several lines tells nothing.
func (f *File) BreaksAll() bool {
	all, some := 0, 0
	ast.Inspect(f.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 || f.Line(call.Lparen) == f.Line(call.Args[len(call.Args)-1].Pos()) {
			return true
		}
		own := 0
		for i := range call.Args {
			if f.OwnLine(call, i) {
				own++
			}
		}
		if own == len(call.Args) {
			all++
		} else {
			some++
		}
		return true
	})
	return all > some
}

// OwnLine reports whether an argument of a call has a line for itself.
func (f *File) OwnLine(call *ast.CallExpr, i int) bool {
	before, after := call.Lparen, call.Rparen
	if i > 0 {
		before = call.Args[i-1].End()
	}
	if i+1 < len(call.Args) {
		after = call.Args[i+1].Pos()
	}
	return f.Line(before) < f.Line(call.Args[i].Pos()) && f.Line(call.Args[i].End()) < f.Line(after)
}

// Width is how many columns a text has.
func Width(text string) int { return len(text) + (tabWidth-1)*strings.Count(text, "\t") }

// Statement is the line of a position, before and after it, as gofmt writes it when it gets long: without what is around the
// body of a function in one line. It does not have the comment at the end.
func (f *File) Statement(pos token.Pos) (before, after string) {
	before, after = f.LineText(pos)
	body := strings.LastIndex(before, " { ")
	if body >= 0 && strings.Contains(before[:body], "func") && strings.HasSuffix(after, " }") {
		before, after = "\t"+before[body+len(" { "):], strings.TrimSuffix(after, " }")
	}
	for _, group := range f.AST.Comments {
		if pos < group.Pos() && f.Line(group.Pos()) == f.Line(pos) && strings.HasPrefix(group.List[0].Text, "//") {
			after = strings.TrimRight(f.Between(pos, group.Pos()), " \t")
		}
	}
	return before, after
}
