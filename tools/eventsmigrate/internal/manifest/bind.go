// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"maps"
	"slices"
	"strings"
)

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
