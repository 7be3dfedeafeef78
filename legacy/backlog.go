// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// backlog is what waits for one sink: a queue per object, bounded together, and the
// counters. Every occurrence is counted once on the way in and once on the way out,
// under the lock that moves it.
type backlog struct {
	limit       int
	keyOf       func(*recorded) objectKey
	terminating terminatingNamespaces

	mu       sync.Mutex // guards the rest and the queues
	closed   bool       // adds nothing more
	queues   map[objectKey]*objectQueue
	size     int
	weight   int    // of all occurrences; limit bounds it
	number   uint64 // of the last occurrence
	normals  chain  // of all queues
	warnings chain
	waiters  []*flushWaiter
	accounts stats.Accounts[*backlog]
}

func newBacklog(limit int, keyOf func(*recorded) objectKey, labels *stats.LabelSets) *backlog {
	b := &backlog{
		limit: limit, keyOf: keyOf, queues: map[objectKey]*objectQueue{},
		normals: chain{kind: ofAge}, warnings: chain{kind: ofAge},
	}
	b.accounts = stats.NewAccounts(b, labels)
	return b
}

// drop is an occurrence that was dropped, for the log and the drop handler.
type drop struct {
	cause stats.Reason
	*recorded
	err error
}

// add counts r and appends it to the queue of its object, which it returns if that must
// be enqueued for writing. What was dropped for it, or r itself, is appended to drops. A
// closed backlog ignores r, and ok is false.
func (b *backlog) add(r *recorded, now time.Time, drops []drop) (fresh *objectQueue, _ []drop, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, drops, false
	}
	drops = b.expireLocked(now, drops)
	weight, account := r.weight(), b.accounts.Of(r.labels())
	if b.weight+weight > b.limit {
		evicted, ok := b.evictLocked(r, weight)
		if !ok {
			account.Drop(stats.QueueFull, 1)
			return nil, append(drops, drop{cause: stats.QueueFull, recorded: r}), true
		}
		drops = append(drops, evicted...)
	}
	account.Observed++
	key := b.keyOf(r)
	q := b.queues[key]
	if q == nil {
		q = &objectQueue{key: key, namespace: r.namespace(), class: b.classOf(r), known: true}
		b.queues[key] = q
		fresh = q
	}
	b.number++
	o := &occurrence{recorded: r, account: account, weighs: weight, number: b.number, queue: q, age: &b.normals}
	if r.warning() {
		o.age = &b.warnings
	}
	q.occurrences.push(o)
	o.age.push(o)
	b.size++
	b.weight += weight
	return fresh, drops, true
}

// classOf is what an occurrence is queued for that is not correlated yet: it may be a
// first one. A namespace that refuses creates takes patches all the same, so there it is
// queued as a patch until more is known.
func (b *backlog) classOf(r *recorded) request.Class {
	if b.terminating.mayRefuse(r) {
		return request.Count
	}
	return request.First(r.warning())
}

// evictLocked drops the oldest Normals that were not tried, for a Warning. A Normal
// evicts nothing: among Normals the newest matters least to the order. What was tried
// stays, because the correlator has counted it, in later counts too.
func (b *backlog) evictLocked(newcomer *recorded, weight int) (evicted []drop, ok bool) {
	if !newcomer.warning() {
		return nil, false
	}
	var untried []*occurrence
	missing := b.weight + weight - b.limit
	// At most one occurrence per queue was tried.
	for o := b.normals.first; o != nil && missing > 0; o = b.normals.after(o) {
		if !o.writing && !o.asked() {
			untried = append(untried, o)
			missing -= o.weighs
		}
	}
	if missing > 0 {
		return nil, false
	}
	for _, o := range untried {
		b.dropIdleLocked(o, stats.QueueFull)
		evicted = append(evicted, drop{cause: stats.QueueFull, recorded: o.recorded})
	}
	return evicted, true
}

// expireLocked drops what is too old, a few at a time: there is no timer for it, and
// no caller should pay for all.
func (b *backlog) expireLocked(now time.Time, drops []drop) []drop {
	for _, age := range []*chain{&b.normals, &b.warnings} {
		for range 2 {
			o := age.first
			if o == nil || o.writing || !o.expired(now) {
				break
			}
			b.dropIdleLocked(o, stats.TooOld)
			drops = append(drops, drop{cause: stats.TooOld, recorded: o.recorded})
		}
	}
	return drops
}

// dropIdleLocked drops an occurrence that no attempt has. If it was the last one of
// its object, the queue is forgotten at once and not when the writer comes to it:
// during an outage that may be never.
func (b *backlog) dropIdleLocked(o *occurrence, reason stats.Reason) {
	q := o.queue
	b.dropLocked(o, reason)
	if q.head() == nil {
		b.forgetLocked(q)
		q.gone.Store(true)
	}
}

func (b *backlog) forgetLocked(q *objectQueue) {
	delete(b.queues, q.key)
	q.known = false
}

// begin returns the head of q for an attempt, nil if all of q was dropped.
func (b *backlog) begin(q *objectQueue) *occurrence {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := q.head()
	if o != nil {
		o.writing = true
	}
	return o
}

// release ends the attempt on q and returns what q must be queued for next. A queue
// without occurrences is forgotten; last reports whether it was the last one of a
// closed backlog.
func (b *backlog) release(q *objectQueue) (next request.Class, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := q.head()
	if o == nil {
		if q.known {
			b.forgetLocked(q)
			last = b.closed && len(b.queues) == 0
		}
		return request.NoWrite, last
	}
	o.writing = false
	q.class = b.classOf(o.recorded)
	if o.asked() {
		q.class = o.class()
	}
	return q.class, false
}

// recorded counts o as written by op. It does nothing if o was abandoned.
func (b *backlog) recorded(o *occurrence, op request.Op) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if o.queue == nil {
		return
	}
	o.account.Recorded++
	if op == request.Create {
		o.account.Creates++
	} else {
		o.account.Patches++
	}
	b.removeLocked(o)
}

// drop counts o as dropped and reports whether it was still there.
func (b *backlog) drop(o *occurrence, reason stats.Reason) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if o.queue == nil {
		return false
	}
	b.dropLocked(o, reason)
	return true
}

// retry counts that o must be sent again.
func (b *backlog) retry(o *occurrence, unconfirmed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o.account.Retries++
	o.unconfirmed = o.unconfirmed || unconfirmed
}

func (b *backlog) dropLocked(o *occurrence, reason stats.Reason) {
	o.account.Dropped[reason]++
	if o.unconfirmed {
		o.account.Unconfirmed++
	}
	b.removeLocked(o)
}

func (b *backlog) removeLocked(o *occurrence) {
	o.queue.occurrences.remove(o)
	o.age.remove(o)
	o.queue = nil
	b.size--
	b.weight -= o.weighs
	for _, w := range b.waiters {
		if o.number > w.upTo {
			continue
		}
		if w.n--; w.n == 0 {
			close(w.done)
		}
	}
}

// close makes the backlog ignore further events. It reports whether nothing is left
// to write.
func (b *backlog) close() (last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.closed = true
	return len(b.queues) == 0
}

// abandon closes the backlog and drops everything that is left.
func (b *backlog) abandon() (drops []drop, unconfirmed, objects int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, q := range b.queues {
		if q.head() != nil {
			objects++
		}
		for o := q.head(); o != nil; o = q.head() {
			o.unconfirmed = o.unconfirmed || o.writing // a sink that does not return may have stored it
			b.dropLocked(o, stats.Abandoned)
			if o.unconfirmed {
				unconfirmed++
			}
			drops = append(drops, drop{cause: stats.Abandoned, recorded: o.recorded})
		}
		b.forgetLocked(q)
	}
	return drops, unconfirmed, objects
}

// sum adds the accounts to balances. What is pending is counted and not derived. It
// returns of how many objects that is, and when the oldest was recorded.
func (b *backlog) sum(balances stats.Balances) (objects int64, oldest time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	pending := map[*stats.Account[*backlog]]int64{}
	for _, q := range b.queues {
		if q.head() != nil {
			objects++
		}
		for o := q.head(); o != nil; o = q.occurrences.after(o) {
			pending[o.account]++
		}
	}
	for labels, account := range b.accounts.All() {
		balance := balances.Of(labels)
		balance.Add(&account.Counters)
		balance.Pending += pending[account]
	}
	for _, age := range []*chain{&b.normals, &b.warnings} {
		if age.first != nil {
			oldest = earliest(oldest, age.first.at)
		}
	}
	return objects, oldest
}

// earliest returns the earlier time. Zero stands for none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// flushWaiter waits until the occurrences that a backlog had at one moment have left
// it. The lock of the backlog guards it.
type flushWaiter struct {
	upTo uint64 // higher numbers came later
	n    int
	done chan struct{} // closed when n is 0
}

// wait blocks until everything that b has now is recorded or dropped, or ctx ends.
// It returns how many of these occurrences are left.
func (b *backlog) wait(ctx context.Context) int {
	b.mu.Lock()
	if b.size == 0 {
		b.mu.Unlock()
		return 0
	}
	w := &flushWaiter{upTo: b.number, n: b.size, done: make(chan struct{})}
	b.waiters = append(b.waiters, w)
	b.mu.Unlock()

	select {
	case <-w.done:
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiters = slices.DeleteFunc(b.waiters, func(other *flushWaiter) bool { return other == w })
	return w.n
}
