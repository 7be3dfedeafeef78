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

// Config is what a writer works with.
type Config[T Item] struct {
	Clock clock.WithTicker
	// Most is how many writes may be in flight at most.
	Most int
	// Timeout is for one write, in real time.
	Timeout time.Duration
	// Attempt does one write of item, for which paced has let a request pass, if it is
	// one. It returns what the answer means and what the item needs next. It must return
	// soon after ctx has ended. An attempt that ends its goroutine (runtime.Goexit) must
	// leave the item as after [request.NoAnswer].
	Attempt func(ctx context.Context, item T, paced request.Limiter) (request.Verdict, request.Class)
}

// Item is what needs writes.
type Item interface {
	// Gone reports whether it need not be written any more.
	Gone() bool
}

// Writer is safe for concurrent use. No method except Run blocks on I/O. No code of users runs under its
// lock, the clock included. Of the caller's code only Gone of an item does, so it must take no lock
// under which the caller calls the writer.
type Writer[T Item] struct {
	config Config[T]
	wake   chan struct{}

	// mu guards the rest.
	mu         sync.Mutex
	jitter     func(time.Duration) time.Duration
	namespaces map[string]*namespace[T]
	ready      *ready[T]
	window     window
	judge      judge
	server     serverGate

	// inFlight has all jobs that were begun and not answered, in the order in which they began.
	inFlight []*job[T]
	// outsideWindow is how many of them do not count in the window.
	outsideWindow int
	// lastID is the number of the job that began last.
	lastID uint64
	// gaveUp is when a job was last cancelled that no other had overtaken.
	gaveUp time.Time

	// taken counts by class the jobs of namespaces that are not failing.
	taken [request.Classes]uint64
	// lastEntry is the number of the entry that was enqueued last.
	lastEntry uint64
	// waiting is the number of entries in all namespaces.
	waiting int
	// sweepAt is the number of namespaces and entries at which to look for those that can go.
	sweepAt int

	// limiter is the rate limiter of the client.
	limiter request.Limiter
	// paced is the rate limiter that has let the next request pass, if any has.
	paced request.Limiter
}

// New returns a writer without goroutines. Items can be enqueued at once.
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

// fullJitter spreads waits evenly. The seed is the time in nanoseconds. It differs
// between processes that start after an outage, and lets a simulated run be repeated.
// The function is not safe for concurrent use.
func fullJitter(now time.Time) func(time.Duration) time.Duration {
	random := rand.New(rand.NewPCG(uint64(now.UnixNano()), 0))
	return func(d time.Duration) time.Duration { return time.Duration(random.Int64N(int64(d))) + 1 }
}

// Enqueue adds an item that needs a write of class in a namespace.
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
	// With a second entry its order is the same.
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

// PaceBy makes the writer wait for the rate limiter of its client before it decides what is
// to be written next, so that nothing waits there which is less urgent.
func (w *Writer[T]) PaceBy(limiter request.Limiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limiter = limiter
}

// OpenGates ends every back-off, so that everything is tried at once, because the end has come. The
// writer remembers which namespaces fail, and writes the others first.
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

// sortedLocked returns the namespaces in an order that a rerun repeats.
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

// minSweep is the number of namespaces and entries below which a sweep is not worth it.
const minSweep = 1024

// sweepLocked removes the items that are gone, and idle namespaces. While a gate is closed
// nobody takes items, and they must be as bounded as the cache that evicts series
// (invariant I5). The next sweep comes when there are twice as many, so that each is looked
// at once or twice.
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

// State is a copy of what a writer does, for a person who looks for a fault.
type State struct {
	// Window is how many writes may be in flight.
	Window int
	// Gates has the gate of the server first. After it come the gates of the namespaces that have
	// items waiting or in flight, or that fail. These are sorted by the number of failures in a
	// row, and then by the length of the queue, the greatest first.
	Gates []Gate
}

// Gate is a copy of a gate, with the queue behind it.
type Gate struct {
	// Namespace is empty for the gate of the server.
	Namespace string
	// Closed says that no write passes but a probe.
	Closed bool
	// Failures is how many in a row have closed it and kept it closed.
	Failures int
	// OpensAt is when it lets a probe through; zero if it is open.
	OpensAt time.Time
	// Probing says that the probe is in flight.
	Probing bool
	// LastError has the words of the last failure.
	LastError string
	// Failing says that writes in the namespace hang or fail.
	Failing bool
	// Waiting is how many items are in the queue.
	Waiting  int
	InFlight int
}

// Rate returns how many requests a second the client allows, 0 if that is not known. The rate
// limiter is code of the caller, so it is asked without a lock.
func (w *Writer[T]) Rate() float32 {
	w.mu.Lock()
	limiter := w.limiter
	w.mu.Unlock()
	return limiter.QPS()
}

// Inspect returns the state.
func (w *Writer[T]) Inspect() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	server := Gate{
		Waiting:  w.waiting,
		InFlight: len(w.inFlight),
		Probing:  w.server.probing(),
	}
	s := State{Window: w.window.limit, Gates: []Gate{w.server.describe(server)}}
	// Namespaces in which a write is slow or a probe.
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

// Of returns the gate that the writes in a namespace meet: the server's if it is closed,
// otherwise the namespace's own. The zero Gate holds nothing up.
func (s *State) Of(namespace string) Gate {
	for _, g := range s.Gates {
		if g.Namespace == "" && g.Closed || g.Namespace == namespace {
			return g
		}
	}
	return Gate{}
}
