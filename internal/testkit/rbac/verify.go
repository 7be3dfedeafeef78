// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"slices"
	"strings"
)

// lack is what a source does not grant.
type lack struct {
	Access
	verbs []string
}

// Verify returns a problem for each source that does not grant needs, and for each that cannot be read: what is
// missing, the rules that come near, and what to add. It returns none if all is well.
func (m *Manifests) Verify(needs []Access) []string {
	needs = ordered(needs)
	if len(m.applied) == 0 && m.generated.empty() {
		return []string{m.nothing() + m.advise(source{}, nil, lacks(nil, needs))}
	}
	var problems []string
	for _, s := range m.applied {
		problems = append(problems, m.verify(s, needs)...)
	}
	if !m.generated.empty() {
		problems = append(problems, m.verify(m.generated, m.forMarkers(needs))...)
	}
	if len(problems) > 0 {
		problems[len(problems)-1] += unread(m.notes)
	}
	return problems
}

func (m *Manifests) verify(s source, needs []Access) []string {
	if s.err != nil {
		return []string{fmt.Sprintf("%s: %v", s.name, s.err)}
	}
	granted := grants(s.objects, m.options.Account)
	missing := lacks(rules(granted), needs)
	if len(missing) == 0 {
		return nil
	}
	text := "permission to record Events is missing in " + s.name + ":"
	var unmade []lack
	for _, l := range missing {
		text += fmt.Sprintf("\n  %s %v", strings.Join(l.verbs, " and "), l.Access)
		if marker := m.marker(l.Access); marker != nil && !inAnyRole(s.objects, l.Group) {
			text += fmt.Sprintf("\n    %v grants it: run controller-gen again", marker)
			continue
		}
		unmade = append(unmade, l)
		for _, hint := range hints(s.objects, granted, l, m.options.Account) {
			text += "\n    " + hint
		}
	}
	return []string{text + m.advise(s, granted, unmade)}
}

// inAnyRole reports whether a role of objects, bound or not, lets Events be recorded through group.
func inAnyRole(objects []*object, group string) bool {
	return slices.ContainsFunc(objects, func(o *object) bool { return o.isRole() && o.grants(objects, group) })
}

// marker returns one that grants need by itself.
func (m *Manifests) marker(need Access) *object {
	for _, o := range m.generated.objects {
		if len((Rules{o.Metadata.Namespace: o.Rules}).missing(need)) == 0 {
			return o
		}
	}
	return nil
}

// forMarkers returns the needs that are for markers to grant: not what a role grants that is written by hand, as the
// one for leader election is.
func (m *Manifests) forMarkers(needs []Access) []Access {
	return slices.DeleteFunc(slices.Clone(needs), func(need Access) bool {
		return slices.ContainsFunc(m.applied, func(s source) bool {
			byHand := slices.DeleteFunc(grants(s.objects, m.options.Account), func(g grant) bool {
				return madeOf(g.role, m.generated.objects)
			})
			return len(rules(byHand).missing(need)) == 0
		})
	})
}

func lacks(granted Rules, needs []Access) []lack {
	var all []lack
	for _, need := range needs {
		if verbs := granted.missing(need); len(verbs) > 0 {
			all = append(all, lack{need, verbs})
		}
	}
	return all
}

// madeOf reports whether role allows all that the markers of one generated role do: then it is that role, and what it
// allows besides is gone when it is made anew.
func madeOf(role *object, markers []*object) bool {
	type generated struct{ namespace, role string }
	covered := map[generated]bool{}
	for _, o := range markers {
		m := o.marker
		if (m.namespace == "") == role.namespaced() || m.role != "" && m.role != role.written().Name ||
			m.namespace != "" && m.namespace != role.written().Namespace && m.namespace != role.Metadata.Namespace {
			continue
		}
		id := generated{m.namespace, m.role}
		all, seen := covered[id]
		covered[id] = (all || !seen) && role.includes(m)
	}
	for _, all := range covered {
		if all {
			return true
		}
	}
	return false
}

// includes reports whether a rule of o is, or is more than, that of m.
func (o *object) includes(m *marker) bool {
	if len(m.rule.ResourceNames) > 0 || len(m.rule.NonResourceURLs) > 0 {
		return true // too special to tell by
	}
	for _, group := range m.rule.APIGroups {
		for _, kind := range m.rule.Resources {
			for _, verb := range m.rule.Verbs {
				if !(Rules{"": o.Rules}).Allow(Request{Verb: verb, Group: group, Resource: kind}) {
					return false
				}
			}
		}
	}
	return true
}

// unread lists what was passed over.
func unread(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	slices.Sort(notes)
	return "\n  not read:\n    " + strings.Join(slices.Compact(notes), "\n    ")
}
