// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/eventseries/eventseries/eventview"
)

// place says which incident was last seen at a place: with an Event, in a home or as a member.
type place struct {
	Incident uint32
	// At is the time of the newest Event at the place, in seconds since 1970.
	At uint32
	// Recovered, Relapsed and Late describe an object that is a member of an incident. An object
	// that has failed again after it had recovered does not recover any more, because its component
	// reports progress between two failures.
	Recovered bool
	Relapsed  bool
	Late      bool
}

func (p place) time() time.Time { return time.Unix(int64(p.At), 0) }

// put stores a place. The time of a place is that of its newest Event.
func (t *Tracker) put(key uint64, p place) {
	old, known := t.places[key]
	if !known && len(t.places) >= maxPlaces {
		t.sweep()
		t.halve()
	}
	if known && old.Incident == p.Incident {
		p.At = max(p.At, old.At)
	}
	t.places[key] = p
}

// sweep drops the places of forgotten incidents.
func (t *Tracker) sweep() {
	maps.DeleteFunc(t.places, func(_ uint64, p place) bool { return t.incidents[p.Incident] == nil })
}

// halve drops the older half of the places if there are too many.
func (t *Tracker) halve() {
	if len(t.places) < maxPlaces/2 {
		return
	}
	times := make([]uint32, 0, len(t.places))
	for _, p := range t.places {
		times = append(times, p.At)
	}
	slices.Sort(times)
	median := times[len(times)/2]
	// The keys are hashes, so half of them are odd.
	maps.DeleteFunc(t.places, func(key uint64, p place) bool {
		return p.At < median || p.At == median && key%2 == 1
	})
}

// eventKey returns the key of an Event. If the Event expires and is created again, the key is the
// same, because the writer keeps the time of the first occurrence.
func eventKey(e *eventview.Event) uint64 {
	return hash("event", e.Namespace, e.Name, strconv.FormatInt(e.First.Unix(), 10))
}

func memberKey(inc *entry, e *eventview.Event) uint64 {
	number := strconv.FormatUint(uint64(inc.Number), 10)
	return hash("member", number, e.Regarding.Kind, e.Regarding.Namespace, e.Regarding.Name)
}

func seconds(t time.Time) uint32 { return uint32(min(max(t.Unix(), 0), 1<<32-1)) }
