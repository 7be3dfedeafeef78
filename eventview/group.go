// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Group is a list of Events that have the same key.
type Group[K comparable] struct {
	// Key is the common key of the Events.
	Key K
	// Events are in the order of [Compare], the most urgent first.
	Events []Event
	// Count is the number of occurrences of all Events. Warnings is the number of occurrences of
	// Events of type Warning.
	Count, Warnings int64
	// First and Last are the times of the first and of the newest occurrence of all Events. Each of
	// them is zero if no Event has such a time.
	First, Last time.Time
}

// Object identifies the object that an Event is about by its kind and name. It has no UID and no
// field path. So a pod that was deleted and created again is the same Object, and an Event about a
// container is an Event about its pod.
type Object struct {
	Kind string `json:"kind"`
	// Namespace is empty for a cluster-scoped object.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// String returns the object as namespace/Kind/name, or as Kind/name if it is cluster-scoped.
func (o Object) String() string {
	if o.Namespace == "" {
		return o.Kind + "/" + o.Name
	}
	return o.Namespace + "/" + o.Kind + "/" + o.Name
}

// ByObject returns the object that an Event is about. It is a key for [GroupBy].
func ByObject(e *Event) Object { return objectOf(&e.Regarding) }

// ByReason returns the reason of an Event. It is a key for [GroupBy].
func ByReason(e *Event) string { return e.Reason }

// ByOwner returns a key for [GroupBy] that groups Events by the topmost owner of their objects. For
// example, Events about the pods of a Deployment are in one group, whose key is the Deployment.
//
// The function ownerOf returns the owner of an object, for instance the controller in its
// ownerReferences. The result ok of ownerOf is false if the object has no owner, or if the owner is
// not known. ByOwner calls ownerOf for the object, then for the owner, and so on, at most ten times
// for each Event.
func ByOwner(ownerOf func(Object) (owner Object, ok bool)) func(*Event) Object {
	return func(e *Event) Object {
		object := ByObject(e)
		// The limit ends the loop if objects own each other in a cycle.
		for range 10 {
			owner, ok := ownerOf(object)
			if !ok {
				break
			}
			object = owner
		}
		return object
	}
}

func objectOf(r *corev1.ObjectReference) Object {
	return Object{
		Kind:      r.Kind,
		Namespace: r.Namespace,
		Name:      r.Name,
	}
}

// GroupBy groups Events by a key, such as [ByObject]. The most urgent group comes first, according
// to the rule of [Compare]. For this rule, a group that contains a Warning counts as a Warning.
// GroupBy calls key once for each Event, and does not change events.
func GroupBy[K comparable](events []Event, key func(*Event) K) []Group[K] {
	var groups []Group[K]
	index := map[K]int{}
	for i := range events {
		e := &events[i]
		k := key(e)
		at, ok := index[k]
		if !ok {
			at = len(groups)
			index[k] = at
			groups = append(groups, Group[K]{Key: k})
		}
		groups[at].add(e)
	}
	for i := range groups {
		slices.SortStableFunc(groups[i].Events, Compare)
	}
	slices.SortStableFunc(groups, func(a, b Group[K]) int { return urgency(a.measure(), b.measure()) })
	return groups
}

func (g *Group[K]) add(e *Event) {
	g.Events = append(g.Events, *e)
	g.Count += e.Count
	if e.Type == corev1.EventTypeWarning {
		g.Warnings += e.Count
	}
	// An Event without a time must not replace First.
	if g.First.IsZero() || !e.First.IsZero() && e.First.Before(g.First) {
		g.First = e.First
	}
	g.Last = latest(g.Last, e.Last)
}

// Compare orders Events by urgency, for [slices.SortFunc]. Warnings come first, then Events with
// the newest occurrence, then Events with the most occurrences a second. Compare returns a negative
// number if a comes before b.
func Compare(a, b Event) int { return urgency(a.measure(), b.measure()) }

// measure holds the properties of an Event or of a group that determine its urgency.
type measure struct {
	warning     bool
	first, last time.Time
	count       int64
}

func (e *Event) measure() measure {
	return measure{e.Type == corev1.EventTypeWarning, e.First, e.Last, e.Count}
}

func (g *Group[K]) measure() measure { return measure{g.Warnings > 0, g.First, g.Last, g.Count} }

// rate returns the number of occurrences a second.
func (m measure) rate() float64 { return float64(m.count) / max(m.last.Sub(m.first).Seconds(), 1) }

func urgency(a, b measure) int {
	if a.warning != b.warning {
		if a.warning {
			return -1
		}
		return 1
	}
	return cmp.Or(b.last.Compare(a.last), cmp.Compare(b.rate(), a.rate()))
}
