// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Group is Events that have something in common.
type Group[K comparable] struct {
	// Key is what they have in common.
	Key K
	// Events are in the order of [Compare], the most urgent first.
	Events []Event
	// Count is the number of their occurrences, Warnings that of Warnings among them.
	Count, Warnings int64
	// First and Last are the times of the first and the newest occurrence.
	First, Last time.Time
}

// Object is what an Event is about, without its UID and field path: a container is part of
// its pod here, and a pod that was made again is the same.
type Object struct {
	// Kind, Namespace and Name say which object; Namespace is empty for a cluster-scoped one.
	Kind, Namespace, Name string
}

// String is the object as kubectl's users write it.
func (o Object) String() string {
	if o.Namespace == "" {
		return o.Kind + "/" + o.Name
	}
	return o.Namespace + "/" + o.Kind + "/" + o.Name
}

// ByObject is the key of [GroupBy] for Events about one object.
func ByObject(e *Event) Object { return objectOf(&e.Regarding) }

// ByReason is the key of [GroupBy] for Events with one reason.
func ByReason(e *Event) string { return e.Reason }

// ByOwner returns a key of [GroupBy] for Events about all that belongs to one object, such as
// the pods of a deployment. ownerOf returns the controller of an object, by its
// ownerReferences say, and ok false if it has none or is not known. ByOwner asks it again about
// the owner, ten times at most.
func ByOwner(ownerOf func(Object) (owner Object, ok bool)) func(*Event) Object {
	return func(e *Event) Object {
		object := ByObject(e)
		for range 10 { // there are no cycles, unless somebody has made one
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

// GroupBy groups Events by a key, such as [ByObject]. The most urgent group comes first, by
// the rule of [Compare].
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
	if g.First.IsZero() || !e.First.IsZero() && e.First.Before(g.First) { // an Event may have no time
		g.First = e.First
	}
	g.Last = latest(g.Last, e.Last)
}

// Compare orders Events by urgency: Warnings first, then what happened last, then what
// happens most often. It is for [slices.SortFunc].
func Compare(a, b Event) int { return urgency(a.measure(), b.measure()) }

// measure is what decides how urgent something is.
type measure struct {
	warning     bool
	first, last time.Time
	count       int64
}

func (e *Event) measure() measure {
	return measure{e.Type == corev1.EventTypeWarning, e.First, e.Last, e.Count}
}

func (g *Group[K]) measure() measure { return measure{g.Warnings > 0, g.First, g.Last, g.Count} }

// rate is in occurrences a second.
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
