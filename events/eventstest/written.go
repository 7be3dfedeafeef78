// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	eventsv1 "k8s.io/api/events/v1"
)

// Access is permission to record Events, which is to create and to patch them, through one API group in one namespace.
type Access struct {
	// Group is "events.k8s.io", or "" for core/v1.
	Group string
	// Namespace is one namespace, or "" for all of them.
	Namespace string
}

// Written returns where Events were written to or tried to be, also without success: what RBAC has to allow, as the
// argument of [Needs]. It is sorted by namespace and group.
func (c *Clientset) Written() []Access { return c.written.list() }

// Written returns where Events were written to or tried to be, also without success, as the argument of [Needs]: the
// API group is always events.k8s.io. It is sorted by namespace.
func (s *Sink) Written() []Access { return s.written.list() }

// accesses is a set of them, safe for concurrent use.
type accesses struct {
	mu   sync.Mutex
	seen map[Access]bool // guarded by mu
}

func (a *accesses) add(verb, group, namespace string) {
	if !slices.Contains([]string{"create", "update", "patch"}, verb) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seen == nil {
		a.seen = map[Access]bool{}
	}
	one := Access{Group: group, Namespace: namespace}
	if !a.seen[one] {
		one.Namespace = strings.Clone(namespace) // which may be a part of a whole Event's text
		a.seen[one] = true
	}
}

func (a *accesses) list() []Access {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.SortedFunc(maps.Keys(a.seen), func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group))
	})
}

// everywhere is what a recorder needs that writes about objects of any namespace.
var everywhere = Access{Group: eventsv1.GroupName}
