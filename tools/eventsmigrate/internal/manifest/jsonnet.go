// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"strings"
)

var (
	object     = regexp.MustCompile(`\{\s*(?:(?:['"]?\w+['"]?\s*:+\s*\[[^\[\]]*\],?|//.*|#.*)\s*)+\}`)
	beginRules = regexp.MustCompile(`\brules['"]?\s*\+?:`)
	roleField  = regexp.MustCompile(`\b(\w*[rR](?:ole|ule))['"]?\s*\+?[:=]`)

	remark = regexp.MustCompile(`(?m)(//|#).*$`)
)

// rolesOfJsonnet reads the objects of rules in jsonnet. Those behind one field "rules" are one role, by the name of the
// field or variable before it.
func rolesOfJsonnet(text string) (roles []*Role) {
	begin, name := 0, ""
	ends := append(beginRules.FindAllStringIndex(text, -1), []int{len(text), len(text)})
	for _, end := range ends {
		part := text[begin:end[0]]
		role := &Role{Name: name}
		role.literals(part, strings.Count(text[:begin], "\n")+1)
		roles = append(roles, role)
		if all := roleField.FindAllStringSubmatch(part, -1); len(all) > 0 {
			name = all[len(all)-1][1]
		}
		begin = end[0]
	}
	return roles
}

// literals adds the rules in a text that begins at a line.
func (r *Role) literals(text string, line int) {
	for _, at := range object.FindAllStringIndex(text, -1) {
		one := rule{}
		one.read("", remark.ReplaceAllString(text[at[0]:at[1]], ""))
		r.add(one, line+strings.Count(text[:at[0]], "\n"))
	}
}
