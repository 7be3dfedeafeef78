// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"slices"
	"strings"
)

// Rule is an RBAC policy rule. It has the fields of rbac/v1's PolicyRule, in their order, so one converts to the other.
type Rule struct{ Verbs, APIGroups, Resources, ResourceNames, NonResourceURLs []string }

// Allows reports whether r allows a verb on a resource of an API group. The name is "" where the verb has none.
func (r Rule) Allows(verb, group, resource, name string) bool {
	_, sub, isSub := strings.Cut(resource, "/")
	return Covers(r.Verbs, verb) && Covers(r.APIGroups, group) &&
		(Covers(r.Resources, resource) || isSub && slices.Contains(r.Resources, "*/"+sub)) &&
		(len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, name))
}

// Covers reports whether list has wanted or a wildcard.
func Covers(list []string, wanted string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, wanted)
}
