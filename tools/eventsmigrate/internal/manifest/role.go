// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Role is a place that grants something: a role in a file, rules that become one, or the markers of a module. Settle says what it
// needs.
type Role struct {
	File      string
	Format    Format
	Line      int    // of its first rule about Events, or of its first rule
	Kind      string // Role or ClusterRole, or "" if the file does not say so
	Namespace string
	Name      string   // as written, or "" if the file does not say it
	Generated bool     // its file says that it is generated
	Template  string   // what Helm rendered it from, if Helm says so
	Holders   []string // who has its rules: subjects of bindings, and ClusterRoles that aggregate it; Bind sets them

	Need     Need
	Source   *Role // of a copy
	Extended bool  // the markers that it is made of get the rule, and it with them

	bundled     bool     // the file has what runs, too, or other resources: something put it together from parts
	inCSV       bool     // the file is a ClusterServiceVersion, which has no names of roles
	everywhere  []string // those of the holders that have its rules in all namespaces
	chart       string   // the directory of templates that the file is in, because names in templates are those of one chart
	rules       []rule
	lines       []int
	form        form // of the rule at Line, or nil if no rule can be added behind it
	eitherKind  bool // a template chooses between a Role and a ClusterRole
	labels      map[string]string
	aggregation []map[string]string // the labels of the ClusterRoles whose rules it gets, one map for each selector
}

// The kinds of roles.
const (
	kindRole        = "Role"
	kindClusterRole = "ClusterRole"
)

// String returns the kind and the name.
func (r *Role) String() string {
	name := cmp.Or(r.Name, "(no name)")
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return strings.TrimSpace(r.Kind + " " + name)
}

// Writes returns which of the verbs that a recorder needs the role grants on Events of core/v1.
func (r *Role) Writes() []string { return granted(r.rules, "", recordingVerbs) }

// Lacks returns which of the verbs that a recorder needs the role does not grant on Events of events.k8s.io.
func (r *Role) Lacks() []string { return lacking(r.rules, newGroup) }

// Records reports whether the role is there for recording: it grants one of the verbs that a recorder needs, in one of the
// APIs.
func (r *Role) Records() bool { return slices.ContainsFunc(r.rules, rule.records) }

// Reads returns the verbs for reading that the role grants on Events of core/v1 but not on those of events.k8s.io.
func (r *Role) Reads() []string {
	also := granted(r.rules, newGroup, readingVerbs)
	return slices.DeleteFunc(granted(r.rules, "", readingVerbs), func(verb string) bool {
		return slices.Contains(also, verb)
	})
}

var leading = regexp.MustCompile(`(?i)leader-?(elect|lock)`)

// namedForElection reports whether the role is for leader election, by its name.
func (r *Role) namedForElection() bool { return leading.MatchString(r.Name) }

// OfNamespace reports whether the role grants something in one namespace only, whatever a template fills in.
func (r *Role) OfNamespace() bool { return r.Kind == kindRole && !r.eitherKind }

// GrantsLeases reports whether the role grants what leader election needs, by a rule that names leases.
func (r *Role) GrantsLeases() bool {
	return slices.ContainsFunc(r.rules, func(r rule) bool {
		return slices.Contains(r["resources"], "leases") && r.has("apiGroups", "coordination.k8s.io") &&
			r.has("verbs", "update")
	})
}

// about returns the index of the first rule about writing Events of core/v1, or else of events.k8s.io, or else about reading
// those of core/v1, or else -1.
func (r *Role) about() int {
	if i := slices.IndexFunc(r.rules, rule.recordsCore); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(r.rules, rule.records); i >= 0 {
		return i
	}
	return slices.IndexFunc(r.rules, func(one rule) bool { return len(granted([]rule{one}, "", readingVerbs)) > 0 })
}

// locate sets the line of the role.
func (r *Role) locate() {
	if len(r.rules) > 0 {
		r.Line = r.lines[max(0, r.about())]
	}
}

// grants reports whether the role grants something, gets the rules of others, or gets them from a template.
func (r *Role) grants() bool {
	return r.inCSV || len(r.aggregation) > 0 || slices.ContainsFunc(r.rules, func(one rule) bool { return len(one["verbs"]) > 0 })
}
