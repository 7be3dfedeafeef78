// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"slices"
	"strings"
)

// Grant is a rule in YAML or a template that grants recording Events of core/v1, and not beside it those of events.k8s.io.
type Grant struct {
	Line    int
	Role    string // its name, as written; "" if it is not seen
	Unclear bool   // a rule about Events in a form that is not understood: it has to be looked at

	end    int // the line behind the rule
	insert string
}

// item is an item of a list of rules.
type item struct {
	Grant
	list    int // items of one list, between the same actions of a template
	rule    rule
	indent  string
	bullet  string // "- " with its spaces
	inside  string // the lines of block lists begin so; "" for flow lists
	quote   string
	unknown bool
}

var (
	firstField = regexp.MustCompile(`^(\s*)(-\s+)(?:apiGroups|resources|resourceNames|verbs|nonResourceURLs)\s*:`)
	field      = regexp.MustCompile(`^\s*(?:-\s+)?(\w+)\s*:\s*(.*?)\s*$`)
	element    = regexp.MustCompile(`^(\s*-\s+)(.*?)\s*$`)
	roleName   = regexp.MustCompile(`^\s+name:\s*(.+?)\s*$|^metadata:\s*\{.*?name:\s*([^,}]+)`)
	flowRule   = regexp.MustCompile(`\{.*apiGroups.*\bevents\b`)
	comment    = regexp.MustCompile(`(^|\s)#.*$`)
)

// Grants returns the rules in a text that grant recording Events of core/v1 alone.
func Grants(text string) (grants []Grant) {
	items := items(text)
	for i, one := range items {
		if one.unknown {
			one.Unclear = true
			grants = append(grants, one.Grant)
			continue
		}
		done := func(other item) bool { return other.list == one.list && other.rule.records(newGroup) }
		earlier := func(other item) bool { return other.list == one.list && !other.unknown && other.rule.records("") }
		if one.rule.records("") && !slices.ContainsFunc(items, done) && !slices.ContainsFunc(items[:i], earlier) {
			one.insert = one.successor()
			grants = append(grants, one.Grant)
		}
	}
	return grants
}

// items reads the text by lines, so that templates are no different.
func items(text string) (all []item) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	list, name, listIndent := 0, "", -1
	for i := 0; i < len(lines); i++ {
		line := comment.ReplaceAllString(lines[i], "")
		trimmed := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		found := firstField.FindStringSubmatch(line)
		switch {
		case found != nil:
			if len(found[1]) != listIndent {
				list, listIndent = list+1, len(found[1])
			}
			one := item{
				Grant: Grant{Line: i + 1, Role: name}, list: list, rule: rule{}, indent: found[1], bullet: found[2],
			}
			i = one.read(lines, i) - 1
			all = append(all, one)
		case trimmed == "":
		case strings.HasPrefix(trimmed, "{{"):
			list++
		case flowRule.MatchString(line):
			all = append(all, item{Grant: Grant{Line: i + 1, Role: name}, unknown: true})
		default:
			if strings.HasPrefix(line, "---") {
				name = ""
			}
			if match := roleName.FindStringSubmatch(line); match != nil {
				name = match[1] + match[2]
			}
			if indent <= listIndent {
				list, listIndent = list+1, -1
			}
		}
	}
	return all
}

// read reads the item that begins at a line, and returns the line behind it.
func (it *item) read(lines []string, at int) int {
	key, mentions, action := "", false, false
	it.end = at + 1
	for i := at; i < len(lines); i++ {
		line := comment.ReplaceAllString(lines[i], "")
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if indent := len(line) - len(strings.TrimLeft(line, " ")); i > at && indent <= len(it.indent) {
			if !strings.HasPrefix(trimmed, "{{") {
				break
			}
			action = true
			continue
		}
		it.unknown = it.unknown || action // it goes on behind an action of a template
		it.end = i + 1
		mentions = mentions || strings.Contains(trimmed, resource)
		found, listed := field.FindStringSubmatch(line), element.FindStringSubmatch(line)
		switch {
		case found != nil && (i == at || listed == nil):
			key = found[1]
			inner, flow := strings.CutPrefix(found[2], "[")
			inner, closed := strings.CutSuffix(inner, "]")
			if found[2] == "" {
				continue
			}
			it.unknown = it.unknown || !flow || !closed || strings.Contains(inner, "{{")
			for _, value := range strings.Split(inner, ",") {
				it.value(key, strings.TrimSpace(value))
			}
		case listed != nil:
			it.inside = listed[1]
			it.unknown = it.unknown || strings.ContainsAny(listed[2], "{&:")
			it.value(key, listed[2])
		default:
			it.unknown = true
		}
	}
	whole := len(it.rule["apiGroups"]) > 0 && len(it.rule["verbs"]) > 0 || len(it.rule["nonResourceURLs"]) > 0
	it.unknown = mentions && (it.unknown || !whole)
	return it.end
}

// value adds a value as written. Quotes are those of the values that need none.
func (it *item) value(key, written string) {
	value := strings.Trim(written, "\"'")
	if value != written && value != "" && value != "*" {
		it.quote = written[:1]
	}
	it.rule[key] = append(it.rule[key], value)
}

// successor is the item to insert behind it, in its style.
func (it *item) successor() string {
	var text strings.Builder
	head := it.indent + it.bullet
	for _, one := range []struct {
		key    string
		values []string
	}{{"apiGroups", []string{newGroup}}, {"resources", []string{resource}}, {"verbs", recordingVerbs}} {
		text.WriteString(head + one.key + ":")
		head = it.indent + strings.Repeat(" ", len(it.bullet))
		quoted := make([]string, len(one.values))
		for i, value := range one.values {
			quoted[i] = it.quote + value + it.quote
		}
		if it.inside == "" {
			text.WriteString(" [" + strings.Join(quoted, ", ") + "]\n")
			continue
		}
		text.WriteString("\n")
		for _, value := range quoted {
			text.WriteString(it.inside + value + "\n")
		}
	}
	return text.String()
}

// Insert inserts a rule for events.k8s.io behind each grant that is understood.
func Insert(text string, grants []Grant) string {
	lines := strings.SplitAfter(text, "\n")
	end := "\n"
	if strings.HasSuffix(lines[0], "\r\n") {
		end = "\r\n"
	}
	for _, grant := range slices.Backward(grants) {
		if !grant.Unclear {
			if last := &lines[grant.end-1]; !strings.HasSuffix(*last, "\n") {
				*last += end
			}
			lines = slices.Insert(lines, grant.end, strings.ReplaceAll(grant.insert, "\n", end))
		}
	}
	return strings.Join(lines, "")
}
