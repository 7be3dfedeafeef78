// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"github.com/eventseries/eventseries/internal/stats"
)

// Result says what became of an occurrence.
type Result struct {
	Missing bool         // it has no series yet, and is not complete
	beyond  bool         // with Missing: the object's limit is reached, and the overflow series is missing, too
	Dropped stats.Reason // why it was dropped; None if it was not
	Times   int64        // how often, if more than once: package legacy counts an occurrence once for each sink
	LeftOut bool         // annotations were left out, as they are too large
	Folded  bool         // Series is the overflow series of its object
	Series  Item         // what it counts in; nil for none
	Count   int64        // of the occurrences of Series, with this one
	Effects              // on Series, and on others

	former *Series // with Missing: the finished or superseded series of the same key, if it is still there
}

// Observe adds an occurrence to its series, or makes it the first one of a new series if
// it is complete.
func (c *Cache) Observe(o *Occurrence, key PackedKey) Result {
	sh := c.shard(o)
	if o.Name != (Name{}) {
		return c.insert(sh, o, key)
	}
	sh.mu.Lock()
	r := sh.observe(key, o)
	sh.mu.Unlock() // without defer, which costs a repeat 2 %
	return r
}

// insert is Observe of a complete occurrence. The slot of a new series is reserved before
// the shard is locked. It is not needed if another caller was faster, or if the shard
// takes no more.
func (c *Cache) insert(sh *shard, o *Occurrence, key PackedKey) Result {
	reserved, evicted := c.reserve(o.At, o.Type != normalType)
	sh.mu.Lock()
	r := sh.observe(key, o)
	switch {
	case !r.Missing:
	case !reserved:
		r = sh.dropped(o, stats.CacheFull)
	default:
		if r.beyond {
			o = c.firstOverflow(o)
			key = o.PackKey(nil)
		}
		reserved = r.former != nil // which leaves its own slot
		r = sh.insert(key, o, r.former)
	}
	sh.mu.Unlock()
	if reserved {
		c.size.Add(-1)
	}
	r.Effects.Dropped = evicted
	return r
}

// observe adds an occurrence to its series, if there is one.
func (sh *shard) observe(key PackedKey, o *Occurrence) Result {
	s, now := sh.find(key, o), sh.moment(o.At)
	over := s == nil || s.finished(now, &sh.of.iv) || s.superseded(now, &sh.of.iv)
	switch drop := sh.dropFor(o); {
	case drop != stats.None:
		return sh.dropped(o, drop)
	case over:
		return sh.missing(s, o)
	}
	return sh.count(s, o, now)
}

// dropFor returns why an occurrence is dropped. What is muted takes no memory.
func (sh *shard) dropFor(o *Occurrence) stats.Reason {
	if s := sh.of.selector.Load(); sh.closed == stats.None && s != nil && !o.SelectedBy(s) {
		return stats.Muted
	}
	return sh.closed
}

// count adds an occurrence to s.
func (sh *shard) count(s *Series, o *Occurrence, now moment) Result {
	leftOut := s.observe(o, now, &sh.of.iv)
	s.account.Observed++
	if o.Folded {
		s.account.Folded++
	}
	if s.refusedFor != stats.None {
		s.account.Dropped[s.refusedFor]++
	}
	r := Result{
		Dropped: s.refusedFor,
		LeftOut: leftOut,
		Folded:  o.Folded,
		Series:  s,
		Count:   s.observed,
	}
	if s.mayAdvanceDeadline() {
		r.Due = sh.appendIfDue(r.Due, s, now)
		sh.reindex(s, now)
	}
	return r
}

// observe adds one occurrence and reports whether annotations were left out. A
// refused series only counts it, unless it is time to try again.
func (s *Series) observe(o *Occurrence, now moment, iv *Intervals) (leftOut bool) {
	s.observed++
	if s.unwritten() == 1 {
		s.waitsFrom = uint32(o.At.Unix())
	}
	s.last = max(s.last, now)
	s.seen = max(s.seen, o.At.UnixMicro())
	if s.mayRetry(now, iv) {
		s.retry(o.At)
	}
	if s.refusedFor != stats.None {
		s.more().dropped++
		return false
	}
	if len(o.Annotations) > 0 {
		leftOut = s.annotate(o.Annotations)
	}
	if o.LatestNote {
		s.annotateLatest(o.Note)
	}
	return leftOut
}

// dropped counts an occurrence that gets no series.
func (sh *shard) dropped(o *Occurrence, reason stats.Reason) Result {
	sh.account(o).Drop(reason, 1)
	return Result{Dropped: reason}
}

// find returns the series that an occurrence belongs to, nil if there is none.
func (sh *shard) find(key PackedKey, o *Occurrence) *Series {
	s := sh.series[string(key.text)]
	if s == nil && o.DistinctNotes > 0 {
		s = sh.groups.overflow(key.text[:key.base], o.DistinctNotes)
	}
	return s
}

// missing answers an occurrence that has no series, or a former one only, whose place it
// takes. Beyond the limit of its object it is counted in the overflow series, if there is
// one.
func (sh *shard) missing(former *Series, o *Occurrence) Result {
	if former != nil || !sh.beyondLimit(o) {
		return Result{Missing: true, former: former}
	}
	over := o.overflow()
	var buf KeyBuffer
	r := sh.observe(over.PackKey(buf[:0]), over)
	r.beyond = r.Missing
	return r
}

// insert makes a series of its first occurrence. A former one of the same key leaves.
func (sh *shard) insert(key PackedKey, o *Occurrence, former *Series) Result {
	now := sh.moment(o.At)
	s := newSeries(key, o)
	s.account = sh.account(o)
	s.arrival = sh.of.arrivals.Add(1)
	if former != nil {
		s.inherit(former, now, &sh.of.iv)
		sh.unlink(former)
	}
	s.distinct = o.DistinctNotes > 0
	if sh.of.names != nil && !s.distinct {
		s.continueIn(sh.of.names, o)
	}
	sh.link(s, o)
	return sh.count(s, o, now)
}

// shard returns the shard of an occurrence. It depends on the object alone: different
// objects rarely share a lock, and what is about one object is together. The hash has
// no random seed, so that a simulated run can be repeated. Whoever makes objects
// collide gains no more than a shared lock.
func (c *Cache) shard(o *Occurrence) *shard {
	name := string(o.Regarding.UID)
	if name == "" {
		name = o.Regarding.Name
	}
	return c.shards[shardIndex(name)]
}

// shardIndex hashes the tail of a name. Each bit of that reaches the product's upper bits.
func shardIndex(name string) uint64 { return tailOf(name) * fibonacci >> (64 - shardBits) }

// tailOf returns the last eight bytes of a name as a number: that is where UIDs and generated
// names differ.
func tailOf(name string) (tail uint64) {
	for i := max(0, len(name)-8); i < len(name); i++ {
		tail = tail<<8 | uint64(name[i])
	}
	return tail
}

// fibonacci is 2^64 over the golden ratio: its multiples are spread evenly (Knuth,
// volume 3, section 6.4).
const fibonacci = 0x9E3779B97F4A7C15
