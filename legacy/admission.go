// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"container/list"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// retryFor is how long an occurrence may stay unwritten: with the default
// --event-ttl the server would have forgotten the event by then.
const retryFor = time.Hour

// add books event and appends it to its lane. A lane that is not queued for
// writing yet is returned to be. What was dropped to that end, or event itself,
// is appended to drops. A closed backlog takes no notice of event, and says so.
func (q *backlog) add(event *corev1.Event, now time.Time, drops []drop) (fresh *lane, _ []drop, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, drops, false
	}
	drops = q.expireLocked(now, drops)
	weight := weigh(event)
	if q.weight+weight > q.limit {
		given, room := q.makeRoomLocked(event, weight)
		if !room {
			q.counters.Drop(stats.QueueFull, 1)
			return nil, append(drops, drop{reason: stats.QueueFull, event: event}), true
		}
		drops = append(drops, given...)
	}
	q.counters.Observed++
	key := q.laneOf(event)
	l := q.lanes[key]
	if l == nil {
		l = &lane{key: key, namespace: event.Namespace, op: request.Patch}
		q.lanes[key] = l
		fresh = l
	}
	q.number++
	o := &occurrence{event: event, weight: weight, number: q.number, lane: l, age: &q.normals}
	if event.Type == corev1.EventTypeWarning {
		o.age = &q.warnings
	}
	o.inLane = l.queue.PushBack(o)
	o.inAge = o.age.PushBack(o)
	q.size++
	q.weight += weight
	return fresh, drops, true
}

// weigh is how many occurrences event counts for: one per KiB begun. There are no
// limits to what callers say through core/v1 but the server's of a few MiB.
func weigh(event *corev1.Event) int {
	bytes := len(event.Message) + len(event.Reason) + len(event.Action) + bytesOf(&event.InvolvedObject)
	if event.Related != nil {
		bytes += bytesOf(event.Related)
	}
	for k, v := range event.Annotations {
		bytes += len(k) + len(v)
	}
	return 1 + bytes/1024
}

func bytesOf(ref *corev1.ObjectReference) int {
	return len(ref.Kind) + len(ref.APIVersion) + len(ref.Namespace) + len(ref.Name) + len(ref.UID) +
		len(ref.ResourceVersion) + len(ref.FieldPath)
}

// makeRoomLocked lets a Warning push out the oldest Normals that nobody has tried
// to write: what went wrong matters more than what went well, and of the rest
// the newest matters least to order, so a Normal newcomer is turned away. What was
// tried has been counted by the correlator, in later counts too.
func (q *backlog) makeRoomLocked(newcomer *corev1.Event, weight int) (given []drop, ok bool) {
	if newcomer.Type != corev1.EventTypeWarning {
		return nil, false
	}
	var way []*occurrence
	missing := q.weight + weight - q.limit
	// At most one occurrence per lane has been tried.
	for e := q.normals.Front(); e != nil && missing > 0; e = e.Next() {
		if o := e.Value.(*occurrence); !o.writing && o.result == nil {
			way = append(way, o)
			missing -= o.weight
		}
	}
	if missing > 0 {
		return nil, false
	}
	for _, o := range way {
		q.giveWayLocked(o, stats.QueueFull)
		given = append(given, drop{reason: stats.QueueFull, event: o.event})
	}
	return given, true
}

// giveWayLocked drops an occurrence that no attempt has. If it was the last one of
// its object, the lane is forgotten at once and not when the writer comes to it:
// during an outage that may be never.
func (q *backlog) giveWayLocked(o *occurrence, reason stats.Reason) {
	q.dropLocked(o, reason)
	if o.lane.head() == nil {
		delete(q.lanes, o.lane.key)
		o.lane.gone.Store(true)
	}
}

// expireLocked drops what is too old, a few at a time: there is no timer for
// it, and no caller should pay for all.
func (q *backlog) expireLocked(now time.Time, drops []drop) []drop {
	for _, age := range []*list.List{&q.normals, &q.warnings} {
		for range 2 {
			oldest := age.Front()
			if oldest == nil {
				break
			}
			o := oldest.Value.(*occurrence)
			if o.writing || !expired(o.event, now) {
				break
			}
			q.giveWayLocked(o, stats.TooOld)
			drops = append(drops, drop{reason: stats.TooOld, event: o.event})
		}
	}
	return drops
}

func expired(event *corev1.Event, now time.Time) bool {
	return now.Sub(event.LastTimestamp.Time) > retryFor
}
