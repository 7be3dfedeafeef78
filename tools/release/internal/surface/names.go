// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"go/ast"
	"go/constant"
	"go/token"
	"regexp"
	"slices"
)

// Names of the two kinds that people and programs outside of Go know.
var (
	annotation  = regexp.MustCompile(`^[a-z0-9-]+\.dev/[a-z0-9./-]+$`)
	environment = regexp.MustCompile(`^[A-Z][A-Z0-9]+(_[A-Z0-9]+)+$`)
)

// Names returns the annotations and the variables of the environment that the production code names, sorted.
func (m *Module) Names() []string {
	var lines []string
	for _, p := range m.Production {
		for _, file := range p.Syntax {
			for node := range ast.Preorder(file) {
				if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					lines = append(lines, name(constant.MakeFromLiteral(literal.Value, token.STRING, 0))...)
				}
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func name(value constant.Value) []string {
	switch text := constant.StringVal(value); {
	case annotation.MatchString(text):
		return []string{"annotation " + text}
	case environment.MatchString(text):
		return []string{"environment " + text}
	}
	return nil
}
