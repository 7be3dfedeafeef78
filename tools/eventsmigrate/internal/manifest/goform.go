// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"go/ast"
	"strconv"
	"strings"
)

// goForm is the form of a rule that is an element of a literal, in lines of its own.
type goForm struct {
	head     string // what stands before the brace
	last     int    // the last line
	oneLine  bool
	oneField bool // each value of a field has a line of its own
}

// form returns the form of a literal, or nil if another one cannot be written behind it.
func (c *code) form(literal *ast.CompositeLit) form {
	first, last := c.line(literal.Pos()), c.line(literal.End())
	head, _, _ := strings.Cut(c.lines[first-1], "{")
	if column := c.fset.Position(literal.Pos()).Column; strings.TrimSpace(c.lines[first-1][:column-1]) != "" ||
		!strings.HasSuffix(strings.TrimSpace(c.lines[last-1]), "},") {
		return nil
	}
	verbs := fieldOf(literal, "Verbs")
	return &goForm{
		head:     head,
		last:     last,
		oneLine:  first == last,
		oneField: verbs != nil && c.line(verbs.Pos()) != c.line(verbs.End()),
	}
}

func (f *goForm) end([]string, int) int { return f.last }

func (f *goForm) another(first string) []string {
	if f.oneLine {
		return []string{f.head + NewRuleInGo + ","}
	}
	indent := first[:len(first)-len(strings.TrimLeft(first, "\t "))]
	lines := []string{f.head + "{"}
	for _, field := range []struct {
		name, space string
		values      []string
	}{
		{"APIGroups", " ", []string{newGroup}},
		{"Resources", " ", []string{resource}},
		{"Verbs", "     ", recordingVerbs},
	} {
		if !f.oneField {
			lines = append(lines, indent+"\t"+field.name+":"+field.space+"[]string{"+quoted(field.values, ", ")+"},")
			continue
		}
		lines = append(lines, indent+"\t"+field.name+": []string{")
		for _, value := range field.values {
			lines = append(lines, indent+"\t\t"+strconv.Quote(value)+",")
		}
		lines = append(lines, indent+"\t},")
	}
	return append(lines, indent+"},")
}

func quoted(values []string, between string) string {
	var all []string
	for _, value := range values {
		all = append(all, strconv.Quote(value))
	}
	return strings.Join(all, between)
}
