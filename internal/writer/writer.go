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
	// Most is how many writes may be under way at most.
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

// Writer is safe for concurrent use. No method blocks on I/O but Run.
type Writer[T Item] struct {
	config Config[T]
	jitter func(time.Duration) time.Duration // under mu
	wake   chan struct{}

	mu         sync.Mutex // guards the rest
	namespaces map[string]*namespace[T]
	ready      *ready[T]
	window     window
	judge      judge
	madeRoom   time.Time               // when a write was cancelled last that was not overtaken
	server     gate                    // closed by what only the server can mean
	probing    uint64                  // the job that probes it
	misled     bool                    // the last probe that was slow was refused after all, so slowness opens no gate
	underway   []*job[T]               // all that were begun and not answered, in the order in which they began
	beside     int                     // of them, those that belong beside the window
	begun      uint64                  // the number of the last one
	written    [request.Classes]uint64 // in healthy namespaces, by class
	enqueued   uint64                  // the number of the last entry
	waiting    int                     // entries in all namespaces
	sweepAt    int                     // namespaces and entries at which to look for what can go
	limiter    request.Limiter         // of the client
	paced      request.Limiter         // the one that has let the next request pass
}

// New returns a writer without goroutines. Items can be enqueued at once.
func New[T Item](c Config[T]) *Writer[T] {
	return &Writer[T]{
		config:     c,
		jitter:     fullJitter(c.Clock.Now()),
		wake:       make(chan struct{}, 1),
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
	w.mu.Lock()
	if len(w.namespaces)+w.waiting >= w.sweepAt {
		w.sweepLocked()
	}
	ns := w.namespaces[name]
	if ns == nil {
		ns = &namespace[T]{name: name}
		w.namespaces[name] = ns
	}
	w.pushLocked(ns, item, class)
	if ns.items[class].len() == 1 { // else its places are the same
		w.ready.update(ns, &w.window, w.config.Clock.Now())
	}
	w.mu.Unlock()
	w.signal()
}

func (w *Writer[T]) pushLocked(ns *namespace[T], item T, class request.Class) {
	w.enqueued++
	w.waiting++
	ns.items[class].push(entry[T]{item, w.enqueued})
}

// PaceBy makes the writer wait for the rate limiter of its client before it decides what is
// to be written next, so that nothing waits there which is less urgent.
func (w *Writer[T]) PaceBy(limiter request.Limiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limiter = limiter
}

// OpenGates ends every back-off, so that everything is tried at once, because the end has
// come. Which namespaces fail is not forgotten: the others go first.
func (w *Writer[T]) OpenGates() {
	w.mu.Lock()
	w.window.end()
	w.server = gate{}
	now := w.config.Clock.Now()
	for _, ns := range w.sortedLocked() {
		ns.gate.until = time.Time{} // the next write is a probe
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
func (w *Writer[T]) sweepLocked() {
	now := w.config.Clock.Now()
	w.waiting = 0
	for _, ns := range w.sortedLocked() {
		for class := range ns.items {
			ns.items[class].purge()
		}
		w.waiting += ns.waiting()
		w.ready.update(ns, &w.window, now)
		if ns.forgettable(now, w.begun) {
			delete(w.namespaces, ns.name)
		}
	}
	w.sweepAt = max(minSweep, 2*(len(w.namespaces)+w.waiting))
}

// State is a copy of what a writer does, for a person who looks for a fault.
type State struct {
	Window int // how many writes may be under way
	// Gates are that of the server, and those of namespaces that have something waiting or
	// under way, or fail: those that failed most often in a row first, then the longest queues.
	Gates []Gate
}

// Gate is a copy of a gate, with the queue behind it.
type Gate struct {
	Namespace string    // empty for that of the server
	Closed    bool      // no write passes but a probe
	Failures  int       // in a row, that closed it and kept it closed
	OpensAt   time.Time // when it lets a probe through; zero if it is open
	Probing   bool      // the probe is under way
	LastError string    // the words of the last failure
	Failing   bool      // writes in the namespace hang or fail
	Waiting   int       // items in the queue
	InFlight  int
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
		InFlight: len(w.underway),
		Probing:  w.probing != 0,
	}
	s := State{Window: w.window.limit, Gates: []Gate{w.server.describe(server)}}
	slow := map[*namespace[T]]bool{} // writes in it have no answer yet
	for _, j := range w.underway {
		slow[j.ns] = slow[j.ns] || j.beside
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
			InFlight:  ns.underway,
			Probing:   isFailing && ns.underway > 0,
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

func (g *gate) describe(as Gate) Gate {
	as.Closed = g.closed()
	as.Failures = g.failures
	as.OpensAt = g.until
	as.LastError = g.lastError
	return as
}

// Of returns the gate that the writes in a namespace meet: that of the server if it is closed,
// else its own. The zero Gate holds nothing up.
func (s *State) Of(namespace string) Gate {
	for _, g := range s.Gates {
		if g.Namespace == "" && g.Closed || g.Namespace == namespace {
			return g
		}
	}
	return Gate{}
}
