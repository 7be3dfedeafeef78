// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Editable reports whether Insert can add a rule to the role.
func (r *Role) Editable() bool { return r.form != nil }

// form is how a rule is written, so that another one can be written behind it.
type form interface {
	// end returns the line behind the rule that begins in a line.
	end(lines []string, line int) int
	// another returns the lines of the rule for recording. The first line of the rule that is there is given.
	another(first string) []string
}

// yamlForm is the form of a rule in YAML.
type yamlForm struct {
	rule *yaml.Node
	dash int // the column of the dash before the rule, from 0
}

func (f *yamlForm) end(lines []string, line int) int { return end(lines, line, f.dash) }

// Insert returns the text of a file after the rule for recording was added to editable roles in it, behind the rule for
// Events that is there, and in the same form. The other lines stay.
func Insert(text string, roles []*Role) string {
	roles = slices.Clone(roles)
	// From the last line on, so that the lines before an edit keep their numbers. An alias names the same rules again.
	slices.SortFunc(roles, func(a, b *Role) int { return cmp.Compare(b.Line, a.Line) })
	roles = slices.CompactFunc(roles, func(a, b *Role) bool { return a.Line == b.Line })
	lines := strings.Split(text, "\n")
	for _, role := range roles {
		behind := role.form.end(lines, role.Line)
		lines = slices.Insert(lines, behind, role.form.another(lines[role.Line-1])...)
	}
	return strings.Join(lines, "\n")
}

// end returns the line behind the item of a list that has a line, by the column of its dash.
func end(lines []string, line, dash int) int {
	for line < len(lines) && (isSpace(lines[line]) || indent(lines[line]) > dash) {
		line++
	}
	for isSpace(lines[line-1]) && indent(lines[line-1]) <= dash { // what stands before the next item
		line--
	}
	return line
}

// another returns a rule in block or flow style, with the order of the fields, the indentation and the quotes of the one there.
func (f *yamlForm) another(first string) []string {
	other, dash := f.rule, f.dash
	end := ""
	if strings.HasSuffix(first, "\r") {
		end = "\r"
	}
	head := strings.Repeat(" ", dash) + "- "
	if other.Style&yaml.FlowStyle != 0 {
		return []string{head + NewRule + end}
	}
	if first[dash] == '-' { // the dash may have a line of its own
		head = first[:other.Column-1]
	}
	quote, pad := "", ""
	if strings.Contains(first, "[ ") {
		pad = " "
	}
	for _, value := range items(at(other, "resources")) {
		switch {
		case value.Style&yaml.DoubleQuotedStyle != 0:
			quote = `"`
		case value.Style&yaml.SingleQuotedStyle != 0:
			quote = `'`
		}
	}
	var lines []string
	for i := 0; i < len(other.Content); i += 2 {
		key, values := other.Content[i], other.Content[i+1]
		var words []string
		switch key.Value {
		case "apiGroups":
			words = []string{newGroup}
		case "resources":
			words = []string{resource}
		case "verbs":
			words = recordingVerbs
		default:
			continue
		}
		words = slices.Clone(words)
		for j, word := range words {
			words[j] = quote + word + quote
		}
		if values.Style&yaml.FlowStyle != 0 {
			lines = append(lines, head+key.Value+": ["+pad+strings.Join(words, ", ")+pad+"]"+end)
		} else {
			lines = append(lines, head+key.Value+":"+end)
			column := key.Column
			if values.Kind == yaml.SequenceNode { // and no alias
				column = values.Column
			}
			for _, word := range words {
				lines = append(lines, strings.Repeat(" ", column-1)+"- "+word+end)
			}
		}
		head = strings.Repeat(" ", len(head))
	}
	return lines
}

// indent returns how many spaces a line begins with, and 0 for an empty one.
func indent(line string) int {
	line = strings.TrimRight(line, " \r")
	return len(line) - len(strings.TrimLeft(line, " "))
}

// isSpace reports whether a line has nothing but a comment.
func isSpace(line string) bool {
	text := strings.TrimSpace(line)
	return text == "" || strings.HasPrefix(text, "#")
}
