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

// OverflowReason is the reason of an overflow series, overflowAction its action.
const (
	OverflowReason = "TooManyEvents"
	overflowAction = "LimitEvents"
)

// LimitObjects lets an object have at most n series at a time, and never more than 65,535. Series
// with a related object do not count, because the number of related objects limits them. A first
// occurrence beyond the limit counts in the overflow series of its object, and so does every first
// one while there is an overflow series. LimitObjects must be called before anything is observed.
func (c *Cache) LimitObjects(n int) { c.objectLimit = min(n, math.MaxUint16) }

// objectCount is how many series there are about one object. The lock of its shard guards it.
type objectCount struct {
	limited  uint16 // those without a related object
	overflow uint16 // the overflow series: one for each type and reporter
}

// objectCounts has the counts of the objects of a shard, by a hash, in place of a map, which takes more
// memory. Two objects of the same hash share a count, and so a limit. All shards together have up to
// 32,768 counts, so two given objects share one in one of 32,768 cases. In a full cache of the default
// size two series share a count on average, which is far below the default limit.
type objectCounts []objectCount

const (
	// objectCountsEach is the least number of counts for each series, up to maxObjectCounts.
	objectCountsEach = 16
	maxObjectCounts  = 1 << 15 / numShards
)

// about returns the count of an object, of which the fieldPath names a part. There must be counts.
// The hash (FNV-1a) has no random seed, so that a simulated run can be repeated. An attacker who
// makes objects collide only makes them share a limit.
func (c objectCounts) about(object *Reference) *objectCount {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	hash := uint64(offset)
	for _, text := range [...]string{object.Group, object.Kind, object.Namespace, object.Name, string(object.UID)} {
		for i := range len(text) {
			hash = (hash ^ uint64(text[i])) * prime
		}
		hash *= prime // which separates the texts
	}
	high, _ := bits.Mul64(hash*fibonacci, uint64(len(c)))
	return &c[high]
}

// add changes the count of the object that first is about, by 1 for a new series and by -1 for one that
// leaves. An overflow series is known by its reason and action, because the cache keeps nothing else of
// it. A component that records these itself limits its own object.
func (c objectCounts) add(first *Occurrence, delta int) {
	count := c.about(&first.Regarding)
	switch {
	case first.Reason == OverflowReason && first.Action == overflowAction:
		count.overflow = uint16(int(count.overflow) + delta)
	case !first.HasRelated:
		count.limited = uint16(int(count.limited) + delta)
	}
}

// beyondLimit reports whether a new series for o would be one too many about its object.
func (sh *shard) beyondLimit(o *Occurrence) bool {
	if o.Overflowed || o.HasRelated || len(sh.objects) == 0 {
		return false
	}
	n := sh.objects.about(&o.Regarding)
	return n.overflow > 0 || int(n.limited) >= sh.cache.objectLimit
}

// countObject counts a new series, whose first occurrence is first. The series must be in the map
// already, because countObject counts all series again when there are too few counts.
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

// overflow returns the occurrence as the overflow series of its object counts it. Everything that may
// differ from one occurrence to the next is left out, except the reporter, so that an Event says who
// makes too many.
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

// overflowNote returns the note of an overflow series, which begins with first.
func (c *Cache) overflowNote(first *Occurrence) string {
	return fmt.Sprintf("Too many different Events about this object: the limit is %d at a time. "+
		"Further ones are counted here. The first had the reason %s and the action %s; "+
		"the log of the component names more.",
		c.objectLimit, first.Reason, first.Action)
}

// noteGroups has the series that differ in nothing except their note, by their key without the note,
// in the order of their arrival.
type noteGroups map[string][]*entry

// last returns the series that counts an occurrence whose note has no series of its own: the newest of
// its group, because its note is most like the present one. It returns nil while the group has fewer
// series than limit.
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

// LimitPublishing lets a burst of doubled counts be written, and then one in each
// interval. It must be called before anything is observed. Without it all are written.
func (c *Cache) LimitPublishing(burst int, interval time.Duration) {
	c.publishing = rate.NewLimiter(rate.Every(interval), burst)
}

// mayPublish takes a token for the doubled count of s, if there are enough. s must have something
// recorded. KEP-383 asks for none of these writes. So a series that gets no token waits for its refresh
// or finish, and asks again once its count has doubled again.
//
// A Normal whose count has grown 2ᵏ-fold since the last write gets a token if more than burst/2ᵏ are
// left, a Warning if more than burst/2ᵏ⁺¹ are. So the last tokens are kept for the counts that have grown
// most, whichever series asks first, and no series is compared with another.
func (c *Cache) mayPublish(s *Series, now monotime) bool {
	if c.publishing == nil {
		return true
	}
	further := bits.Len64(uint64(s.count()/s.recorded)) - 1
	if !s.normal() {
		further++
	}
	at := time.Unix(0, int64(now)) // any epoch will do, because the limiter sees no other times
	left := c.publishing.Burst() >> further
	return c.publishing.TokensAt(at) >= float64(left+1) && c.publishing.AllowN(at, 1)
}
