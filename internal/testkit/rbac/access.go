// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

const (
	resource = "events"
	create   = "create"
	patch    = "patch"
)

// Access is permission to create and patch Events through one API group in one namespace; "" is all of them.
type Access struct{ Group, Namespace string }

// String names the access as in: events of events.k8s.io in namespace "shop".
func (a Access) String() string {
	return fmt.Sprintf("events of %s in %s", groupName(a.Group), place(a.Namespace))
}

func groupName(group string) string {
	if group == corev1.GroupName {
		return "core/v1"
	}
	return group
}

func place(namespace string) string {
	if namespace == "" {
		return "all namespaces"
	}
	return fmt.Sprintf("namespace %q", namespace)
}

// otherGroup is the other API group that serves Events.
func otherGroup(group string) string {
	if group == corev1.GroupName {
		return eventsv1.GroupName
	}
	return corev1.GroupName
}

// ordered sorts needs, without those that access to all namespaces includes.
func ordered(needs []Access) []Access {
	var all []Access
	for _, need := range needs {
		if need.Namespace == "" || !slices.Contains(needs, Access{Group: need.Group}) {
			all = append(all, need)
		}
	}
	slices.SortFunc(all, func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group))
	})
	return slices.Compact(all)
}
