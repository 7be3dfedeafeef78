// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import "slices"

const (
	newGroup = "events.k8s.io"
	resource = "events"
)

// NewRule is the rule to add for recording, NewRuleInGo the same as a PolicyRule, and ReadingRule that for reading.
const (
	NewRule     = "{apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}"
	NewRuleInGo = `{APIGroups: []string{"events.k8s.io"}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}}`
	ReadingRule = "{apiGroups: [events.k8s.io], resources: [events], verbs: [get, list, watch]}"
)

// recordingVerbs are what a recorder needs: it creates an Event at the first occurrence, and patches it at the others.
var recordingVerbs = []string{"create", "patch"}

// readingVerbs are what a reader or a watcher may need.
var readingVerbs = []string{"get", "list", "watch"}

// rule is a rule of a role: the values by the names of the fields in YAML.
type rule map[string][]string

// templated stands for a value that a template fills in, and that may be anything.
const templated = "<templated>"

// records reports whether r is there for recording, in one of the APIs.
func (r rule) records() bool {
	return r.recordsCore() || len(granted([]rule{r}, newGroup, recordingVerbs)) > 0
}

// recordsCore reports whether r is there for recording Events of core/v1.
func (r rule) recordsCore() bool { return len(granted([]rule{r}, "", recordingVerbs)) > 0 }

// granted returns those of the verbs that the rules grant on Events of group. A rule for single names does not count, since
// Events get their names at run time. What a template fills in may be core/v1, and is never known to be events.k8s.io.
func granted(rules []rule, group string, verbs []string) []string {
	return slices.DeleteFunc(slices.Clone(verbs), func(verb string) bool {
		return !slices.ContainsFunc(rules, func(r rule) bool {
			has := func(field, value string) bool {
				return r.has(field, value) || group == "" && slices.Contains(r[field], templated)
			}
			return has("apiGroups", group) && has("resources", resource) && has("verbs", verb) && len(r["resourceNames"]) == 0
		})
	})
}

// lacking returns the verbs that a recorder needs on Events of group and the rules do not grant.
func lacking(rules []rule, group string) []string {
	has := granted(rules, group, recordingVerbs)
	return slices.DeleteFunc(slices.Clone(recordingVerbs), func(verb string) bool { return slices.Contains(has, verb) })
}

func (r rule) has(field, value string) bool {
	return slices.Contains(r[field], value) || slices.Contains(r[field], "*")
}
