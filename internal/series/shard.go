// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/heap"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// entry is a series in a shard of the cache. It implements [Item]. The lock of the shard guards it,
// except for the methods Gone, First and Namespace, which need no lock.
type entry struct {
	Series

	// account holds the counters in which the series is counted. The owner of the account is the
	// shard, so an entry finds its shard, and thus its lock, through the account; see
	// [entry.shard].
	account *account
	// gone is true if the series has left the cache. It can be read without the lock.
	gone atomic.Bool
	// queued is true while the series waits in a queue of the writer.
	queued bool
	// distinct is true if the series has a note of its own, and is therefore in the noteGroups of
	// the shard.
	distinct bool
	// timer and victim are the indices of the entry in the heaps of the shard.
	timer  int32
	victim int32
	// wake is when the shard must look at the series next.
	wake monotime
	// rank determines how early the series is evicted. It may be out of date, because it is not
	// updated when the series moves towards the end of the order; see rankNow.
	rank evictionRank
	// arrival numbers all series of the cache in the order in which they were added.
	arrival int64
}

// account holds the counters for one set of labels in one shard. All series of the shard that have
// these labels share it.
type account = stats.Account[*shard]

// shard is a part of the cache with its own lock. All series about one object are in one shard.
type shard struct {
	// cache holds the settings that all shards share.
	cache *Cache

	mu sync.Mutex // guards the rest, and every entry in it
	// series maps each key to its entry. The heaps timers and victims contain every entry, too.
	series  map[string]*entry
	timers  heap.Heap[*entry]
	victims heap.Heap[*entry]
	groups  noteGroups
	objects objectCounts
	// closed is the reason for dropping every occurrence, or None while the cache is open.
	closed   stats.Reason
	accounts stats.Accounts[*shard]

	_ [128]byte // two cache lines of the CPU, so that no two shards share one
}

func newShard(c *Cache, labels *stats.LabelSets) *shard {
	sh := &shard{
		cache:   c,
		series:  map[string]*entry{},
		groups:  noteGroups{},
		timers:  newTimers(),
		victims: newVictims(),
	}
	sh.accounts = stats.NewAccounts(sh, labels)
	return sh
}

// newTimers returns a heap of series in the order of their next deadlines.
func newTimers() heap.Heap[*entry] {
	return heap.Heap[*entry]{
		Before: func(a, b *entry) bool { return a.wake.Before(b.wake) },
		Place:  func(e *entry) *int32 { return &e.timer },
	}
}

func (sh *shard) monotime(t time.Time) monotime { return monotimeOf(t, sh.cache.epoch) }

// shardOf returns the shard of an occurrence. It depends only on the object, so different objects
// rarely share a lock, and all series about one object are in one shard. The hash has no random
// seed, so that a simulated run can be repeated. An attacker who creates objects with the same hash
// achieves only that they share a lock.
func (c *Cache) shardOf(o *Occurrence) *shard {
	name := string(o.Regarding.UID)
	if name == "" {
		name = o.Regarding.Name
	}
	return c.shards[shardIndex(name)]
}

// shardIndex hashes the last eight bytes of a name, because this is where UIDs and generated names
// differ. Every bit of these bytes affects the upper bits of the product.
func shardIndex(name string) uint64 {
	tail := uint64(0)
	for i := max(0, len(name)-8); i < len(name); i++ {
		tail = tail<<8 | uint64(name[i])
	}
	return tail * fibonacci >> (64 - shardBits)
}

// fibonacci is 2^64 divided by the golden ratio. Its multiples are spread evenly (Knuth, volume 3,
// section 6.4).
const fibonacci = 0x9E3779B97F4A7C15

// count adds an occurrence to its series, or to the overflow series of its object if its own series
// would be a new one beyond the limit of the object. If the series to which it must add the
// occurrence does not exist yet or has ended, count changes nothing and returns false. If the
// occurrence must be dropped, count counts the drop and returns true.
func (sh *shard) count(o *Occurrence, key PackedKey) (r Result, counted bool) {
	if reason := sh.dropReason(o); reason != stats.None {
		return sh.dropped(o, reason), true
	}
	e := sh.find(key, o)
	if e == nil && sh.beyondLimit(o) {
		overflow := o.overflow()
		var buf KeyBuffer
		return sh.count(&overflow, overflow.PackKey(buf[:0]))
	}
	now := sh.monotime(o.At)
	if e == nil || sh.isOver(e, now) {
		return Result{}, false
	}
	return sh.add(e, o, now), true
}

// dropReason returns the reason for dropping o before it gets a series, or None. Dropping o at this
// point ensures that an occurrence that the selector does not match uses no memory.
func (sh *shard) dropReason(o *Occurrence) stats.Reason {
	selector := sh.cache.selector.Load()
	if sh.closed == stats.None && selector != nil && !o.SelectedBy(selector) {
		return stats.Unselected
	}
	return sh.closed
}

// find returns the series that counts an occurrence, or nil if there is none. If each note gets a
// series of its own, but there are too many notes, find returns the series of another note.
func (sh *shard) find(key PackedKey, o *Occurrence) *entry {
	e := sh.series[string(key.text)]
	if e == nil && o.DistinctNotes > 0 {
		e = sh.groups.last(key.text[:key.base], o.DistinctNotes)
	}
	return e
}

// isOver reports whether e has ended, so that a later occurrence with the same key begins a new
// Event.
func (sh *shard) isOver(e *entry, now monotime) bool {
	return e.finished(now, &sh.cache.iv) || e.superseded(now, &sh.cache.iv)
}

// add adds an occurrence to e.
func (sh *shard) add(e *entry, o *Occurrence, now monotime) Result {
	leftOut := e.observe(o, now, &sh.cache.iv)
	e.account.Observed++
	if o.Overflowed {
		e.account.Overflowed++
	}
	if e.refusedFor != stats.None {
		e.account.Dropped[e.refusedFor]++
	}
	r := Result{
		Dropped:    e.refusedFor,
		LeftOut:    leftOut,
		Overflowed: o.Overflowed,
		Series:     e,
		Count:      e.observed,
	}
	if e.deadlineMayMove() {
		r.Due = sh.appendIfDue(r.Due, e, now)
		sh.reindex(e, now)
	}
	return r
}

// dropped counts an occurrence that is dropped before it belongs to a series.
func (sh *shard) dropped(o *Occurrence, reason stats.Reason) Result {
	sh.accounts.Of(o.MetricLabels()).Drop(reason, 1)
	return Result{Dropped: reason}
}

// insert adds a new series that begins with o. If that would exceed the limit of the object, insert
// adds the overflow series of the object instead. If the shard still holds an ended series with the
// same key, insert replaces it and reports true: the new series reuses the slot of the ended one in
// the cache.
func (sh *shard) insert(o *Occurrence, key PackedKey) (r Result, reused bool) {
	former := sh.find(key, o)
	if former == nil && sh.beyondLimit(o) {
		overflow := o.overflow()
		overflow.Note = sh.cache.overflowNote(o)
		return sh.insert(&overflow, overflow.PackKey(nil))
	}
	now := sh.monotime(o.At)
	e := &entry{}
	e.init(key, o)
	e.account = sh.accounts.Of(o.MetricLabels())
	e.arrival = sh.cache.arrivals.Add(1)
	e.distinct = o.DistinctNotes > 0
	if former != nil {
		e.inherit(&former.Series, now, &sh.cache.iv)
		sh.unlink(former)
	}
	if shares := sh.cache.shares; shares != nil && !e.distinct {
		hash := hashOf(&o.Key)
		e.share(shares.find(hash), hash, o)
	}
	sh.link(e, o)
	return sh.add(e, o, now), former != nil
}

// all returns all series, in an order that is the same when a simulated run is repeated. The caller
// must not modify the result.
func (sh *shard) all() []*entry { return sh.timers.Items }

// link adds the new series e to the map and the heaps. The parameter first is the first occurrence
// of e.
func (sh *shard) link(e *entry, first *Occurrence) {
	sh.series[e.key()] = e
	e.wake = math.MaxInt64 // until its first occurrence is added
	sh.timers.Add(e)
	e.rank = e.rankWaiting()
	sh.victims.Add(e)
	if e.distinct {
		sh.groups.add(e)
	}
	sh.countObject(first)
}

// unlink removes a series from the map and the heaps.
func (sh *shard) unlink(e *entry) {
	delete(sh.series, e.key())
	if e.distinct {
		sh.groups.remove(e)
	}
	sh.timers.Remove(e)
	sh.victims.Remove(e)
	first := e.First()
	sh.objects.add(&first, -1)
	e.gone.Store(true)
}

// clear removes all series and returns their number. Unlike unlink, it does not put the heaps in
// order after each removal, because with many series this would take most of the time.
func (sh *shard) clear() (removed int) {
	removed = len(sh.timers.Items)
	for _, e := range sh.all() {
		e.gone.Store(true)
	}
	sh.series = map[string]*entry{}
	sh.groups = noteGroups{}
	sh.objects = nil
	sh.timers.Items = nil
	sh.victims.Items = nil
	return removed
}

// appendIfDue appends e to due if it must be handed to the writer.
func (sh *shard) appendIfDue(due []Due, e *entry, now monotime) []Due {
	class := sh.queueIfDue(e, now)
	if class == request.NoWrite {
		return due
	}
	return append(due, Due{e, class})
}

// queueIfDue marks e as queued if it is due, and returns the class of the write. If e is not due,
// it returns NoWrite.
func (sh *shard) queueIfDue(e *entry, now monotime) request.Class {
	if e.queued || e.inFlight {
		return request.NoWrite
	}
	why, until := sh.nextWrite(e)
	if why == WaitNothing || until.After(now) {
		return request.NoWrite
	}
	if why == waitPublish && !sh.cache.mayPublish(&e.Series, now) {
		e.skipPublish()
		return sh.queueIfDue(e, now) // a refresh or the finish may be due as well
	}
	e.queued = true
	return e.class()
}

// nextWrite calls [Series.nextWrite] with a refresh interval that is short enough for the estimated
// lifetime of Events on the server.
func (sh *shard) nextWrite(e *entry) (why Wait, until monotime) {
	iv := sh.cache.iv
	iv.Refresh = sh.cache.lifetime.refresh(iv.Refresh, e.arrival, e.storedAt)
	return e.nextWrite(&iv)
}

// reindex updates the heaps after a change of e, and wakes the timer if the deadline has become
// earlier. If the deadline has become later, e stays at its place in the heap; when the old
// deadline comes, expire computes the new one.
func (sh *shard) reindex(e *entry, now monotime) {
	if at := sh.deadline(e); at.Before(e.wake) {
		e.wake = at
		sh.timers.Fix(e)
		sh.cache.wakeTimer(at, now)
	}
	// A rank that has become later is updated only when e is the next series to evict, which most
	// series never are.
	if rank := e.rankNow(); rank.before(e.rank) {
		e.rank = rank
		sh.victims.Fix(e)
	}
}

// deadline returns when the shard must look at e next.
func (sh *shard) deadline(e *entry) monotime {
	if e.queued || e.inFlight { // Settle computes the deadline again
		return e.last.Add(sh.cache.iv.RetryFor)
	}
	if why, until := sh.nextWrite(e); why != WaitNothing {
		return until
	}
	return e.last.Add(sh.cache.iv.Finish)
}

// expire handles every series whose deadline has passed. It returns the series to write now, the
// dropped occurrences, and the number of removed series.
func (sh *shard) expire(now monotime) (effects Effects, removed int) {
	for len(sh.timers.Items) > 0 && !sh.timers.Items[0].wake.After(now) {
		e := sh.timers.Items[0]
		if e.tooOld(now, &sh.cache.iv) || e.finished(now, &sh.cache.iv) {
			effects.Dropped = append(effects.Dropped, sh.drop(e, stats.TooOld)...)
			sh.unlink(e)
			removed++
			continue
		}
		effects.Due = sh.appendIfDue(effects.Due, e, now)
		e.wake = sh.deadline(e)
		if !e.wake.After(now) { // queued or in flight for too long: Settle computes the deadline again
			e.wake = now.Add(sh.cache.iv.RetryFor)
		}
		sh.timers.Fix(e)
	}
	return effects, removed
}

// tooOld reports whether the unwritten occurrences of e must be dropped because they are so old
// that the server would have deleted their Event. It returns false in three cases: if a write of e
// is in flight; if the unwritten occurrences of e were never handed to the writer; and if a Flush
// waits for e and no write of e has begun, because before Start only a Flush writes anything.
func (e *entry) tooOld(now monotime, iv *Intervals) bool {
	writerHadIt := e.queued || e.holds > 0 && !e.inFlight
	firstFlush := e.forced() && e.attempts == 0
	return writerHadIt && !firstFlush && !now.Before(e.last.Add(iv.RetryFor))
}

// drop drops all unwritten occurrences of e.
func (sh *shard) drop(e *entry, reason stats.Reason) []Dropped {
	if e.unwritten() == 0 {
		return nil
	}
	n, unconfirmed := e.dropUnwritten()
	e.account.Dropped[reason] += n
	e.account.Unconfirmed += unconfirmed
	e.finishFlushes()
	return []Dropped{{
		Item:        e,
		Reason:      reason,
		Occurrences: n,
		Unconfirmed: unconfirmed,
	}}
}

// Gone implements [Item].
func (e *entry) Gone() bool { return e.gone.Load() }

// shard returns the shard that contains e. The lock of this shard guards e.
func (e *entry) shard() *shard { return e.account.Owner }

// EventName implements [Item].
func (e *entry) EventName() (namespace, name string) {
	sh := e.shard()
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return e.Series.EventName()
}

// Begin implements [Item]. It builds the write under the lock, so that the write has the latest
// state. The caller sends it without the lock. Unlike in package correlator, Begin never has any
// effects.
func (e *entry) Begin(now time.Time) (w *Write, _ Effects) {
	sh := e.shard()
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e.queued = false
	if e.inFlight || e.unwritten() == 0 { // a removed series has nothing unwritten
		return nil, Effects{}
	}
	w = e.begin()
	w.Sent = now
	return w, Effects{}
}

// Settle implements [Item].
func (e *entry) Settle(
	w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time,
) (next request.Class, effects Effects) {
	sh := e.shard()
	at := sh.monotime(now)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e.end(w)
	if e.Gone() { // Abandon has dropped it
		return request.NoWrite, effects
	}
	sh.cache.lifetime.watchClock(now, sh.cache.epoch)
	sh.learnLifetime(e, w, v, at)
	existed := e.exists
	recorded, refused := e.settle(w, v, stored, now, at)
	sh.countAnswer(e, w, v, recorded, refused)
	acknowledged := v.Action == request.Stored && !w.ReadVersion
	lost := existed && !e.exists
	if shared := e.extras().shared; shared != nil && (acknowledged || lost) {
		sh.cache.shares.keep(shared.hash, e.lastShare(w.Event.ReportingInstance))
	}
	if refused {
		effects.Dropped = sh.drop(e, v.Reason)
	}
	e.finishFlushes() // before queueIfDue, because a finished Flush forces no write
	next = sh.queueIfDue(e, at)
	sh.reindex(e, at)
	return next, effects
}

// learnLifetime uses the answer to a Patch to update the estimate of how long the server keeps
// Events. It ignores the answer to a repeated attempt, because an earlier attempt may have renewed
// the Event even though its answer was lost. It also ignores a successful Patch of an Event with a
// shared count, because other processes may have renewed that Event.
func (sh *shard) learnLifetime(e *entry, w *Write, v request.Verdict, now monotime) {
	if e.attempts > 1 || w.Op != request.Patch || w.ReadVersion {
		return
	}
	switch {
	case v.Action == request.Stored && e.sharing() == nil:
		sh.cache.lifetime.lived(now.Sub(e.storedAt))
	case v.Action == request.Recreate:
		sh.cache.lifetime.missed(disappearance{
			series:    e.arrival,
			namespace: e.Namespace(),
			storedAt:  e.storedAt,
			at:        now,
		}, sh.cache.iv.Refresh)
	}
}

// countAnswer updates the counters with the answer to w.
func (sh *shard) countAnswer(e *entry, w *Write, v request.Verdict, recorded int64, refused bool) {
	switch {
	case v.Action == request.Stored && w.Op == request.Create:
		e.account.Creates++
	case v.Action == request.Stored:
		e.account.Patches++
	case !refused:
		e.account.Retries++
	}
	e.account.Recorded += recorded
}
