// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"container/list"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// objects holds the stored Events, by key and in the order of their expiry. A stored Event is never
// modified, only replaced. objects is not safe for concurrent use.
type objects struct {
	// ttl is the time from the last write of an Event until the Event expires. 0 means that Events
	// never expire.
	ttl     time.Duration
	entries map[types.NamespacedName]*list.Element
	// byExpiry holds the same Events as values of type entry, ordered by the time of their last
	// write, earliest first.
	byExpiry *list.List
}

type entry struct {
	event   *corev1.Event
	written time.Time
}

func newObjects() objects {
	return objects{entries: make(map[types.NamespacedName]*list.Element), byExpiry: list.New()}
}

func key(event *corev1.Event) types.NamespacedName {
	return types.NamespacedName{Namespace: event.Namespace, Name: event.Name}
}

func (o *objects) get(namespace, name string) *corev1.Event {
	element, ok := o.entries[types.NamespacedName{Namespace: namespace, Name: name}]
	if !ok {
		return nil
	}
	return element.Value.(entry).event
}

// put stores event, replacing any Event of the same name, and renews its TTL.
func (o *objects) put(event *corev1.Event, now time.Time) {
	if element, ok := o.entries[key(event)]; ok {
		element.Value = entry{event, now}
		o.byExpiry.MoveToBack(element)
		return
	}
	o.entries[key(event)] = o.byExpiry.PushBack(entry{event, now})
}

func (o *objects) remove(namespace, name string) {
	at := types.NamespacedName{Namespace: namespace, Name: name}
	if element, ok := o.entries[at]; ok {
		o.byExpiry.Remove(element)
		delete(o.entries, at)
	}
}

// expired returns an Event whose TTL has ended, or nil if there is none.
func (o *objects) expired(now time.Time) *corev1.Event {
	if o.ttl <= 0 || o.byExpiry.Len() == 0 {
		return nil
	}
	oldest := o.byExpiry.Front().Value.(entry)
	if now.Sub(oldest.written) < o.ttl {
		return nil
	}
	return oldest.event
}

// sorted returns the Events that the function where selects, sorted by namespace and name.
func (o *objects) sorted(where func(*corev1.Event) bool) []*corev1.Event {
	var all []*corev1.Event
	for _, element := range o.entries {
		if event := element.Value.(entry).event; where(event) {
			all = append(all, event)
		}
	}
	slices.SortFunc(all, func(a, b *corev1.Event) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return all
}
