// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"math/bits"
	"sync"
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

// publishLimit bounds how many doubled counts a cache writes: a token bucket. KEP-383 asks
// for none of these writes, so whoever gets no token waits for its refresh or finish, and
// asks again once its count has doubled again. The emptier the bucket, the further behind
// a series must be: one that is 2ᵏ times behind leaves a 2ᵏth part of the bucket to those
// that are further, and half as much if it is a Warning. So the order of the questions
// matters little, and no series is compared with another.
type publishLimit struct {
	burst    int64
	interval time.Duration

	mu sync.Mutex // guards the bucket; it is taken for each doubling at most
	bucket
}

// LimitPublishing lets a burst of doubled counts be written, and then one in each
// interval. It must be called before anything is observed. Without it all are written.
func (c *Cache) LimitPublishing(burst int, interval time.Duration) {
	c.publishing = &publishLimit{burst: int64(burst), interval: interval}
}

// take takes a token for s, if there is one. A nil limit has as many as are asked for.
func (l *publishLimit) take(s *Series, now moment) bool {
	if l == nil {
		return true
	}
	further := bits.Len64(uint64(s.count()/s.recorded)) - 1
	if !s.normal() {
		further++
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refill(l.interval, now)
	if l.burst-l.taken <= l.burst>>further {
		return false
	}
	l.taken++
	return true
}

// publishAt returns when a count that has doubled is written.
func (s *Series) publishAt(iv *Intervals) moment {
	if iv.Publish < 0 || s.count() < s.publishFrom() {
		return math.MaxInt64
	}
	return s.lastWrite.Add(iv.Publish)
}

// publishFrom is the count at which the series is published: what is recorded has
// doubled, and doubled again for each time that there was no token. What others count in
// the Event does not matter: a kill loses what this process has not written.
func (s *Series) publishFrom() int64 { return s.recorded << (1 + s.unpublished) }

// passOver has the series wait until its count has doubled again.
func (s *Series) passOver() {
	for s.count() >= s.publishFrom() {
		s.unpublished++
	}
}
