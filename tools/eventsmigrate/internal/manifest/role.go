// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Role is a role in a file, or rules that become one.
type Role struct {
	File      string
	Format    Format
	Line      int    // of its first rule about Events, or of its first rule
	Kind      string // Role or ClusterRole, or "" if the file does not say so
	Namespace string
	Name      string   // as written, or "" if the file does not say it
	Template  string   // what Helm rendered it from, if Helm says so
	Generated bool     // the file says in its first lines that it is generated, and that nobody must edit it
	Holders   []string // who has its rules: subjects of bindings, and ClusterRoles that aggregate it; Bind sets them

	everywhere  []string // those of the holders that have its rules in all namespaces
	chart       string   // the directory of templates that the file is in, because names in templates are those of one chart
	rules       []rule
	lines       []int
	dash        int        // the column of the dash before each rule, from 0
	form        *yaml.Node // the rule at Line as it is written, or nil if no rule can be added behind it
	labels      map[string]string
	aggregation []map[string]string // the labels of the ClusterRoles whose rules it gets, one map for each selector
}

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

// NamedForElection reports whether the role is for leader election, by its name.
func (r *Role) NamedForElection() bool { return leading.MatchString(r.Name) }

// OnlyForElection reports whether the role is for leader election, by its name, and whoever has it may write Events by
// another one of the roles. Where it is not known who has one of the two, both count as those of one component if they are
// in the same directory.
func (r *Role) OnlyForElection(roles []*Role) bool {
	return r.NamedForElection() && slices.ContainsFunc(roles, func(other *Role) bool {
		return !other.NamedForElection() && other.Records() && r.mayShare(other)
	})
}

// mayShare reports whether somebody has both roles or, if it is not known who has one of them, both are in one directory.
func (r *Role) mayShare(other *Role) bool {
	shared := slices.ContainsFunc(other.Holders, func(holder string) bool { return slices.Contains(r.Holders, holder) })
	unknown := len(r.Holders) == 0 || len(other.Holders) == 0
	return shared && r.chart == other.chart || unknown && filepath.Dir(r.File) == filepath.Dir(other.File)
}

// Covered reports whether whoever has the role may create and patch Events of events.k8s.io by others of the roles, wherever
// this one is in force.
func (r *Role) Covered(roles []*Role) bool {
	covers := func(other *Role, holder string) bool {
		here := r.Kind == "Role" && other.Kind == "Role" && r.Namespace == other.Namespace
		return len(other.Lacks()) == 0 && r.chart == other.chart &&
			(slices.Contains(other.everywhere, holder) || here && slices.Contains(other.Holders, holder))
	}
	lacking := func(holder string) bool {
		return !slices.ContainsFunc(roles, func(other *Role) bool { return covers(other, holder) })
	}
	return len(r.Holders) > 0 && !slices.ContainsFunc(r.Holders, lacking)
}

// NewOnly reports whether whoever has the role may write Events of events.k8s.io, and by none of the roles those of core/v1.
func (r *Role) NewOnly(roles []*Role) bool {
	return r.Records() && len(r.Lacks()) == 0 && len(r.Writes()) == 0 && !slices.ContainsFunc(roles, func(other *Role) bool {
		return len(other.Writes()) > 0 && r.mayShare(other)
	})
}

// CopyOf reports whether the role has the rules of another one, whose name is a part of its own: kustomize and templates add
// to names.
func (r *Role) CopyOf(other *Role) bool {
	return r.Kind == other.Kind && other.Name != "" && strings.Contains(r.Name, other.Name) &&
		slices.Equal(keys(r.rules), keys(other.rules))
}

// MadeOf reports whether the role has the rules of the markers, perhaps with more verbs: it was made of what controller-gen
// makes of them.
func (r *Role) MadeOf(markers []Marker) bool {
	var rules []rule
	for _, marker := range markers {
		rules = append(rules, marker.rule)
	}
	has, wants := verbsOf(r.rules), verbsOf(rules)
	if len(has) != len(wants) {
		return false
	}
	for resource, verbs := range wants {
		for verb := range verbs {
			if !has[resource][verb] && !has[resource]["*"] {
				return false
			}
		}
	}
	return len(wants) > 0
}

// verbsOf returns which verbs the rules grant, by the group and the name of a resource, or by URL.
func verbsOf(rules []rule) map[string]map[string]bool {
	verbs := map[string]map[string]bool{}
	for _, r := range rules {
		resources := slices.Clone(r["nonResourceURLs"])
		for _, group := range r["apiGroups"] {
			for _, resource := range r["resources"] {
				resources = append(resources, group+" "+resource)
			}
		}
		for _, resource := range resources {
			if verbs[resource] == nil {
				verbs[resource] = map[string]bool{}
			}
			for _, verb := range r["verbs"] {
				verbs[resource][verb] = true
			}
		}
	}
	return verbs
}

// keys tells the rules of two roles apart, whatever their order.
func keys(rules []rule) (all []string) {
	for _, r := range rules {
		all = append(all, r.key(""))
	}
	slices.Sort(all)
	return all
}

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

// grants reports whether the role grants something, or gets the rules of others.
func (r *Role) grants() bool {
	return len(r.aggregation) > 0 || slices.ContainsFunc(r.rules, func(one rule) bool { return len(one["verbs"]) > 0 })
}

// Binding is a RoleBinding or a ClusterRoleBinding.
type Binding struct {
	kind, namespace, name string // of the role
	everywhere            bool   // in all namespaces
	chart                 string // as that of a role
	subjects              []string
}

// aggregated is the label of a ClusterRole whose rules one of Kubernetes' own ClusterRoles gets.
const aggregated = "rbac.authorization.k8s.io/aggregate-to-"

// Bind sets the holders of the roles.
func Bind(roles []*Role, bindings []Binding) {
	for _, r := range roles {
		for _, b := range bindings {
			if b.kind != r.Kind || b.name != r.Name || b.chart != r.chart || r.Kind == "Role" && b.namespace != r.Namespace {
				continue
			}
			r.Holders = append(r.Holders, b.subjects...)
			if b.everywhere {
				r.everywhere = append(r.everywhere, b.subjects...)
			}
		}
	}
	for _, r := range roles {
		for label, value := range r.labels {
			if name, ok := strings.CutPrefix(label, aggregated); ok && value == "true" {
				r.Holders = append(r.Holders, "ClusterRole "+name)
			}
		}
		for _, other := range roles {
			if slices.ContainsFunc(other.aggregation, r.matches) {
				r.Holders = append(append(r.Holders, other.String()), other.Holders...)
			}
		}
		slices.Sort(r.Holders)
		r.Holders = slices.Compact(r.Holders)
	}
}

// matches reports whether the role has all of the labels.
func (r *Role) matches(labels map[string]string) bool {
	for label := range maps.Keys(labels) {
		if r.labels[label] != labels[label] {
			return false
		}
	}
	return len(labels) > 0
}
