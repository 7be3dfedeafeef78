// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import "slices"

const (
	newGroup = "events.k8s.io"
	resource = "events"
)

// NewRule is the rule to add for recording.
const NewRule = "{apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}"

// recordingVerbs are what a recorder needs.
var recordingVerbs = []string{"create", "patch"}

// rule is a rule of a role: the values by the names of the fields in YAML.
type rule map[string][]string

// records reports whether r is there for recording Events of group. A rule for single names is not, since Events get their
// names at run time.
func (r rule) records(group string) bool {
	has := func(key, value string) bool { return slices.Contains(r[key], value) || slices.Contains(r[key], "*") }
	return has("apiGroups", group) && has("resources", resource) && len(r["resourceNames"]) == 0 &&
		(has("verbs", "create") || has("verbs", "patch"))
}
