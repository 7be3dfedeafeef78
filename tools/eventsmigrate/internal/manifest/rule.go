// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import "slices"

const (
	newGroup = "events.k8s.io"
	resource = "events"
	create   = "create"
	patch    = "patch"

	// newRule and newMarker are what to write where nothing can be edited.
	newRule   = "{apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}"
	newMarker = "+kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch"
)

// recording is what newRule and newMarker grant.
var recording = rule{groups: []string{newGroup}, resources: []string{resource}, verbs: []string{create, patch}}

// rule is an RBAC policy rule. The group without a name is core.
type rule struct{ groups, resources, verbs, names []string }

// covers reports whether list allows wanted, by its name or as everything.
func covers(list []string, wanted string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, wanted)
}

// covers reports whether r allows verb on Events of group, whatever their names: those of Events are made at run time.
func (r rule) covers(group, verb string) bool {
	return covers(r.groups, group) && covers(r.resources, resource) && covers(r.verbs, verb) && len(r.names) == 0
}

// records reports whether r is there for recording Events, not for reading them.
func (r rule) records(group string) bool { return r.covers(group, create) || r.covers(group, patch) }

// extensible reports whether r is about nothing but recording Events of core/v1: it may be given another group.
func (r rule) extensible() bool {
	return r.covers("", create) && r.covers("", patch) && slices.Contains(r.groups, "") &&
		slices.Equal(r.resources, []string{resource})
}

// allows reports whether rules together let Events of group be recorded.
func allows(rules []rule, group string) bool {
	has := func(verb string) bool {
		return slices.ContainsFunc(rules, func(r rule) bool { return r.covers(group, verb) })
	}
	return has(create) && has(patch)
}
