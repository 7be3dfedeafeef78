// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Rules maps each namespace to the rules that apply in it. The rules for namespace "" apply in all
// namespaces.
type Rules map[string][]rbacv1.PolicyRule

// Allow reports whether the rules allow verb on a resource. namespace "" means a request for all
// namespaces. name is the name of the object, or "" for a verb without a name, such as create.
func (r Rules) Allow(verb, group, resource, namespace, name string) bool {
	_, sub, isSub := strings.Cut(resource, "/")
	allows := func(rule rbacv1.PolicyRule) bool {
		return covers(rule.Verbs, verb) && covers(rule.APIGroups, group) &&
			(covers(rule.Resources, resource) || isSub && slices.Contains(rule.Resources, "*/"+sub)) &&
			(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, name))
	}
	return slices.ContainsFunc(r[""], allows) || slices.ContainsFunc(r[namespace], allows)
}

// covers reports whether list contains wanted or the wildcard "*".
func covers(list []string, wanted string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, wanted)
}

// missing returns the verbs that are needed to record Events but not granted by r. A create has no
// name that a rule could list. The Events to patch get their names at run time, so the check uses
// the name "*", which no rule lists because it is not a valid name.
func (r Rules) missing(need Access) (verbs []string) {
	if !r.Allow("create", need.Group, "events", need.Namespace, "") {
		verbs = append(verbs, "create")
	}
	if !r.Allow("patch", need.Group, "events", need.Namespace, "*") {
		verbs = append(verbs, "patch")
	}
	return verbs
}

// Rules returns the rules that apply to account.
func (m Manifests) Rules(account Account) Rules {
	all := Rules{}
	for _, g := range m.grants(account) {
		all[g.namespace] = append(all[g.namespace], g.role.Rules...)
	}
	return all
}

// Account is a ServiceAccount. The zero value stands for every subject of a binding.
type Account struct{ Namespace, Name string }

// in reports whether subject is the account or a group that contains it.
func (a Account) in(subject rbacv1.Subject) bool {
	groups := []string{"system:authenticated", "system:serviceaccounts", "system:serviceaccounts:" + a.Namespace}
	return a == (Account{}) ||
		subject.Kind == rbacv1.ServiceAccountKind && subject.Namespace == a.Namespace && subject.Name == a.Name ||
		subject.Kind == rbacv1.UserKind && subject.Name == a.user() ||
		subject.Kind == rbacv1.GroupKind && slices.Contains(groups, subject.Name)
}

// user returns the user name of the account, or "" for the zero value.
func (a Account) user() string {
	if a == (Account{}) {
		return ""
	}
	return "system:serviceaccount:" + a.Namespace + ":" + a.Name
}

// grant is a role that is granted in a namespace. Namespace "" stands for all namespaces.
type grant struct {
	namespace string
	role      *object
}

// grants returns the roles that are granted to account. If account is the zero value and the
// project contains no binding, every role of the project counts as granted.
func (m Manifests) grants(account Account) (all []grant) {
	unbound := account == (Account{}) && !slices.ContainsFunc(m, (*object).isBinding)
	for _, o := range m {
		role := m.boundRole(o, account)
		switch {
		case unbound && o.file != "":
			role = o
		case role == nil || !slices.ContainsFunc(o.Subjects, account.in):
			continue
		}
		all = append(all, grant{o.scope(account), role})
	}
	return all
}

// scope returns the namespace of an object, or "" for a cluster-scoped object. If a namespaced
// object does not specify its namespace, scope returns the namespace of account, or else "default",
// where kubectl would create the object.
func (o *object) scope(account Account) string {
	if strings.HasPrefix(o.Kind, "Cluster") {
		return ""
	}
	return cmp.Or(o.Metadata.Namespace, account.Namespace, "default")
}

// isAboutEvents reports whether any rule of the role covers the resource events.
func (o *object) isAboutEvents() bool {
	return slices.ContainsFunc(o.Rules, func(rule rbacv1.PolicyRule) bool { return covers(rule.Resources, "events") })
}

// boundRole returns the role that binding refers to, or nil if the role is not in the manifests.
func (m Manifests) boundRole(binding *object, account Account) *object {
	for _, role := range m {
		if role.Kind == binding.RoleRef.Kind && role.Metadata.Name == binding.RoleRef.Name &&
			(role.Kind == "ClusterRole" || role.scope(account) == binding.scope(account)) {
			return role
		}
	}
	return nil
}

// builtin lists the user-facing ClusterRoles that exist in every cluster, with their rules about
// Events.
var builtin = []*object{
	builtinRole("cluster-admin", "*"), builtinRole("admin", "*"), builtinRole("edit", "*"),
	builtinRole("view", "get", "list", "watch"),
}

// builtinRole returns a ClusterRole that allows the given verbs on Events.
func builtinRole(name string, verbs ...string) *object {
	return &object{
		Kind:     "ClusterRole",
		Metadata: metav1.ObjectMeta{Name: name},
		Rules: []rbacv1.PolicyRule{
			{
				APIGroups: []string{corev1.GroupName, eventsv1.GroupName},
				Resources: []string{"events"},
				Verbs:     verbs,
			},
		},
	}
}

// aggregate replaces the rules of each aggregated role with the rules of the ClusterRoles that it
// selects. A controller in the cluster does the same, so the role's own rules never take effect.
func (m Manifests) aggregate() {
	for _, sum := range m {
		if sum.AggregationRule == nil {
			continue
		}
		sum.Rules = nil
		for _, label := range sum.AggregationRule.ClusterRoleSelectors {
			selector, err := metav1.LabelSelectorAsSelector(&label)
			for _, o := range m {
				if err == nil && o.Kind == "ClusterRole" && o.AggregationRule == nil &&
					selector.Matches(labels.Set(o.Metadata.Labels)) {
					sum.Rules = append(sum.Rules, o.Rules...)
				}
			}
		}
	}
}
