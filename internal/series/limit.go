// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

// The reason and the action of every overflow series.
const (
	OverflowReason = "TooManyEvents"
	overflowAction = "LimitEvents"
)

// LimitObjects limits the number of series about one object at a time to n, or to 65,535 if n is
// greater. Series with a related object do not count towards the limit, because the number of
// related objects limits their number. An occurrence that would begin a series beyond the limit
// counts in the overflow series of its object, which has the reason [OverflowReason]. While an
// object has an overflow series, this applies to every occurrence that would begin a series.
// LimitObjects must be called before anything is observed.
func (c *Cache) LimitObjects(n int) { c.objectLimit = min(n, math.MaxUint16) }

// objectCount is the number of series about one object. The lock of its shard guards it.
type objectCount struct {
	limited  uint16 // series without a related object
	overflow uint16 // overflow series: one for each type and reporter
}

// objectCounts holds the counts for the objects of a shard. The index of an object is a hash of it,
// because a map would take more memory. Two objects with the same index share a count, and
// therefore a limit.
//
// All shards together have up to 32,768 counts, so the probability that two given objects share one
// is 1 in 32,768. In a full cache of the default size, two series share a count on average, which
// is far below the default limit.
type objectCounts []objectCount

const (
	// objectCountsEach is the minimum number of counts per series, up to maxObjectCounts in total.
	objectCountsEach = 16
	maxObjectCounts  = 1 << 15 / numShards
)

// about returns the count of an object, regardless of the field path. c must not be empty. The hash
// (FNV-1a) has no random seed, so that a simulated run can be repeated. An attacker who creates
// objects with the same hash achieves only that they share a limit.
func (c objectCounts) about(object *Reference) *objectCount {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	hash := uint64(offset)
	for _, text := range [...]string{object.Group, object.Kind, object.Namespace, object.Name, string(object.UID)} {
		for i := range len(text) {
			hash = (hash ^ uint64(text[i])) * prime
		}
		hash *= prime // separate the texts
	}
	high, _ := bits.Mul64(hash*fibonacci, uint64(len(c)))
	return &c[high]
}

// add adds delta to the count of an object: 1 for a new series, -1 for a removed one. The parameter
// first is the first occurrence of this series. add recognizes an overflow series by its reason and
// action, because the cache keeps no flag for it. Therefore, if a component itself records an Event
// with this reason and action, its object counts as beyond the limit.
func (c objectCounts) add(first *Occurrence, delta int) {
	count := c.about(&first.Regarding)
	switch {
	case first.Reason == OverflowReason && first.Action == overflowAction:
		count.overflow = uint16(int(count.overflow) + delta)
	case !first.HasRelated:
		count.limited = uint16(int(count.limited) + delta)
	}
}

// beyondLimit reports whether a new series for o would exceed the limit of its object.
func (sh *shard) beyondLimit(o *Occurrence) bool {
	if o.Overflowed || o.HasRelated || len(sh.objects) == 0 {
		return false
	}
	n := sh.objects.about(&o.Regarding)
	return n.overflow > 0 || int(n.limited) >= sh.cache.objectLimit
}

// countObject counts a new series about its object. The parameter first is the first occurrence of
// the series. The series must be in the map already, because if there are too few counts,
// countObject allocates more and counts all series in the map again.
func (sh *shard) countObject(first *Occurrence) {
	if len(sh.objects) >= min(objectCountsEach*len(sh.series), maxObjectCounts) {
		sh.objects.add(first, 1)
		return
	}
	sh.objects = make(objectCounts, min(2*objectCountsEach*len(sh.series), maxObjectCounts))
	for _, e := range sh.series {
		o := e.First()
		sh.objects.add(&o, 1)
	}
}

// overflow returns the occurrence that stands for o in the overflow series of its object. It lacks
// every field that may vary, except the reporter, so that the Event shows which component records
// too many different Events.
func (o *Occurrence) overflow() Occurrence {
	over := Occurrence{
		Key:        o.Key,
		Namespace:  o.Namespace,
		Name:       o.Name,
		Labels:     o.Labels,
		At:         o.At,
		Overflowed: true,
	}
	over.Reason = OverflowReason
	over.Action = overflowAction
	over.Regarding.FieldPath = ""
	return over
}

// overflowNote returns the note of an overflow series. The parameter first is the occurrence
// because of which this series begins.
func (c *Cache) overflowNote(first *Occurrence) string {
	return fmt.Sprintf("Too many different Events about this object: the limit is %d at a time. "+
		"Further ones are counted here. The first had the reason %s and the action %s; "+
		"the log of the component names more.",
		c.objectLimit, first.Reason, first.Action)
}

// noteGroups groups the series that differ only in their notes. Its keys are packed keys without
// the note. Each group is in order of arrival.
type noteGroups map[string][]*entry

// last returns the series that counts an occurrence whose note gets no series of its own. This is
// the newest series of the group, because its note is probably the most similar one. If the group
// has fewer than limit series, last returns nil.
func (g noteGroups) last(base []byte, limit int) *entry {
	if group := g[string(base)]; len(group) >= limit {
		return group[len(group)-1]
	}
	return nil
}

func (g noteGroups) add(e *entry) { g[e.base()] = append(g[e.base()], e) }

func (g noteGroups) remove(e *entry) {
	base := e.base()
	g[base] = slices.DeleteFunc(g[base], func(other *entry) bool { return other == e })
	if len(g[base]) == 0 {
		delete(g, base)
	}
}

// LimitPublishing limits the writes that are due only because a count has doubled: to a burst, and
// then to one per interval. It must be called before anything is observed. If it is not called,
// there is no limit.
func (c *Cache) LimitPublishing(burst int, interval time.Duration) {
	c.publishing = rate.NewLimiter(rate.Every(interval), burst)
}

// mayPublish takes a token of the rate limiter for a write that s needs only because its count has
// doubled. It returns false if too few tokens are left. KEP-383 does not require these writes, so a
// series without a token can wait until its refresh or finish, or until its count has doubled once
// more. The recorded count of s must not be zero.
//
// If the count has grown 2ᵏ-fold since the last write, a Normal series gets a token if more than
// burst/2ᵏ tokens are left, and a Warning series if more than burst/2ᵏ⁺¹ are. This saves the last
// tokens for the counts that have grown most, whichever series asks first, without a comparison
// between series.
func (c *Cache) mayPublish(s *Series, now monotime) bool {
	if c.publishing == nil {
		return true
	}
	further := bits.Len64(uint64(s.count()/s.recorded)) - 1
	if !s.normal() {
		further++
	}
	at := time.Unix(0, int64(now)) // any epoch works, because the limiter sees only these times
	left := c.publishing.Burst() >> further
	return c.publishing.TokensAt(at) >= float64(left+1) && c.publishing.AllowN(at, 1)
}
