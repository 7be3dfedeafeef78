// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"hash/maphash"
	"maps"
	"time"
)

// OverflowReason is the reason of an overflow series, overflowAction its action.
const (
	OverflowReason = "TooManyEvents"
	overflowAction = "LimitEvents"
)

// objectLimit bounds how many series begin about one object: a token bucket for each.
// A first occurrence without a token counts in the overflow series of its object. The
// lock of a shard guards it.
type objectLimit struct {
	burst    int64
	interval time.Duration
	seed     maphash.Seed

	// buckets has those that are not full, by a hash of their object. The texts would
	// take ten times the memory. Two objects of the same hash share a bucket.
	buckets map[uint64]bucket
	budget  *Budget
	sweepAt int // buckets
}

// bucket is a token bucket. The zero value is full.
type bucket struct {
	taken int64  // tokens that are not back yet
	since moment // the next one is back an interval later
}

// refill puts the tokens back for which it is time.
func (b *bucket) refill(interval time.Duration, now moment) {
	if b.taken == 0 || b.since.Sub(now) >= interval { // the clock was set back
		b.since = now
	}
	n := now.Sub(b.since) / interval
	b.taken = max(b.taken-int64(n), 0)
	b.since = b.since.Add(n * interval)
}

// leastBuckets is how many a shard may have in the smallest cache. It does not sweep for
// fewer.
const leastBuckets = 64

// LimitObjects lets a burst of new series begin about each object, and then one in each
// interval. It must be called before anything is observed.
func (c *Cache) LimitObjects(burst int, interval time.Duration) {
	for _, sh := range c.shards {
		sh.limit = &objectLimit{
			burst: int64(burst), interval: interval, seed: maphash.MakeSeed(),
			buckets: map[uint64]bucket{}, budget: c.budget, sweepAt: leastBuckets,
		}
	}
}

// exceeded reports whether the object of o has no token left.
func (l *objectLimit) exceeded(o *Occurrence, now moment) bool {
	id := l.id(o)
	b, found := l.buckets[id]
	if !found {
		return false
	}
	b.refill(l.interval, now)
	l.buckets[id] = b // a clock that was set back must not be found again
	return b.taken >= l.burst
}

// take takes a token of the object of o.
func (l *objectLimit) take(o *Occurrence, now moment) {
	id := l.id(o)
	b := l.buckets[id]
	b.refill(l.interval, now)
	b.taken++
	l.buckets[id] = b
	if len(l.buckets) >= l.sweepAt {
		l.sweep(now)
	}
}

// sweep removes the buckets that miss the fewest tokens while there are too many: first
// those that are full again, then those which forgive an object few Events at most.
func (l *objectLimit) sweep(now moment) {
	for few := int64(0); len(l.buckets) > l.most()/2; few = 2*few + 1 {
		maps.DeleteFunc(l.buckets, func(_ uint64, b bucket) bool {
			b.refill(l.interval, now)
			return b.taken <= few
		})
	}
	kept := make(map[uint64]bucket, len(l.buckets)) // because a map never shrinks
	maps.Copy(kept, l.buckets)
	l.buckets, l.sweepAt = kept, max(2*len(kept), leastBuckets)
}

// most is how many buckets the shard may have: as many as its cache may have series there,
// if the caches of the budget and their shards share equally.
func (l *objectLimit) most() int {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	caches := max(len(l.budget.caches), 1)
	return max(l.budget.Max()/caches/numShards, leastBuckets)
}

// id identifies the object, of which the fieldPath names a part. A series about another
// object has another overflow series.
func (l *objectLimit) id(o *Occurrence) uint64 {
	object := o.Regarding
	object.FieldPath = ""
	var buf KeyBuffer
	return maphash.Bytes(l.seed, object.packIdentity(buf[:0]))
}

// overflow returns the occurrence as the overflow series of its object counts it. What
// may differ from one occurrence to the next is left out, but for the reporter, so that
// an Event says who makes too many.
func (o *Occurrence) overflow() *Occurrence {
	over := &Occurrence{Key: o.Key, Namespace: o.Namespace, Name: o.Name, Labels: o.Labels, At: o.At, Folded: true}
	over.Reason, over.Action, over.Regarding.FieldPath = OverflowReason, overflowAction, ""
	over.Related, over.HasRelated = Reference{}, false
	return over
}

// overflow returns the first occurrence of an overflow series, which stands for first.
func (l *objectLimit) overflow(first *Occurrence) *Occurrence {
	over := first.overflow()
	over.Note = fmt.Sprintf("Too many different Events about this object: the limit is %d, then one every %v. "+
		"Further ones are counted here. The first had the reason %s and the action %s; "+
		"the log of the component names more.",
		l.burst, l.interval, first.Reason, first.Action)
	return over
}
