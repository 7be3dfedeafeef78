// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"go/ast"
	"go/token"
	"testing"
)

// Production code has one statement a line, and one field a line in a literal with three or more: so that each has a
// place for a breakpoint, a comment and an answer of git blame.
//
// Caught: an assignment in front of an if's condition; four fields set in one statement; a literal in one line.
func TestLayout(t *testing.T) {
	atRoot(t)
	production(t, func(_ string, file *goFile) {
		ast.Inspect(file.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				if n.Init != nil && !defines(n.Init) {
					t.Errorf("%v: put the statement in front of the condition on a line of its own", fset.Position(n.Pos()))
				}
			case *ast.AssignStmt:
				if len(n.Rhs) > 2 {
					t.Errorf("%v: set one variable a statement", fset.Position(n.Pos()))
				}
			case *ast.CompositeLit:
				if fieldsOnOneLine(n) >= 3 {
					t.Errorf("%v: put each field of the literal on a line of its own", fset.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

// defines reports whether a statement only makes new variables, as the condition of an if may need.
func defines(s ast.Stmt) bool {
	assign, ok := s.(*ast.AssignStmt)
	return ok && assign.Tok == token.DEFINE
}

// fieldsOnOneLine returns the highest number of fields of a struct literal that are on the same line.
func fieldsOnOneLine(literal *ast.CompositeLit) (most int) {
	lines := map[int]int{}
	for _, element := range literal.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if _, ok := field.Key.(*ast.Ident); !ok {
			continue
		}
		line := fset.Position(field.Pos()).Line
		lines[line]++
		most = max(most, lines[line])
	}
	return most
}
