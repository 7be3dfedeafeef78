// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"slices"
	"strings"
)

// Grant is a rule of a role in YAML, a template, or Go code.
type Grant struct {
	Line int
	Role string // its name, as written; "" if it is not seen

	rule rule
}

var (
	comment   = regexp.MustCompile(`(^|\s)#.*$`)
	action    = regexp.MustCompile(`\{\{.*?\}\}`)
	roleName  = regexp.MustCompile(`^\s+name:\s*(.+?)\s*$|^metadata:\s*\{.*?name:\s*([^,}]+)`)
	leading   = regexp.MustCompile(`(?i)leader-?election`)
	rules     = regexp.MustCompile(`^\s*rules:`)
	firstRule = regexp.MustCompile(`^\s*-\s+\{?\s*(?:apiGroups|resources|resourceNames|verbs|nonResourceURLs)\s*:`)
	field     = regexp.MustCompile(`\b(apiGroups|resources|resourceNames|verbs|nonResourceURLs)\s*:`)
	word      = regexp.MustCompile(`""|''|[^\s,\[\]{}"']+`)

	policyRule = regexp.MustCompile(`\{\s*(?:(?:\w+:\s*\[\]string\{[^{}]*\},?|//.*)\s*)+\}`)
	asYAML     = strings.NewReplacer("[]string", "", "APIGroups", "apiGroups", "NonResourceURLs", "nonResourceURLs",
		"Resource", "resource", "Verbs", "verbs")
	declared = regexp.MustCompile(`(?m)^(?:func(?: \(.*?\))?|var) \w+`)
)

// Grants returns, for each role that grants recording Events of core/v1 and not those of events.k8s.io, the rule that does.
// Roles for leader election are left out, since client-go's records through core/v1. It reads lines and not YAML, so that
// templates are no different. What a template fills in may be anything. In Go code it reads the literals of rules: those of
// one declaration are one role, by the declaration's name.
func Grants(file, text string) (grants []Grant) {
	if strings.HasSuffix(file, ".go") {
		return grantsOfCode(text)
	}
	var role []Grant
	name, key := "", ""
	for i, line := range strings.Split(text, "\n") {
		line = comment.ReplaceAllString(line, "")
		switch match := roleName.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "---"), rules.MatchString(line):
			grants, role = append(grants, unextended(role)...), nil
		case firstRule.MatchString(line):
			role = append(role, Grant{Line: i + 1, Role: name, rule: rule{}})
		case match != nil && role == nil:
			name = match[1] + match[2]
		}
		if role != nil && (!action.MatchString(line) || field.MatchString(line)) {
			key = role[len(role)-1].rule.read(key, action.ReplaceAllString(line, "*"))
		}
	}
	return append(grants, unextended(role)...)
}

// unextended is the rule of a role that grants recording Events of core/v1, unless the role grants recording those of
// events.k8s.io.
func unextended(role []Grant) []Grant {
	var all []rule
	for _, grant := range role {
		all = append(all, grant.rule)
	}
	core := slices.IndexFunc(all, rule.records)
	if core < 0 || leading.MatchString(role[core].Role) || len(lacking(all, newGroup)) == 0 {
		return nil
	}
	return role[core : core+1]
}

// read adds the values of a line. The key is that of those before the first field, and it returns that of the last ones.
func (r rule) read(key, line string) string {
	for {
		at := field.FindStringSubmatchIndex(line)
		values := line
		if at != nil {
			values = line[:at[0]]
		}
		for _, value := range word.FindAllString(values, -1) {
			r[key] = append(r[key], strings.Trim(value, `"'`))
		}
		if at == nil {
			return key
		}
		key, line = line[at[2]:at[3]], line[at[1]:]
	}
}

// grantsOfCode reads the literals of rules in Go code.
func grantsOfCode(text string) (grants []Grant) {
	line := 1
	for decl := range strings.SplitAfterSeq(text, "\n}\n") {
		var role []Grant
		for _, at := range policyRule.FindAllStringIndex(decl, -1) {
			role = append(role, Grant{Line: line + strings.Count(decl[:at[0]], "\n"), Role: declared.FindString(decl), rule: rule{}})
			role[len(role)-1].rule.read("", asYAML.Replace(decl[at[0]:at[1]]))
		}
		grants = append(grants, unextended(role)...)
		line += strings.Count(decl, "\n")
	}
	return grants
}
