// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
)

func TestNeedsAreOrdered(t *testing.T) {
	needs := []Access{
		v1InShop, coreInShop, {Group: "", Namespace: "bank"}, v1InShop, {Group: eventsGroup, Namespace: "bank"},
		v1Everywhere,
	}
	want := []Access{v1Everywhere, {Group: "", Namespace: "bank"}, coreInShop}
	if diff := cmp.Diff(want, ordered(needs)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want = []Access{{Group: "", Namespace: "bank"}, {Group: eventsGroup, Namespace: "bank"}, coreInShop, v1InShop}
	if diff := cmp.Diff(want, ordered(needs[:5])); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Caught: resourceNames that were not looked at.
func TestAllow(t *testing.T) {
	policy := func(group, resource, verb string, names ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{
			APIGroups: []string{group}, Resources: []string{resource}, Verbs: []string{verb}, ResourceNames: names,
		}
	}
	inShop := Request{Verb: "patch", Group: eventsGroup, Resource: "events", Namespace: "shop", Name: "web.1"}
	for _, r := range []struct {
		name    string
		rules   Rules
		request Request
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
			Request{Verb: "create", Group: eventsGroup, Resource: "events", Namespace: "shop"}, false,
		},
		{
			"all namespaces", Rules{"shop": {policy(eventsGroup, "events", "list")}},
			Request{Verb: "list", Group: eventsGroup, Resource: "events"}, false,
		},
		{
			"a subresource of everything", Rules{"": {policy("apps", "*/scale", "get")}},
			Request{Verb: "get", Group: "apps", Resource: "deployments/scale"}, true,
		},
	} {
		t.Run(r.name, func(t *testing.T) {
			if got := r.rules.Allow(r.request); got != r.want {
				t.Errorf("Allow(%+v) = %v, want %v", r.request, got, r.want)
			}
		})
	}
}
