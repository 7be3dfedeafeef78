// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// hints says which rules and bindings come near to granting what is lacking, nearest first.
func hints(objects []*object, granted []grant, l lack, account Account) []string {
	var here, elsewhere, rest []string
	for _, g := range granted {
		if g.namespace != "" && g.namespace != l.Namespace {
			if grantsAll(g.rule, l.Group) {
				elsewhere = append(elsewhere,
					fmt.Sprintf("%v grants it in %s only%s", g.role, place(g.namespace), by(g.binding)))
			}
			continue
		}
		if hint := near(g.rule, l.Group); hint != "" {
			here = append(here, fmt.Sprintf("%v %s", g.role, hint))
		}
	}
	for _, o := range objects {
		switch {
		case o.isRole() && o.grants(objects, l.Group):
			if !slices.ContainsFunc(granted, func(g grant) bool { return g.role == o }) {
				rest = append(rest, o.idle(objects, account))
			}
		case o.isBinding() && slices.ContainsFunc(o.Subjects, account.is) && o.dangles(objects, account):
			rest = append(rest, fmt.Sprintf("%v binds %s %s, which is not here", o, o.RoleRef.Kind, o.RoleRef.Name))
		}
	}
	all := slices.Concat(here, elsewhere, rest)
	if account != (Account{}) && len(granted) == 0 && len(rest) == 0 {
		all = append(all, fmt.Sprintf("nothing is bound to ServiceAccount %s/%s, but to %s",
			account.Namespace, account.Name, strings.Join(subjects(objects), ", ")))
	}
	return compact(all)
}

func compact(list []string) []string {
	var all []string
	for _, one := range list {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// grantsAll reports whether rule by itself is enough to record Events through group.
func grantsAll(rule rbacv1.PolicyRule, group string) bool {
	return len(Rules{"": {rule}}.missing(Access{Group: group})) == 0
}

// grants reports whether a rule of role lets Events be recorded through group, where it is bound.
func (o *object) grants(objects []*object, group string) bool {
	return slices.ContainsFunc(rulesOf(o, objects, nil), func(rule rbacv1.PolicyRule) bool {
		return grantsAll(rule, group)
	})
}

// near says why rule, which is about Events in the right place, is not enough.
func near(rule rbacv1.PolicyRule, group string) string {
	verbs := slices.DeleteFunc([]string{create, patch}, func(verb string) bool { return !covers(rule.Verbs, verb) })
	if len(verbs) == 0 || !covers(rule.Resources, resource) {
		return ""
	}
	granted := strings.Join(verbs, " and ")
	switch {
	case covers(rule.APIGroups, group) && len(rule.ResourceNames) > 0:
		return "lists resourceNames, and the names of Events are made at run time"
	case covers(rule.APIGroups, group) && granted == create:
		return "grants create only, and a repeat is a patch"
	case covers(rule.APIGroups, group):
		return fmt.Sprintf("grants %s only", granted)
	case covers(rule.APIGroups, otherGroup(group)):
		return fmt.Sprintf("grants %s on events of %s, which is another API group",
			granted, groupName(otherGroup(group)))
	default:
		return ""
	}
}

func by(binding *object) string {
	if binding == nil {
		return ""
	}
	return fmt.Sprintf(", through %v", binding)
}

// idle says why a role that would do does nothing.
func (o *object) idle(objects []*object, account Account) string {
	var bound []string
	for _, binding := range objects {
		if binding.isBinding() && binding.bound(objects, account) == o {
			bound = append(bound, subjects([]*object{binding})...)
		}
	}
	if len(bound) == 0 {
		return fmt.Sprintf("%v grants it, and nothing binds it", o)
	}
	return fmt.Sprintf("%v grants it, to %s", o, strings.Join(compact(bound), ", "))
}

// dangles reports whether nobody knows what a binding grants. Names that begin with system: are a cluster's own.
func (o *object) dangles(objects []*object, account Account) bool {
	return o.bound(objects, account) == nil && !strings.HasPrefix(o.RoleRef.Name, "system:")
}

// subjects lists who is bound.
func subjects(objects []*object) []string {
	var all []string
	for _, o := range objects {
		for _, s := range o.Subjects {
			switch {
			case s.Kind != kindServiceAccount:
				all = append(all, s.Kind+" "+s.Name)
			case s.Namespace == "":
				all = append(all, s.Kind+" "+s.Name+" without a namespace, which a server refuses")
			default:
				all = append(all, s.Kind+" "+s.Namespace+"/"+s.Name)
			}
		}
	}
	if len(all) == 0 {
		return []string{"nobody"}
	}
	return compact(all)
}
