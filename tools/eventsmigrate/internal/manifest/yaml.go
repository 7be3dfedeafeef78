// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"slices"
	"strings"
)

// Grant is a rule of a role in YAML or a template.
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
)

// Grants returns, for each role that grants recording Events of core/v1 and not those of events.k8s.io, the rule that does.
// Roles for leader election are left out, since client-go's records through core/v1. It reads lines and not YAML, so that
// templates are no different. What a template fills in may be anything.
func Grants(text string) (grants []Grant) {
	var role []Grant
	end := func() {
		core := slices.IndexFunc(role, func(g Grant) bool { return g.rule.records("") })
		if core >= 0 && !leading.MatchString(role[core].Role) && !slices.ContainsFunc(role, func(g Grant) bool { return g.rule.records(newGroup) }) {
			grants = append(grants, role[core])
		}
		role = nil
	}
	name, key := "", ""
	for i, line := range strings.Split(text, "\n") {
		line = comment.ReplaceAllString(line, "")
		switch match := roleName.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "---"), rules.MatchString(line):
			end()
		case firstRule.MatchString(line):
			role = append(role, Grant{Line: i + 1, Role: name, rule: rule{}})
		case match != nil && role == nil:
			name = match[1] + match[2]
		}
		if role == nil || action.MatchString(line) && !field.MatchString(line) {
			continue
		}
		for {
			at := field.FindStringSubmatchIndex(line)
			values, rest := line, ""
			if at != nil {
				values, rest = line[:at[0]], line[at[1]:]
			}
			r := role[len(role)-1].rule
			for _, value := range word.FindAllString(action.ReplaceAllString(values, "*"), -1) {
				r[key] = append(r[key], strings.Trim(value, `"'`))
			}
			if at == nil {
				break
			}
			key, line = line[at[2]:at[3]], rest
		}
	}
	end()
	return grants
}
