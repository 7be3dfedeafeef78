// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

const (
	newGroup = "events.k8s.io"
	resource = "events"
	create   = "create"
	patch    = "patch"

	// newRule is the rule to add where nothing can be edited.
	newRule = "{apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}"
)

// recording is what newRule and newMarker grant.
var recording = rbacfile.Rule{
	APIGroups: []string{newGroup}, Resources: []string{resource}, Verbs: []string{create, patch},
}

// covers reports whether r allows verb on all Events of group. A rule for single names does not, because Events get
// their names at run time.
func covers(r rbacfile.Rule, group, verb string) bool {
	return r.Allows(verb, group, resource, "") && len(r.ResourceNames) == 0
}

// records reports whether r is there for recording Events, not for reading them.
func records(r rbacfile.Rule, group string) bool {
	return covers(r, group, create) || covers(r, group, patch)
}

// extensible reports whether r is about nothing but recording Events of core/v1, so that another group can be added.
func extensible(r rbacfile.Rule) bool {
	return covers(r, "", create) && covers(r, "", patch) && slices.Contains(r.APIGroups, "") &&
		slices.Equal(r.Resources, []string{resource})
}

// allows reports whether rules together let Events of group be recorded.
func allows(rules []rbacfile.Rule, group string) bool {
	allowed := func(verb string) bool {
		return slices.ContainsFunc(rules, func(r rbacfile.Rule) bool { return covers(r, group, verb) })
	}
	return allowed(create) && allowed(patch)
}
