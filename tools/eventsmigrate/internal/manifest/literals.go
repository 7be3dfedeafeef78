// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"strings"
)

var (
	policyRule = regexp.MustCompile(`\{\s*(?:(?:\w+:\s*\[\]string\{[^{}]*\},?|//.*)\s*)+\}`)
	asYAML     = strings.NewReplacer("[]string", "", "APIGroups", "apiGroups", "NonResourceURLs", "nonResourceURLs",
		"Resource", "resource", "Verbs", "verbs")
	declared = regexp.MustCompile(`(?m)^(?:func(?: \(.*?\))?|var) \w+`)

	object     = regexp.MustCompile(`\{\s*(?:(?:['"]?\w+['"]?\s*:+\s*\[[^\[\]]*\],?|//.*|#.*)\s*)+\}`)
	beginRules = regexp.MustCompile(`\brules['"]?\s*\+?:`)
	roleField  = regexp.MustCompile(`\b(\w*[rR](?:ole|ule))['"]?\s*\+?[:=]`)

	remark = regexp.MustCompile(`(?m)(//|#).*$`)
)

// rolesOfGo reads the literals of rules in Go code. Those of one declaration are one role, by the name of the
// declaration.
func rolesOfGo(text string) (roles []*Role) {
	line := 1
	for decl := range strings.SplitAfterSeq(text, "\n}\n") {
		role := &Role{Name: declared.FindString(decl)}
		role.literals(decl, line, policyRule)
		roles = append(roles, role)
		line += strings.Count(decl, "\n")
	}
	return roles
}

// rolesOfJsonnet reads the objects of rules in jsonnet. Those behind one field "rules" are one role, by the name of the
// field or variable before it.
func rolesOfJsonnet(text string) (roles []*Role) {
	begin, name := 0, ""
	ends := append(beginRules.FindAllStringIndex(text, -1), []int{len(text), len(text)})
	for _, end := range ends {
		part := text[begin:end[0]]
		role := &Role{Name: name}
		role.literals(part, strings.Count(text[:begin], "\n")+1, object)
		roles = append(roles, role)
		if all := roleField.FindAllStringSubmatch(part, -1); len(all) > 0 {
			name = all[len(all)-1][1]
		}
		begin = end[0]
	}
	return roles
}

// literals adds the rules in a text that begins at a line.
func (r *Role) literals(text string, line int, pattern *regexp.Regexp) {
	for _, at := range pattern.FindAllStringIndex(text, -1) {
		one := rule{}
		one.read("", asYAML.Replace(remark.ReplaceAllString(text[at[0]:at[1]], "")))
		r.add(one, line+strings.Count(text[:at[0]], "\n"))
	}
}
