// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	comment   = regexp.MustCompile(`(^|\s)#.*$`)
	remarked  = regexp.MustCompile(`(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}`)
	template  = regexp.MustCompile(`\{\{.*?\}\}`)
	defined   = regexp.MustCompile(`^\{\{-?\s*define\s+"([^"]+)"`)
	roleKind  = regexp.MustCompile(`^\s*(?:- )?kind:\s*(ClusterRole|Role)\s*$`)
	roleName  = regexp.MustCompile(`^\s+name:\s*(.+?)\s*$|^metadata:\s*\{.*?name:\s*([^,}]+)`)
	rules     = regexp.MustCompile(`^\s*rules:`)
	firstRule = regexp.MustCompile(`^\s*-\s+\{?\s*(?:apiGroups|resources|resourceNames|verbs|nonResourceURLs)\s*:`)
	field     = regexp.MustCompile(`\b(apiGroups|resources|resourceNames|verbs|nonResourceURLs)\b['"]?\s*:`)
	word      = regexp.MustCompile(`""|''|[^\s,\[\]{}"']+`)
)

// withoutRemarks returns a template without its comments, and with the same lines.
func withoutRemarks(text string) string {
	return remarked.ReplaceAllStringFunc(text, func(remark string) string {
		return strings.Repeat("\n", strings.Count(remark, "\n"))
	})
}

// rolesOfTemplate reads lines and not YAML. What a template fills in may be anything.
func rolesOfTemplate(text string) (roles []*Role) {
	kind, name, key := "", "", ""
	either := false // an action chooses the kind
	role := &Role{}
	for i, line := range strings.Split(text, "\n") {
		begin := defined.FindStringSubmatch(line)
		line = comment.ReplaceAllString(line, "")
		if begin != nil || strings.HasPrefix(line, "---") || rules.MatchString(line) {
			roles = append(roles, role)
			role = &Role{eitherKind: either}
		}
		switch match := roleName.FindStringSubmatch(line); {
		case begin != nil:
			kind, name, either = "", begin[1], false
		case strings.HasPrefix(line, "---"):
			kind, either = "", false
		case roleKind.MatchString(line):
			found := roleKind.FindStringSubmatch(line)[1]
			either = kind != "" && kind != found
			kind = found
		case firstRule.MatchString(line):
			role.Kind, role.Name = kind, name
			role.add(rule{}, i+1)
		case match != nil && len(role.rules) == 0:
			name = match[1] + match[2]
		}
		if len(role.rules) > 0 && (!template.MatchString(line) || field.MatchString(line)) {
			key = role.rules[len(role.rules)-1].read(key, template.ReplaceAllString(line, templated))
		}
	}
	return append(roles, role)
}

var (
	topLevel = regexp.MustCompile(`^(\w+):`)
	pair     = regexp.MustCompile(`^\s*(?:- )?(\w+):\s*(.+?)\s*$`)
	document = regexp.MustCompile(`(?m)^---.*$`)
)

// bindingsOfTemplate reads lines and not YAML. A name is what the text has for it, and a subject has no more than a name.
func bindingsOfTemplate(text string) (bindings []Binding) {
	for _, part := range document.Split(text, -1) {
		kind, section, b := "", "", Binding{}
		for line := range strings.Lines(part) {
			line = comment.ReplaceAllString(strings.TrimRight(line, "\r\n"), "")
			if found := topLevel.FindStringSubmatch(line); found != nil {
				section = found[1]
			}
			found := pair.FindStringSubmatch(line)
			if found == nil {
				continue
			}
			switch name, value := found[1], strings.Trim(found[2], `"'`); {
			case section == "kind":
				kind = value
			case section == "roleRef" && name == "kind":
				b.kind = value
			case section == "roleRef" && name == "name":
				b.name = value
			case section == "subjects" && name == "name":
				b.subjects = append(b.subjects, "ServiceAccount "+value)
			}
		}
		if b.everywhere = kind == "ClusterRoleBinding"; b.everywhere || kind == "RoleBinding" {
			bindings = append(bindings, b)
		}
	}
	return bindings
}

// formOfLines sets the form of the rule at Line, unless a part of the rule is in an action or behind one.
func (r *Role) formOfLines(lines []string) {
	if r.about() < 0 {
		return
	}
	r.locate()
	dash := indent(lines[r.Line-1])
	behind := end(lines, r.Line, dash)
	item := strings.Join(lines[r.Line-1:behind], "\n")
	next := behind
	for next < len(lines) && (isSpace(lines[next]) || strings.HasPrefix(strings.TrimSpace(lines[next]), "{{")) {
		next++
	}
	if strings.Contains(item, "{{") || next < len(lines) && indent(lines[next]) > dash {
		return
	}
	var document yaml.Node
	if yaml.Unmarshal([]byte(item), &document) == nil {
		r.form = &yamlForm{rule: document.Content[0].Content[0], dash: dash}
	}
}

func (r *Role) add(one rule, line int) {
	r.rules = append(r.rules, one)
	r.lines = append(r.lines, line)
}

// read adds the values of a line. The key is that of those before the first field, and it returns that of the last
// ones.
func (r rule) read(key, line string) string {
	for {
		at := field.FindStringSubmatchIndex(line)
		values := line
		if at != nil {
			values = line[:at[0]]
		}
		for _, value := range word.FindAllString(values, -1) {
			if value != "-" { // of an item
				r[key] = append(r[key], strings.Trim(value, `"'`))
			}
		}
		if at == nil {
			return key
		}
		key, line = line[at[2]:at[3]], line[at[1]:]
	}
}
