// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/request"
)

// Config is the configuration of a writer.
type Config[T Item] struct {
	Clock clock.WithTicker
	// Most is the maximum number of writes in flight.
	Most int
	// Timeout is the time limit of one write, in real time.
	Timeout time.Duration
	// Attempt writes item once. paced is the client's rate limiter if the writer has already waited
	// for it on behalf of this write; otherwise it is the zero Limiter. Attempt returns the verdict
	// on the answer and the class of the item's next write. It must return soon after ctx has
	// ended. If it ends its goroutine (runtime.Goexit), the item must be in the same state as after
	// [request.NoAnswer].
	Attempt func(ctx context.Context, item T, paced request.Limiter) (request.Verdict, request.Class)
}

// Item is something that needs writes, such as a series.
type Item interface {
	// Gone reports whether the item no longer needs to be written.
	Gone() bool
}

// Writer schedules the writes of items. It is safe for concurrent use. No method except Run blocks
// on I/O.
//
// The writer holds its lock while it calls Item.Gone, so Gone must not take a lock that is held
// during any call of the writer. While it holds the lock, it calls no other code of its caller or
// of users, not even the clock.
type Writer[T Item] struct {
	config Config[T]
	wake   chan struct{}

	// mu guards the fields below.
	mu         sync.Mutex
	jitter     func(time.Duration) time.Duration
	namespaces map[string]*namespace[T]
	ready      *ready[T]
	window     window
	judge      judge
	server     serverGate

	// inFlight holds the unanswered jobs, in the order in which they began.
	inFlight []*job[T]
	// outsideWindow is the number of jobs in inFlight that do not count towards the window.
	outsideWindow int
	// lastID is the ID of the newest job.
	lastID uint64
	// gaveUp is when the writer last cancelled a job that no later job had overtaken.
	gaveUp time.Time

	// taken is the number of jobs taken from namespaces that were not failing, by class.
	taken [request.Classes]uint64
	// lastEntry is the number of the newest entry.
	lastEntry uint64
	// waiting is the number of entries in the queues of all namespaces.
	waiting int
	// sweepAt is the number of namespaces and entries at which Enqueue calls sweepLocked.
	sweepAt int

	// limiter is the client's rate limiter.
	limiter request.Limiter
	// paced is the client's rate limiter if the writer has already waited for it on behalf of the
	// next job. Otherwise it is the zero Limiter.
	paced request.Limiter
}

// New returns a writer. It starts no goroutines; see Run. Items can be enqueued at once.
func New[T Item](c Config[T]) *Writer[T] {
	return &Writer[T]{
		config:     c,
		wake:       make(chan struct{}, 1),
		jitter:     fullJitter(c.Clock.Now()),
		namespaces: map[string]*namespace[T]{},
		ready:      newReady[T](),
		window:     newWindow(c.Most),
		sweepAt:    minSweep,
	}
}

// fullJitter returns a function that returns a random duration between 1 and d, evenly distributed.
// The seed is the parameter now in nanoseconds: this number differs between processes that start
// after an outage, and is the same when a simulated run is repeated. The returned function is not
// safe for concurrent use.
func fullJitter(now time.Time) func(time.Duration) time.Duration {
	random := rand.New(rand.NewPCG(uint64(now.UnixNano()), 0))
	return func(d time.Duration) time.Duration { return time.Duration(random.Int64N(int64(d))) + 1 }
}

// Enqueue adds an item that needs a write of the given class in the namespace with the given name.
func (w *Writer[T]) Enqueue(item T, name string, class request.Class) {
	now := w.config.Clock.Now()
	w.mu.Lock()
	if len(w.namespaces)+w.waiting >= w.sweepAt {
		w.sweepLocked(now)
	}
	ns := w.namespaces[name]
	if ns == nil {
		ns = newNamespace[T](name)
		w.namespaces[name] = ns
	}
	w.pushLocked(ns, item, class)
	// A second entry does not change the place of the namespace in the orders.
	if ns.items[class].len() == 1 {
		w.ready.update(ns, &w.window, now)
	}
	w.mu.Unlock()
	w.signal()
}

func (w *Writer[T]) pushLocked(ns *namespace[T], item T, class request.Class) {
	w.lastEntry++
	w.waiting++
	ns.items[class].push(entry[T]{item, w.lastEntry})
}

// PaceBy sets the client's rate limiter. The writer waits for the rate limiter before it chooses
// the next item, so that it can choose a more urgent item that arrives during the wait.
func (w *Writer[T]) PaceBy(limiter request.Limiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limiter = limiter
}

// OpenGates ends every back-off, so that everything is tried at once. It is called when the writer
// is about to end. The writer remembers which namespaces fail, and writes the others first.
func (w *Writer[T]) OpenGates() {
	now := w.config.Clock.Now()
	w.mu.Lock()
	w.window.end()
	w.server.open()
	for _, ns := range w.sortedLocked() {
		// The next write of a failing namespace is a probe.
		ns.gate.until = time.Time{}
		w.ready.update(ns, &w.window, now)
	}
	w.mu.Unlock()
	w.signal()
}

// sortedLocked returns the namespaces, sorted by name so that a simulated run can be repeated.
func (w *Writer[T]) sortedLocked() []*namespace[T] {
	byName := func(a, b *namespace[T]) int { return cmp.Compare(a.name, b.name) }
	return slices.SortedFunc(maps.Values(w.namespaces), byName)
}

// signal wakes the dispatcher.
func (w *Writer[T]) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// minSweep is the number of namespaces and entries below which a sweep is not worthwhile.
const minSweep = 1024

// sweepLocked removes idle namespaces and the items that are gone. While a gate is closed the
// dispatcher takes no items, so without the sweep the queues could outgrow the cache, which evicts
// series (invariant I5). The next sweep comes when the number of namespaces and entries has
// doubled, so each of them is examined only once or twice.
func (w *Writer[T]) sweepLocked(now time.Time) {
	w.waiting = 0
	for _, ns := range w.sortedLocked() {
		for class := range ns.items {
			ns.items[class].purge()
		}
		w.waiting += ns.waiting()
		w.ready.update(ns, &w.window, now)
		if ns.evictable(now, w.lastID) {
			delete(w.namespaces, ns.name)
		}
	}
	w.sweepAt = max(minSweep, 2*(len(w.namespaces)+w.waiting))
}

// State is a snapshot of a writer, for diagnostics.
type State struct {
	// Window is the number of writes that may be in flight.
	Window int
	// Gates begins with the gate of the server, followed by the gates of all namespaces that have
	// items waiting or in flight, or that fail. The gates of the namespaces are sorted in
	// descending order by the number of failures in a row, and then by the length of the queue.
	Gates []Gate
}

// Gate is a snapshot of a gate and of the queue behind it.
type Gate struct {
	// Namespace is empty for the gate of the server.
	Namespace string
	// Closed is true if the gate lets nothing pass except a probe.
	Closed bool
	// Failures is the number of failures in a row, including the one that closed the gate.
	Failures int
	// OpensAt is when the gate lets a probe through. It is zero if the gate is open.
	OpensAt time.Time
	// Probing is true while the probe is in flight.
	Probing bool
	// LastError is the text of the last failure.
	LastError string
	// Failing is true if writes in the namespace hang or fail.
	Failing bool
	// Waiting is the number of items in the queue.
	Waiting  int
	InFlight int
}

// Rate returns the number of requests per second that the client allows, or 0 if it is not known.
// It does not hold the lock while it asks the rate limiter, which is the caller's code.
func (w *Writer[T]) Rate() float32 {
	w.mu.Lock()
	limiter := w.limiter
	w.mu.Unlock()
	return limiter.QPS()
}

// Inspect returns a snapshot of the writer.
func (w *Writer[T]) Inspect() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	server := Gate{
		Waiting:  w.waiting,
		InFlight: len(w.inFlight),
		Probing:  w.server.probing(),
	}
	s := State{Window: w.window.limit, Gates: []Gate{w.server.describe(server)}}
	// slow holds the namespaces that have a slow write or a probe in flight.
	slow := map[*namespace[T]]bool{}
	for _, j := range w.inFlight {
		slow[j.ns] = slow[j.ns] || j.outsideWindow
	}
	for _, ns := range w.sortedLocked() {
		if ns.idle() && ns.health < inDoubt {
			continue
		}
		isFailing := ns.health == failing || slow[ns]
		g := ns.gate.describe(Gate{
			Namespace: ns.name,
			Failing:   isFailing,
			Waiting:   ns.waiting(),
			InFlight:  ns.inFlight,
			Probing:   isFailing && ns.inFlight > 0,
		})
		if isFailing || ns.health == inDoubt {
			g.LastError = cmp.Or(g.LastError, "none")
		}
		s.Gates = append(s.Gates, g)
	}
	slices.SortStableFunc(s.Gates[1:], func(a, b Gate) int {
		return cmp.Or(b.Failures-a.Failures, b.Waiting+b.InFlight-a.Waiting-a.InFlight)
	})
	return s
}

// Of returns the gate that applies to writes in a namespace: the server's gate if it is closed,
// otherwise the namespace's own. If the namespace has none, it returns the zero Gate, which is
// open.
func (s *State) Of(namespace string) Gate {
	for _, g := range s.Gates {
		if g.Namespace == "" && g.Closed || g.Namespace == namespace {
			return g
		}
	}
	return Gate{}
}
