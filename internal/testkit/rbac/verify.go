// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/internal/testkit/rbacfile"
)

// Verify returns a problem for each source that does not grant needs, and for each that cannot be read: what is
// missing, the rules that come near, and what to add. It returns none if everything is granted.
func (m *Manifests) Verify(needs []Access) []string {
	needs = ordered(needs)
	if len(m.applied) == 0 && m.generated.empty() {
		return []string{m.nothing() + m.advise(source{}, nil, Rules{}.allMissing(needs))}
	}
	var problems []string
	for _, s := range m.applied {
		problems = append(problems, m.verify(s, needs)...)
	}
	if !m.generated.empty() {
		problems = append(problems, m.verify(m.generated, m.neededFromMarkers(needs))...)
	}
	if len(problems) > 0 {
		problems[len(problems)-1] += m.notRead()
	}
	return problems
}

func (m *Manifests) verify(s source, needs []Access) []string {
	if s.err != nil {
		return []string{fmt.Sprintf("%s: %v", s.name, s.err)}
	}
	granted := grants(s.objects, m.options.Account)
	missing := rules(granted).allMissing(needs)
	if len(missing) == 0 {
		return nil
	}
	text := "permission to record Events is missing in " + s.name + ":"
	var toAdd []missingAccess
	for _, access := range missing {
		text += fmt.Sprintf("\n  %s %v", strings.Join(access.verbs, " and "), access.Access)
		if marker := m.markerFor(access.Access); marker != nil && !inAnyRole(s.objects, access.Group) {
			text += fmt.Sprintf("\n    %v grants it: run controller-gen again", marker)
			continue
		}
		toAdd = append(toAdd, access)
		for _, hint := range hints(s.objects, granted, access, m.options.Account) {
			text += "\n    " + hint
		}
	}
	return []string{text + m.advise(s, granted, toAdd)}
}

// inAnyRole reports whether a role of objects, bound or not, lets Events be recorded through group.
func inAnyRole(objects []*object, group string) bool {
	return slices.ContainsFunc(objects, func(o *object) bool { return o.isRole() && o.grants(objects, group) })
}

// markerFor returns a marker that grants need by itself.
func (m *Manifests) markerFor(need Access) *object {
	for _, o := range m.generated.objects {
		if len((Rules{o.Metadata.Namespace: o.Rules}).missing(need)) == 0 {
			return o
		}
	}
	return nil
}

// neededFromMarkers returns the needs that markers have to grant. A need that a role written by hand grants, as the one
// for leader election, is not among them.
func (m *Manifests) neededFromMarkers(needs []Access) []Access {
	return slices.DeleteFunc(slices.Clone(needs), func(need Access) bool {
		return slices.ContainsFunc(m.applied, func(s source) bool {
			byHand := slices.DeleteFunc(grants(s.objects, m.options.Account), func(g grant) bool {
				return isGenerated(g.role, m.generated.objects)
			})
			return len(rules(byHand).missing(need)) == 0
		})
	})
}

// isGenerated reports whether role allows all that the markers of one generated role do. Then it is taken for that
// role, and what else it allows is gone when controller-gen runs again.
func isGenerated(role *object, markers []*object) bool {
	type generated struct{ namespace, role string }
	covered := map[generated]bool{}
	for _, o := range markers {
		m := o.marker
		if (m.Namespace == "") == role.namespaced() || m.RoleName != "" && m.RoleName != role.inFile().Name ||
			m.Namespace != "" && m.Namespace != role.inFile().Namespace && m.Namespace != role.Metadata.Namespace {
			continue
		}
		id := generated{m.Namespace, m.RoleName}
		all, seen := covered[id]
		covered[id] = (all || !seen) && role.includes(m.Rule)
	}
	for _, all := range covered {
		if all {
			return true
		}
	}
	return false
}

// includes reports whether the rules of o allow all that rule does.
func (o *object) includes(rule rbacfile.Rule) bool {
	if len(rule.ResourceNames) > 0 || len(rule.NonResourceURLs) > 0 {
		return true // rules for names and URLs are not compared
	}
	for _, group := range rule.APIGroups {
		for _, kind := range rule.Resources {
			for _, verb := range rule.Verbs {
				if !(Rules{"": o.Rules}).Allow(Request{Verb: verb, Group: group, Resource: kind}) {
					return false
				}
			}
		}
	}
	return true
}
