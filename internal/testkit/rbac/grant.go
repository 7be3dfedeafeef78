// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// Account is a ServiceAccount. The zero value stands for everybody who is bound at all.
type Account struct{ Namespace, Name string }

// matches reports whether a is, or is in, subject.
func (a Account) matches(subject rbacv1.Subject) bool {
	if a == (Account{}) {
		return true
	}
	switch subject.Kind {
	case kindServiceAccount:
		return subject.Namespace == a.Namespace && subject.Name == a.Name
	case rbacv1.UserKind:
		return subject.Name == "system:serviceaccount:"+a.Namespace+":"+a.Name
	case rbacv1.GroupKind:
		return slices.Contains([]string{
			"system:authenticated", "system:serviceaccounts", "system:serviceaccounts:" + a.Namespace,
		}, subject.Name)
	default:
		return false
	}
}

// grant is a rule in force in a namespace; "" is everywhere.
type grant struct {
	namespace string
	rule      rbacv1.PolicyRule
	role      *object
	binding   *object // nil if the role counts as bound
}

// grants returns the rules that are in force for account. If nobody is named and the objects have no binding, all roles
// count as bound; roles made of markers always do.
func grants(objects []*object, account Account) []grant {
	unbound := account == (Account{}) && !slices.ContainsFunc(objects, (*object).isBinding)
	var all []grant
	add := func(namespace string, role, binding *object) {
		for _, rule := range rulesOf(role, objects, nil) {
			all = append(all, grant{namespace, rule, role, binding})
		}
	}
	for _, o := range objects {
		if o.isRole() && (unbound || o.marker != nil) {
			add(o.scope(account), o, nil)
		}
		if !o.isBinding() || !slices.ContainsFunc(o.Subjects, account.matches) {
			continue
		}
		if role := o.boundRole(objects, account); role != nil {
			add(o.scope(account), role, o)
		}
	}
	return all
}

// scope is the namespace that a role or binding is in, "" for one of the cluster. An object without a namespace is
// applied to that of the account, else to kubectl's default.
func (o *object) scope(account Account) string {
	if !o.namespaced() {
		return ""
	}
	return cmp.Or(o.Metadata.Namespace, account.Namespace, "default")
}

// boundRole returns the role that a binding refers to: one of objects, or a built-in one; nil if neither.
func (o *object) boundRole(objects []*object, account Account) *object {
	for _, role := range objects {
		if role.isRole() && role.Kind == o.RoleRef.Kind && role.Metadata.Name == o.RoleRef.Name &&
			(!role.namespaced() || role.scope(account) == o.scope(account)) {
			return role
		}
	}
	rule, found := builtin[o.RoleRef.Name]
	if !found || o.RoleRef.Kind != kindClusterRole {
		return nil
	}
	return &object{
		Kind: kindClusterRole, Metadata: metadata{identity: identity{Name: o.RoleRef.Name}},
		Rules: []rbacv1.PolicyRule{rule},
	}
}

// builtin holds the ClusterRoles that every cluster has for its users, with what they say about Events.
var builtin = map[string]rbacv1.PolicyRule{
	"cluster-admin": {APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}},
	"admin":         events("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"),
	"edit":          events("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"),
	"view":          events("get", "list", "watch"),
}

func events(verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{
		APIGroups: []string{corev1.GroupName, eventsv1.GroupName}, Resources: []string{resource}, Verbs: verbs,
	}
}

// rulesOf returns the rules of role. Those of an aggregated one are the rules of the ClusterRoles that it selects,
// because a cluster overwrites its own. The roles in via are being summed up already.
func rulesOf(role *object, objects, via []*object) []rbacv1.PolicyRule {
	if role.AggregationRule == nil {
		return role.Rules
	}
	var rules []rbacv1.PolicyRule
	via = append(via, role)
	for _, o := range objects {
		if o.selectedBy(role.AggregationRule) && !slices.Contains(via, o) {
			rules = append(rules, rulesOf(o, objects, via)...)
		}
	}
	return rules
}

// rules returns what grants allow.
func rules(grants []grant) Rules {
	all := Rules{}
	for _, g := range grants {
		all[g.namespace] = append(all[g.namespace], g.rule)
	}
	return all
}
