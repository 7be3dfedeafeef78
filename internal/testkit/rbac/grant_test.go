// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inForce says where each group's Events may be created and patched, as in: events.k8s.io in all namespaces.
func inForce(r Rules) []string {
	var all []string
	for namespace := range r {
		for _, group := range []string{"", eventsGroup} {
			if access := (Access{group, namespace}); len(r.missing(access)) == 0 {
				all = append(all, access.String())
			}
		}
	}
	slices.Sort(all)
	return all
}

// Caught: a binding that grants outside of its namespace; an aggregated role that kept its own rules, or never ended.
func TestGrants(t *testing.T) {
	v1 := rule(eventsGroup, "create", "patch")
	aggregated := api + "kind: ClusterRole\nmetadata: {name: sum, labels: {part: 'yes'}}\n" + rulesNobodyKeeps +
		"aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}\n---\n" +
		api + "kind: ClusterRole\nmetadata: {name: part, labels: {part: 'yes'}}\nrules:\n" + v1 +
		role("", "other", rule("", "*"))
	const everywhere, inShop = "events of events.k8s.io in all namespaces",
		`events of events.k8s.io in namespace "shop"`
	const inDefault = `events of events.k8s.io in namespace "default"`
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
			[]string{"events of core/v1 in all namespaces", everywhere}},
		{"built in: admin", bind("shop", "b", "ClusterRole", "admin", "shop/a"), Account{},
			[]string{`events of core/v1 in namespace "shop"`, inShop}},
		{"built in: edit", bind("shop", "b", "ClusterRole", "edit", "shop/a"), Account{},
			[]string{`events of core/v1 in namespace "shop"`, inShop}},
		{"built in: view", bind("shop", "b", "ClusterRole", "view", "shop/a"), Account{}, nil},
		{"not built in", bind("shop", "b", "Role", "edit", "shop/a"), Account{}, nil},
		{"one's own edit", role("", "edit") + bind("shop", "b", "ClusterRole", "edit", "shop/a"), Account{}, nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			objects, err := decode("a.yaml", r.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r.want, inForce(rules(grants(objects, r.account)))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A controller overwrites the rules of a role that is aggregated. That one selects itself, too.
const rulesNobodyKeeps = "rules: [{apiGroups: [''], resources: [events], verbs: ['*']}]\n"

// Caught: an account of that name in another namespace.
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
		objects, err := decode("a.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(grants(objects, account)) > 0; got != r.want {
			t.Errorf("%s %s/%s: bound %v, want %v", r.kind, r.namespace, r.name, got, r.want)
		}
	}
}
