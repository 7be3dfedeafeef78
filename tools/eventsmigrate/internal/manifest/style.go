// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// style is how a rule is written. The rule that is added is written the same.
type style struct {
	doc       *document
	rule      *yaml.Node
	separator string // between items in brackets
	fields    []field
}

// field is one of the three lists of a rule, with the values that the added rule has in it.
type field struct {
	key, list *yaml.Node
	values    []string
}

var recorded = map[string][]string{
	"apiGroups": {newGroup}, "resources": {resource}, "verbs": {create, patch},
}

func (d *document) style(rule *yaml.Node) *style {
	s := &style{doc: d, rule: rule, separator: ", "}
	for i := 0; i+1 < len(rule.Content); i += 2 {
		key, list := rule.Content[i], rule.Content[i+1]
		if recorded[key.Value] != nil {
			s.fields = append(s.fields, field{key, list, recorded[key.Value]})
		}
		if flow(list) && len(list.Content) > 1 {
			s.separator = d.separator(list, s.separator)
		}
	}
	return s
}

// separator is what list has between its first items, else fallback. If its only item has a line to itself, so has the
// next one.
func (d *document) separator(list *yaml.Node, fallback string) string {
	if len(list.Content) == 0 {
		return fallback
	}
	first := d.at(list.Content[0])
	if len(list.Content) == 1 {
		before := d.source[d.at(list)+1 : first]
		if strings.Contains(before, "\n") && strings.TrimSpace(before) == "" {
			return "," + before
		}
		return fallback
	}
	end, err := d.end(list.Content[0])
	if err != nil {
		return fallback
	}
	between := d.source[end:d.at(list.Content[1])]
	if strings.TrimSpace(between) != "," {
		return fallback // there is a comment or a template action
	}
	return between
}

// dash is the dash of a list's items, with the space behind it.
func (d *document) dash(list *yaml.Node) string {
	first := list.Content[0]
	if first.Line != list.Line {
		return "- "
	}
	return "-" + spaces(first.Column-list.Column-1)
}

// quote quotes value as the items of list are quoted. If these do not show it, the other lists of the rule do.
func (s *style) quote(value string, list *yaml.Node) string {
	lists := []*yaml.Node{target(list)}
	for _, f := range s.fields {
		lists = append(lists, target(f.list))
	}
	for _, list := range lists {
		for _, item := range list.Content {
			// These two have to be quoted, so they show no preference.
			if item.Kind == yaml.ScalarNode && item.Value != "" && item.Value != "*" {
				return quoted(value, item.Style)
			}
		}
	}
	return quoted(value, list.Content[0].Style)
}

func quoted(value string, style yaml.Style) string {
	switch {
	case style&yaml.DoubleQuotedStyle != 0:
		return strconv.Quote(value)
	case style&yaml.SingleQuotedStyle != 0:
		return "'" + value + "'"
	}
	return value
}

func (s *style) key(f field) string { return quoted(f.key.Value, f.key.Style) + ":" }

// items writes a list in brackets.
func (s *style) items(f field) string {
	var all []string
	for _, value := range f.values {
		all = append(all, s.quote(value, f.list))
	}
	separator := s.separator
	if strings.Contains(separator, "\n") {
		separator = ", "
	}
	pad := s.doc.pad(f.list)
	return "[" + pad + strings.Join(all, separator) + pad + "]"
}

// pad is the space that a list or mapping has inside of its brackets.
func (d *document) pad(n *yaml.Node) string {
	if !flow(n) || len(n.Content) == 0 {
		return ""
	}
	space := d.text[d.at(n)+1 : d.at(n.Content[0])]
	return space[:len(space)-len(strings.TrimLeft(space, " "))]
}

// braces writes the rule in one line.
func (s *style) braces() string {
	var all []string
	for _, f := range s.fields {
		all = append(all, s.key(f)+" "+s.items(f))
	}
	pad := s.doc.pad(s.rule)
	return "{" + pad + strings.Join(all, ", ") + pad + "}"
}

// lines writes the rule without its indent of so many spaces in front of the first line, and without the last line end.
func (s *style) lines(indent int, end string) string {
	var all []string
	for _, f := range s.fields {
		if list := target(f.list); flow(list) {
			all = append(all, s.key(f)+" "+s.items(f))
			continue
		}
		all = append(all, s.key(f))
		for _, value := range f.values {
			deeper := target(f.list).Column - f.key.Column
			all = append(all, spaces(deeper)+s.doc.dash(target(f.list))+s.quote(value, f.list))
		}
	}
	return strings.Join(all, end+spaces(indent))
}

// node is the parsed rule.
func (s *style) node() *yaml.Node {
	rule := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, f := range s.fields {
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, value := range f.values {
			list.Content = append(list.Content, scalar(value))
		}
		rule.Content = append(rule.Content, scalar(f.key.Value), list)
	}
	return rule
}
