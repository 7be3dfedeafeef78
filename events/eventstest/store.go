// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"cmp"
	"container/list"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// store is etcd's part: objects by key, and leases. Stored Events are never changed, only replaced. It is not safe for
// concurrent use.
type store struct {
	ttl     time.Duration // 0: nothing expires
	entries map[types.NamespacedName]*list.Element
	leases  *list.List // of entry, the one written longest ago first
}

type entry struct {
	event   *corev1.Event
	written time.Time
}

func newStore() store {
	return store{entries: make(map[types.NamespacedName]*list.Element), leases: list.New()}
}

func key(event *corev1.Event) types.NamespacedName {
	return types.NamespacedName{Namespace: event.Namespace, Name: event.Name}
}

func (s *store) get(namespace, name string) *corev1.Event {
	element, ok := s.entries[types.NamespacedName{Namespace: namespace, Name: name}]
	if !ok {
		return nil
	}
	return element.Value.(entry).event
}

// put stores event with a fresh lease.
func (s *store) put(event *corev1.Event, now time.Time) {
	if element, ok := s.entries[key(event)]; ok {
		element.Value = entry{event, now}
		s.leases.MoveToBack(element)
		return
	}
	s.entries[key(event)] = s.leases.PushBack(entry{event, now})
}

func (s *store) remove(namespace, name string) bool {
	at := types.NamespacedName{Namespace: namespace, Name: name}
	element, ok := s.entries[at]
	if ok {
		s.leases.Remove(element)
		delete(s.entries, at)
	}
	return ok
}

// sweep removes what has expired. Every request begins with it, so no goroutine and no timer is needed.
func (s *store) sweep(now time.Time) {
	for s.ttl > 0 && s.leases.Len() > 0 {
		oldest := s.leases.Front().Value.(entry)
		if now.Sub(oldest.written) < s.ttl {
			return
		}
		s.remove(oldest.event.Namespace, oldest.event.Name)
	}
}

// sorted returns the Events of namespace, or of all namespaces if it is empty, by namespace and name.
func (s *store) sorted(namespace string) []*corev1.Event {
	var all []*corev1.Event
	for at, element := range s.entries {
		if namespace == "" || at.Namespace == namespace {
			all = append(all, element.Value.(entry).event)
		}
	}
	slices.SortFunc(all, func(a, b *corev1.Event) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return all
}
