// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"path/filepath"
	"slices"
	"strings"
)

// Need is what has to happen to a role, so that whoever has it can record through events.k8s.io.
type Need int

const (
	Nothing  Need = iota // it grants no writing of Events
	Complete             // nothing: it grants what a recorder needs
	Election             // nothing: it is for leader election, which records through core/v1
	Covered              // nothing: whoever has it may create and patch Events of events.k8s.io by another role
	Copy                 // its Source needs the rule, and then something makes the role again
	Made                 // what generates its file needs the rule
	Rule                 // it needs the rule
)

// Settle sets what each of the roles needs. The Source of a role that controller-gen makes is the markers, and is set already.
func Settle(roles []*Role) {
	made := slices.DeleteFunc(slices.Clone(roles), func(role *Role) bool { return role.Source == nil })
	for _, r := range roles {
		r.Need = r.needs(roles)
		if r.Need != Rule {
			continue
		}
		if r.Source == nil {
			r.Source = r.source(roles, made)
		}
		switch {
		case r.Source != nil:
			r.Need = Copy
		case r.Generated:
			r.Need = Made
		}
	}
}

// needs returns what the role needs, wherever it comes from.
func (r *Role) needs(roles []*Role) Need {
	switch {
	case !r.Records():
		return Nothing
	case r.forElection(roles):
		return Election
	case len(r.Lacks()) == 0:
		return Complete
	case r.covered(roles):
		return Covered
	default:
		return Rule
	}
}

// forElection reports whether the role is for leader election: by its name or, in a ClusterServiceVersion, which has no names,
// because it grants leases in one namespace, and whoever has it may write Events by a ClusterRole. A template may fill in that.
func (r *Role) forElection(roles []*Role) bool {
	if r.namedForElection() || !r.inCSV {
		return r.namedForElection()
	}
	return r.Kind == kindRole && r.GrantsLeases() && slices.ContainsFunc(roles, func(other *Role) bool {
		return r.File == other.File && r.Name == other.Name && other.Kind == kindClusterRole && (other.Records() || len(other.rules) == 0)
	})
}

// covered reports whether whoever has the role may create and patch Events of events.k8s.io by others of the roles, wherever
// this one is in force.
func (r *Role) covered(roles []*Role) bool {
	covers := func(other *Role, holder string) bool {
		here := r.Kind == kindRole && other.Kind == kindRole && r.Namespace == other.Namespace
		return other != r && (len(other.Lacks()) == 0 || other.Extended) && r.chart == other.chart &&
			(slices.Contains(other.everywhere, holder) || here && slices.Contains(other.Holders, holder))
	}
	lacking := func(holder string) bool {
		return !slices.ContainsFunc(roles, func(other *Role) bool { return covers(other, holder) })
	}
	return len(r.Holders) > 0 && !slices.ContainsFunc(r.Holders, lacking)
}

// source returns what something makes the role of, or nil. Of several it is the one that says most: a role that controller-gen
// makes, then the markers if it makes none of them, then a role in a file of its own, and then one whose file is generated.
func (r *Role) source(roles, made []*Role) *Role {
	for _, makes := range []func(other *Role) bool{
		func(other *Role) bool { return slices.Contains(made, other) && r.copies(other) },
		func(other *Role) bool {
			return other.Format == Kubebuilder && (r.Format == YAML || r.Format == Template) && r.MadeOf(other) &&
				!slices.ContainsFunc(made, func(role *Role) bool { return role.Source == other })
		},
		func(other *Role) bool { return r.bundled && !other.bundled && !other.Generated && r.copies(other) },
		func(other *Role) bool { return !r.Generated && other.Generated && r.copies(other) },
	} {
		if i := slices.IndexFunc(roles, makes); i >= 0 {
			return roles[i]
		}
	}
	return nil
}

// copies reports whether the role is in another file than another one, and has its rules and a name of which the other name is a
// part: kustomize adds to names. What is put together from parts may have more rules. A template may fill in the kind and
// the name, and the parts of a ClusterServiceVersion have no names.
func (r *Role) copies(other *Role) bool {
	differ := r.Kind != other.Kind && r.Kind != "" && !r.eitherKind
	if r.File == other.File || differ || other.Name == "" || !other.Records() {
		return false
	}
	if named := !r.inCSV && !strings.Contains(r.Name, "{{"); named && !strings.Contains(r.Name, other.Name) {
		return false
	}
	has, wants := keys(r.rules), keys(other.rules)
	if r.bundled {
		return !slices.ContainsFunc(wants, func(key string) bool { return !slices.Contains(has, key) })
	}
	return slices.Equal(has, wants)
}

// NewOnly returns the roles by which somebody may write Events of events.k8s.io, and by none of the roles those of core/v1. A role
// for leader election does not count, nor does one of a namespace for a ClusterRole. Nobody has markers, but what is made of them.
func NewOnly(roles []*Role) []*Role {
	return slices.DeleteFunc(slices.Clone(roles), func(role *Role) bool {
		return role.Format == Kubebuilder || !role.newOnly(roles)
	})
}

func (r *Role) newOnly(roles []*Role) bool {
	return r.Need == Complete && len(r.Writes()) == 0 && !slices.ContainsFunc(roles, func(other *Role) bool {
		narrower := r.Kind == kindClusterRole && other.Kind == kindRole
		return len(other.Writes()) > 0 && other.Need != Election && !narrower && r.mayShare(other)
	})
}

// mayShare reports whether somebody has both roles or, if it is not known who has one of them, both are in one directory.
func (r *Role) mayShare(other *Role) bool {
	shared := slices.ContainsFunc(other.Holders, func(holder string) bool { return slices.Contains(r.Holders, holder) })
	unknown := len(r.Holders) == 0 || len(other.Holders) == 0
	return shared && r.chart == other.chart || unknown && filepath.Dir(r.File) == filepath.Dir(other.File)
}

// MadeOf reports whether the role has the rules of another one, perhaps with more verbs: it was made of what controller-gen makes
// of them.
func (r *Role) MadeOf(other *Role) bool {
	has, wants := verbsOf(r.rules), verbsOf(other.rules)
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
