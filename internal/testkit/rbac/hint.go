// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/eventseries/eventseries/internal/testkit/rbacfile"
)

// hints says which rules and bindings come near to granting what is missing, nearest first.
func hints(objects []*object, granted []grant, missing missingAccess, account Account) []string {
	var here, elsewhere, rest []string
	for _, g := range granted {
		if g.namespace != "" && g.namespace != missing.Namespace {
			if grantsAll(g.rule, missing.Group) {
				elsewhere = append(elsewhere,
					fmt.Sprintf("%v grants it in %s only%s", g.role, place(g.namespace), through(g.binding)))
			}
			continue
		}
		if hint := whyNotEnough(g.rule, missing.Group); hint != "" {
			here = append(here, fmt.Sprintf("%v %s", g.role, hint))
		}
	}
	for _, o := range objects {
		switch {
		case o.isRole() && o.grants(objects, missing.Group):
			if !slices.ContainsFunc(granted, func(g grant) bool { return g.role == o }) {
				rest = append(rest, o.whyUnused(objects, account))
			}
		case o.isBinding() && slices.ContainsFunc(o.Subjects, account.matches) && o.isDangling(objects, account):
			rest = append(rest, fmt.Sprintf("%v binds %s %s, which is not here", o, o.RoleRef.Kind, o.RoleRef.Name))
		}
	}
	all := slices.Concat(here, elsewhere, rest)
	if account != (Account{}) && len(granted) == 0 && len(rest) == 0 {
		all = append(all, fmt.Sprintf("nothing is bound to ServiceAccount %s/%s, but to %s",
			account.Namespace, account.Name, strings.Join(subjects(objects), ", ")))
	}
	return unique(all)
}

func unique(list []string) []string {
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

// whyNotEnough says why rule, which is about Events in the right place, is not enough.
func whyNotEnough(rule rbacv1.PolicyRule, group string) string {
	verbs := slices.DeleteFunc([]string{create, patch}, func(verb string) bool {
		return !rbacfile.Covers(rule.Verbs, verb)
	})
	if len(verbs) == 0 || !rbacfile.Covers(rule.Resources, resource) {
		return ""
	}
	granted := strings.Join(verbs, " and ")
	switch {
	case rbacfile.Covers(rule.APIGroups, group) && len(rule.ResourceNames) > 0:
		return "lists resourceNames, and the names of Events are made at run time"
	case rbacfile.Covers(rule.APIGroups, group) && granted == create:
		return "grants create only, and a repeat is a patch"
	case rbacfile.Covers(rule.APIGroups, group):
		return fmt.Sprintf("grants %s only", granted)
	case rbacfile.Covers(rule.APIGroups, otherGroup(group)):
		return fmt.Sprintf("grants %s on events of %s, which is another API group",
			granted, groupName(otherGroup(group)))
	default:
		return ""
	}
}

func through(binding *object) string {
	if binding == nil {
		return ""
	}
	return fmt.Sprintf(", through %v", binding)
}

// whyUnused says why a role that grants enough has no effect.
func (o *object) whyUnused(objects []*object, account Account) string {
	var bound []string
	for _, binding := range objects {
		if binding.isBinding() && binding.boundRole(objects, account) == o {
			bound = append(bound, subjects([]*object{binding})...)
		}
	}
	if len(bound) == 0 {
		return fmt.Sprintf("%v grants it, and nothing binds it", o)
	}
	return fmt.Sprintf("%v grants it, to %s", o, strings.Join(unique(bound), ", "))
}

// isDangling reports whether what a binding grants is not known. Names that begin with system: are a cluster's own.
func (o *object) isDangling(objects []*object, account Account) bool {
	return o.boundRole(objects, account) == nil && !strings.HasPrefix(o.RoleRef.Name, "system:")
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
	return unique(all)
}
