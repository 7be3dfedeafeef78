// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"strings"
	"testing"
)

// Each row is a way in which a migration to events.k8s.io went wrong, or could go wrong.
//
// Caught: resourceNames that allowed the patch of an Event of any name; advice to add a rule to a
// role of another namespace.
func TestVerify(t *testing.T) {
	v1, core := rule(eventsGroup, "create", "patch"), rule("", "create", "patch")
	worker := Account{"shop", "worker"}
	toWorker := func(namespace, kind, name string) string { return bind(namespace, "b", kind, name, "shop/worker") }
	needs := func(needs ...Access) []Access { return needs }
	everywhere := needs(v1Everywhere)
	const missing = "the manifests do not grant\n  create and patch events of events.k8s.io in all namespaces\n"
	for _, r := range []struct {
		name, text string
		account    Account
		needs      []Access
		// want is empty if nothing is missing.
		want []string
	}{
		{"a rule per verb", role("", "a", rule(eventsGroup, "create"), rule(eventsGroup, "patch")), Account{}, everywhere, nil},
		{"in two roles", role("shop", "a", v1) + role("shop", "b", rule("", "*")), Account{}, needs(v1InShop, coreInShop), nil},
		{"wildcards", role("", "a", "- {apiGroups: ['*'], resources: ['*'], verbs: ['*']}\n"), Account{}, everywhere, nil},
		{"the old group only", role("", "a", core), Account{}, everywhere, []string{
			missing, `ClusterRole a (a.yaml): create, patch events of [""], in force in all namespaces` + "\n",
			"  add to the rules of ClusterRole a (a.yaml):\n    - apiGroups: [\"events.k8s.io\"]\n" +
				"      resources: [\"events\"]\n      verbs: [\"create\", \"patch\"]",
		}},
		{"the new group only", role("", "a", v1), Account{}, needs(coreInShop), []string{
			"create and patch events of core/v1 in namespace \"shop\"\n", `events of ["events.k8s.io"]`, `- apiGroups: [""]`,
		}},
		{"no patch", role("", "a", rule(eventsGroup, "create")), Account{}, everywhere, []string{
			"\n  patch events of events.k8s.io", "ClusterRole a (a.yaml): create events", `"patch"]`,
		}},
		{"names", role("", "a", "- {apiGroups: ['*'], resources: [events], resourceNames: [x, ''], verbs: ['*']}\n"),
			Account{}, everywhere, []string{"patch events", "has resourceNames, although Events get their names at run time\n"}},
		{"a subresource", role("", "a", "- {apiGroups: ['*'], resources: [events/status], verbs: ['*']}\n"), Account{},
			everywhere, []string{missing, "add to the rules of ClusterRole a"}},
		{"bound in a namespace", role("", "a", v1) + toWorker("shop", "ClusterRole", "a"), worker, everywhere, []string{
			"do not grant to ServiceAccount shop/worker\n", `in force in namespace "shop"` + "\n",
			"  add:\n", "kind: ClusterRole\n", "kind: ClusterRoleBinding\n", "name: worker\n        namespace: shop",
		}},
		{"another namespace", role("bank", "a", v1), Account{}, needs(v1InShop), []string{
			"Role a (a.yaml)", "  add:\n", "kind: Role\n", "namespace: shop", "kind: RoleBinding\n", "REPLACE-WITH-ITS-NAME",
		}},
		{"bound to another", role("", "a", v1) + bind("", "b", "ClusterRole", "a", "shop/other"), worker, everywhere,
			[]string{"in force in no namespace: no binding grants it to the component\n", "add:\n"}},
		{"a role that is not here", toWorker("", "ClusterRole", "a"), worker, everywhere,
			[]string{"ClusterRoleBinding b (a.yaml): binds ClusterRole a, which is not in the manifests\n"}},
		{"a rule to the role that is bound here", role("", "x", "- {}\n- {}\n") + role("shop", "z", "- {}\n") +
			toWorker("", "ClusterRole", "x") + bind("shop", "c", "Role", "z", "shop/worker"), worker, needs(v1InShop),
			[]string{"add to the rules of Role z (a.yaml):\n"}},
		{"a rule to the role about Events", role("", "x", "- {}\n- {}\n") + role("", "z", core), Account{}, everywhere,
			[]string{"add to the rules of ClusterRole z (a.yaml):\n"}},
		{"no rule to a role that is a sum", api + "kind: ClusterRole\nmetadata: {name: sum}\n" +
			"aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}\n---\n" +
			api + "kind: ClusterRole\nmetadata: {name: part, labels: {part: 'yes'}}\nrules: [{}]\n" +
			toWorker("", "ClusterRole", "sum"), Account{}, everywhere, []string{"\n  add:\n", "kind: ClusterRole\n"}},
		{"all namespaces include one", role("", "a"), Account{}, needs(v1InShop, v1Everywhere, coreInShop, coreInShop),
			[]string{missing + "  create and patch events of core/v1 in namespace \"shop\"\n  their rules about Events:\n"}},
	} {
		t.Run(r.name, func(t *testing.T) {
			got := read(t, r.text).Verify(r.account, r.needs)
			if len(r.want) == 0 && got != "" {
				t.Error(got)
			}
			rest := got + "\n"
			for _, want := range r.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("got %s\n\nwant it to say, in this place: %s", got, want)
				}
				rest = after
			}
		})
	}
}

// A binding of a role that is part of every cluster is not reported, although the manifests do not
// have that role.
func TestRolesOfTheClusterAreNotMissed(t *testing.T) {
	m := read(t, role("", "a")+bind("", "b", "ClusterRole", "system:auth-delegator", "shop/worker"))
	if got := m.Verify(Account{}, []Access{v1Everywhere}); strings.Contains(got, "not here") {
		t.Error(got)
	}
}
