// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

// inForce returns the API groups and namespaces in which Events may be created and patched, such as
// "events.k8s.io in all namespaces".
func inForce(r Rules) []string {
	var all []string
	for namespace := range r {
		for _, group := range []string{"", eventsGroup} {
			if len(r.missing(Access{group, namespace})) == 0 {
				all = append(all, cmp.Or(group, "core/v1")+" in "+place(namespace))
			}
		}
	}
	slices.Sort(all)
	return all
}

// Caught: a binding that grants outside of its namespace; an aggregated role that kept its own
// rules, or whose aggregation never ended.
func TestGrants(t *testing.T) {
	v1 := rule(eventsGroup, "create", "patch")
	aggregated := api + "kind: ClusterRole\nmetadata: {name: sum, labels: {part: 'yes'}}\n" + rulesNobodyKeeps +
		"aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}\n---\n" +
		api + "kind: ClusterRole\nmetadata: {name: part, labels: {part: 'yes'}}\nrules:\n" + v1 +
		role("", "other", rule("", "*"))
	const everywhere, inShop = "events.k8s.io in all namespaces",
		`events.k8s.io in namespace "shop"`
	const inDefault = `events.k8s.io in namespace "default"`
	for _, r := range []struct {
		name, text string
		account    Account
		want       []string
	}{
		{"Role, RoleBinding", role("shop", "r", v1) + bind("shop", "b", "Role", "r", "shop/a"), Account{},
			[]string{inShop}},
		{"ClusterRole, RoleBinding", role("", "r", v1) + bind("shop", "b", "ClusterRole", "r", "shop/a"), Account{},
			[]string{inShop}},
		{"ClusterRole, ClusterRoleBinding", role("", "r", v1) + bind("", "b", "ClusterRole", "r", "shop/a"), Account{},
			[]string{everywhere}},
		{"a Role elsewhere", role("bank", "r", v1) + bind("shop", "b", "Role", "r", "shop/a"), Account{}, nil},
		{"another kind", role("", "r", v1) + bind("shop", "b", "Role", "r", "shop/a"), Account{}, nil},
		{"nobody bound", role("", "r", v1) + api + "kind: ClusterRoleBinding\nmetadata: {name: b}\n" +
			"roleRef: {kind: ClusterRole, name: r}\n", Account{}, nil},
		{"no binding at all", role("shop", "r", v1) + role("", "c", v1), Account{}, []string{everywhere, inShop}},
		{"no binding at all, but an account", role("", "c", v1), Account{"shop", "a"}, nil},
		{"one binding", role("", "r", v1) + role("", "c") + bind("", "b", "ClusterRole", "c", "shop/a"), Account{},
			nil},
		{"without a namespace", role(nowhere, "r", v1), Account{}, []string{inDefault}},
		{"without a namespace, bound", role(nowhere, "r", v1) + bind("default", "b", "Role", "r", "shop/a"), Account{},
			[]string{inDefault}},
		{"in the account's namespace", role(nowhere, "r", v1) + bind("shop", "b", "Role", "r", "shop/a"),
			Account{"shop", "a"}, []string{inShop}},
		{"another account", role("", "r", v1) + bind("", "b", "ClusterRole", "r", "shop/b"), Account{"shop", "a"}, nil},
		{"another namespace's account", role("", "r", v1) + bind("", "b", "ClusterRole", "r", "bank/a"), Account{"shop",
			"a"}, nil},
		{"aggregated", aggregated + bind("", "b", "ClusterRole", "sum", "shop/a"), Account{}, []string{everywhere}},
		{"built in: cluster-admin", bind("", "b", "ClusterRole", "cluster-admin", "shop/a"), Account{},
			[]string{"core/v1 in all namespaces", everywhere}},
		{"built in: admin", bind("shop", "b", "ClusterRole", "admin", "shop/a"), Account{},
			[]string{`core/v1 in namespace "shop"`, inShop}},
		{"built in: edit", bind("shop", "b", "ClusterRole", "edit", "shop/a"), Account{},
			[]string{`core/v1 in namespace "shop"`, inShop}},
		{"built in: view", bind("shop", "b", "ClusterRole", "view", "shop/a"), Account{}, nil},
		{"not built in", bind("shop", "b", "Role", "edit", "shop/a"), Account{}, nil},
		{"one's own edit", role("", "edit") + bind("shop", "b", "ClusterRole", "edit", "shop/a"), Account{}, nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			if got := inForce(read(t, r.text).Rules(r.account)); !slices.Equal(got, r.want) {
				t.Errorf("got  %q\nwant %q", got, r.want)
			}
		})
	}
}

// rulesNobodyKeeps are rules of an aggregated role. A controller overwrites them. The role that has
// them here selects itself, too.
const rulesNobodyKeeps = "rules: [{apiGroups: [''], resources: [events], verbs: ['*']}]\n"

// Caught: an account of the same name in another namespace.
func TestSubjects(t *testing.T) {
	account := Account{"shop", "a"}
	for _, r := range []struct {
		kind, namespace, name string
		want                  bool
	}{
		{"ServiceAccount", "shop", "a", true},
		{"ServiceAccount", "", "a", false},
		{"ServiceAccount", "shop", "b", false},
		{"User", "", "system:serviceaccount:shop:a", true},
		{"User", "", "a", false},
		{"Group", "", "system:serviceaccounts", true},
		{"Group", "", "system:serviceaccounts:shop", true},
		{"Group", "", "system:serviceaccounts:bank", false},
		{"Group", "", "system:authenticated", true},
		{"Group", "", "system:masters", false},
		{"Robot", "shop", "a", false},
	} {
		text := role("", "r", rule("", "*")) + "---\n" + api + "kind: ClusterRoleBinding\nmetadata: {name: b}\n" +
			"roleRef: {kind: ClusterRole, name: r}\n" +
			fmt.Sprintf("subjects: [{kind: %s, namespace: %q, name: %q}]", r.kind, r.namespace, r.name)
		if got := len(read(t, text).Rules(account)) > 0; got != r.want {
			t.Errorf("%s %s/%s: bound %v, want %v", r.kind, r.namespace, r.name, got, r.want)
		}
	}
}

// Caught: resourceNames that were ignored.
func TestAllow(t *testing.T) {
	policy := func(group, resource, verb string, names ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{
			APIGroups: []string{group}, Resources: []string{resource}, Verbs: []string{verb}, ResourceNames: names,
		}
	}
	type request struct{ verb, group, resource, namespace, name string }
	inShop := request{"patch", eventsGroup, "events", "shop", "web.1"}
	for _, r := range []struct {
		name    string
		rules   Rules
		request request
		want    bool
	}{
		{"nothing", nil, inShop, false},
		{"everywhere", Rules{"": {policy(eventsGroup, "events", "patch")}}, inShop, true},
		{"in its namespace", Rules{"shop": {policy(eventsGroup, "events", "patch")}}, inShop, true},
		{"in another namespace", Rules{"bank": {policy(eventsGroup, "events", "patch")}}, inShop, false},
		{"another verb", Rules{"": {policy(eventsGroup, "events", "create")}}, inShop, false},
		{"the other group", Rules{"": {policy("", "events", "patch")}}, inShop, false},
		{"a subresource", Rules{"": {policy(eventsGroup, "events/status", "patch")}}, inShop, false},
		{"wildcards", Rules{"": {policy("*", "*", "*")}}, inShop, true},
		{"by name", Rules{"": {policy(eventsGroup, "events", "patch", "web.1")}}, inShop, true},
		{"by another name", Rules{"": {policy(eventsGroup, "events", "patch", "web.2")}}, inShop, false},
		{
			"a create has no name", Rules{"": {policy(eventsGroup, "events", "create", "web.1")}},
			request{"create", eventsGroup, "events", "shop", ""}, false,
		},
		{
			"all namespaces", Rules{"shop": {policy(eventsGroup, "events", "list")}},
			request{"list", eventsGroup, "events", "", ""}, false,
		},
		{
			"a subresource of everything", Rules{"": {policy("apps", "*/scale", "get")}},
			request{"get", "apps", "deployments/scale", "", ""}, true,
		},
	} {
		t.Run(r.name, func(t *testing.T) {
			ask := r.request
			if got := r.rules.Allow(ask.verb, ask.group, ask.resource, ask.namespace, ask.name); got != r.want {
				t.Errorf("Allow(%+v) = %v, want %v", ask, got, r.want)
			}
		})
	}
}
