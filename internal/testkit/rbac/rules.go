// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Rules are the rules in force, by namespace; those of "" are in force everywhere.
type Rules map[string][]rbacv1.PolicyRule

// Request is what a client asks of a resource. Namespace "" means all of them, Name is "" where the verb has none.
type Request struct{ Verb, Group, Resource, Namespace, Name string }

// Allow reports whether any rule in force allows request.
func (r Rules) Allow(request Request) bool {
	allows := func(rule rbacv1.PolicyRule) bool { return allows(rule, request) }
	return slices.ContainsFunc(r[""], allows) || slices.ContainsFunc(r[request.Namespace], allows)
}

func allows(rule rbacv1.PolicyRule, request Request) bool {
	return covers(rule.Verbs, request.Verb) && covers(rule.APIGroups, request.Group) &&
		coversResource(rule.Resources, request.Resource) &&
		(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, request.Name))
}

func covers(list []string, wanted string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, wanted)
}

// coversResource knows the form */scale, which stands for a subresource of everything.
func coversResource(list []string, wanted string) bool {
	_, sub, found := strings.Cut(wanted, "/")
	return covers(list, wanted) || found && slices.Contains(list, "*/"+sub)
}

// missing returns the verbs that recording Events in need takes and rules do not grant. A create has no name that a
// rule could list, and the Events to patch get theirs at run time, so "*", which no object can be called.
func (r Rules) missing(need Access) []string {
	var verbs []string
	for verb, name := range map[string]string{create: "", patch: "*"} {
		request := Request{Verb: verb, Group: need.Group, Resource: resource, Namespace: need.Namespace, Name: name}
		if !r.Allow(request) {
			verbs = append(verbs, verb)
		}
	}
	slices.Sort(verbs)
	return verbs
}
