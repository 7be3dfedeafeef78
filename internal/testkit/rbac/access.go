// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/eventseries/eventseries/internal/testkit/rbacfile"
)

const (
	resource = "events"
	create   = "create"
	patch    = "patch"
)

// Access is permission to create and patch Events through one API group in one namespace; "" is all of them.
type Access struct{ Group, Namespace string }

// String names the access as in: events of events.k8s.io in namespace "shop".
func (a Access) String() string {
	return fmt.Sprintf("events of %s in %s", groupName(a.Group), place(a.Namespace))
}

func groupName(group string) string {
	if group == corev1.GroupName {
		return "core/v1"
	}
	return group
}

func place(namespace string) string {
	if namespace == "" {
		return "all namespaces"
	}
	return fmt.Sprintf("namespace %q", namespace)
}

// otherGroup is the other API group that serves Events.
func otherGroup(group string) string {
	if group == corev1.GroupName {
		return eventsv1.GroupName
	}
	return corev1.GroupName
}

// ordered sorts needs, without those that access to all namespaces includes.
func ordered(needs []Access) []Access {
	var all []Access
	for _, need := range needs {
		if need.Namespace == "" || !slices.Contains(needs, Access{Group: need.Group}) {
			all = append(all, need)
		}
	}
	slices.SortFunc(all, func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group))
	})
	return slices.Compact(all)
}

// Rules are the rules in force, by namespace; those of "" are in force everywhere.
type Rules map[string][]rbacv1.PolicyRule

// Request is what a client asks of a resource. Namespace "" means all of them, Name is "" where the verb has none.
type Request struct{ Verb, Group, Resource, Namespace, Name string }

// Allow reports whether any rule in force allows request.
func (r Rules) Allow(request Request) bool {
	allows := func(rule rbacv1.PolicyRule) bool {
		return rbacfile.Rule(rule).Allows(request.Verb, request.Group, request.Resource, request.Name)
	}
	return slices.ContainsFunc(r[""], allows) || slices.ContainsFunc(r[request.Namespace], allows)
}

// missing returns the verbs that recording Events in need takes and rules do not grant. A create has no name that a
// rule could list. The Events to patch get their names at run time, so "*" stands for them, which is no valid name.
func (r Rules) missing(need Access) []string {
	var verbs []string
	for _, verb := range []struct{ name, of string }{{create, ""}, {patch, "*"}} {
		if !r.Allow(Request{verb.name, need.Group, resource, need.Namespace, verb.of}) {
			verbs = append(verbs, verb.name)
		}
	}
	return verbs
}

// missingAccess is what a source does not grant.
type missingAccess struct {
	Access
	verbs []string
}

func (r Rules) allMissing(needs []Access) []missingAccess {
	var all []missingAccess
	for _, need := range needs {
		if verbs := r.missing(need); len(verbs) > 0 {
			all = append(all, missingAccess{need, verbs})
		}
	}
	return all
}
