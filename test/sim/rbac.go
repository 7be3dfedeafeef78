// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import "maps"

// permission lets a component use one verb on the events of one group, in a namespace or, with "",
// in all namespaces.
type permission struct{ component, namespace, group, verb string }

// rbac has decisions about permissions. Without a decision, a permission is granted.
type rbac map[permission]bool

// decide grants or removes a permission. A decision about all namespaces replaces the decisions
// about single namespaces.
func (r rbac) decide(p permission, allowed bool) {
	if p.namespace == "" {
		maps.DeleteFunc(r, func(other permission, _ bool) bool {
			other.namespace = ""
			return other == p
		})
	}
	r[p] = allowed
}

// allows reports whether the permission is granted. For all namespaces it must be granted in each, because RBAC has no
// rule that removes a part of a grant.
func (r rbac) allows(p permission) bool {
	if p.namespace == "" {
		for other, allowed := range r {
			if other.namespace = ""; other == p && !allowed {
				return false
			}
		}
		return true
	}
	if allowed, decided := r[p]; decided {
		return allowed
	}
	p.namespace = ""
	allowed, decided := r[p]
	return allowed || !decided
}
