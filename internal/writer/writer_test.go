// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/request"
)

func TestWriterServesWhatCameBeforeStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 1)
		r.add(request.FirstNormal, "a/1", "a/2")
		r.start(t)
		r.add(request.FirstNormal, "a/3")
		r.check(t, "@0s a/1", "@0s a/2", "@0s a/3")
	})
}

// Namespaces take turns in each class.
func TestWriterTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 1)
		r.add(request.FirstNormal, "busy/c1", "busy/c2", "busy/c3")
		r.add(request.Count, "busy/p1", "busy/p2")
		r.add(request.FirstNormal, "calm/1", "new/1")
		r.add(request.Count, "calm/2")
		r.start(t)
		r.check(t, "@0s busy/c1", "@0s calm/1", "@0s new/1", "@0s busy/c2", "@0s busy/c3", "@0s busy/p1", "@0s calm/2",
			"@0s busy/p2")
	})
}

func TestWriterKeepsARetriedItemOnce(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Namespace, 0, false), request.Count))
		r.add(request.FirstNormal, "a/1")
		r.check(t, "@0s a/1")
		r.checkWaiting(t, 1)
		r.after(time.Second)
		r.check(t, "@250ms a/1", "@750ms a/1")
		r.serve(answering(settled))
		r.after(time.Minute)
		r.check(t, "@1.75s a/1")
		r.checkWaiting(t, 0)
	})
}

func TestWriterSendsAgainAtOnceWhatIsNoFault(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		answers := []request.Verdict{{Action: request.Recreate}, {Action: request.Resend}, {Action: request.Stored}}
		r.serve(func(*item) (request.Verdict, request.Class) {
			v := answers[0]
			if answers = answers[1:]; len(answers) > 0 {
				return v, request.FirstNormal
			}
			return v, request.NoWrite
		})
		r.add(request.Count, "a/1")
		r.check(t, "@0s a/1", "@0s a/1", "@0s a/1")
	})
}

func TestWriterOpenGates(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"a": answering(request.Verdict{Action: request.Forbidden, Gate: request.Namespace, Wait: time.Hour}, request.FirstNormal),
			"b": answering(terminating),
			"c": answering(retryIn(request.Server, time.Hour, false), request.FirstNormal),
		}))
		r.add(request.FirstNormal, "a/1")
		synctest.Wait()
		r.add(request.FirstNormal, "b/1")
		synctest.Wait()
		r.add(request.FirstNormal, "c/1")
		synctest.Wait()
		r.add(request.FirstNormal, "b/2")
		r.check(t, "@0s a/1", "@0s b/1", "@0s c/1")
		r.serve(answering(settled))
		r.OpenGates()
		synctest.Wait()
		if got := r.takeLog(); len(got) != 3 {
			t.Errorf("%v after the gates were opened, want all 3", got)
		}
	})
}

func TestWriterForgetsNamespaces(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(func(i *item) (request.Verdict, request.Class) {
			if i.namespace[0] == 't' {
				return terminating, request.NoWrite
			}
			return settled, request.NoWrite
		})
		most := 0
		for i := range 100_000 {
			r.add(request.FirstNormal, fmt.Sprintf("ns-%d/1", i))
			if i%100 == 0 {
				r.look(func() { most = max(most, len(r.queues)) })
			}
		}
		for i := range 100 {
			r.add(request.FirstNormal, fmt.Sprintf("terminating-%d/1", i))
		}
		r.after(3 * time.Minute)
		r.add(request.FirstNormal, "last/1")
		r.look(func() {
			if len(r.queues) != r.kept || len(r.order) != r.kept || r.kept > maxKept {
				t.Errorf("%d queues, %d in the order, %d of them kept, are left", len(r.queues), len(r.order), r.kept)
			}
		})
		if most > 1000 {
			t.Errorf("%d queues at a time", most)
		}
	})
}

// A queue that has nothing left is kept for the next item of its namespace, unless it is one too many, has a closed gate
// or room for many items.
//
// Caught: no bound; a queue that is counted twice, or not when it is used again; a gate that is remembered for ever; the
// room of a long queue that is kept.
func TestWriterKeepsIdleQueues(t *testing.T) {
	w := New[int](clock.RealClock{}, 1, nil, nil)
	retire := func(q *namespaceQueue[int]) bool {
		w.retireLocked(q)
		return w.queues[q.namespace] == q
	}
	check := func(kept, queues int) {
		t.Helper()
		if w.kept != kept || len(w.queues) != queues || w.Inspect(0).Queues != queues-kept {
			t.Fatalf("%d kept of %d queues, %d shown, want %d of %d", w.kept, len(w.queues), w.Inspect(0).Queues, kept, queues)
		}
	}
	closed := w.queueLocked("closed")
	if closed.create.shut(time.Now(), time.Hour, false, w.jitter); retire(closed) {
		t.Error("a queue with a closed gate is kept")
	}
	long := w.queueLocked("long")
	for range maxKeptItems + 1 {
		w.addLocked(long, 1, request.Count)
	}
	if long.purge(func(int) bool { return true }); retire(long) {
		t.Error("a queue that was long is kept")
	}
	check(0, 0)
	for i := range maxKept {
		q := w.queueLocked(fmt.Sprint(i))
		if kept, again := retire(q), retire(q); !kept || !again {
			t.Fatalf("queue %d is not kept", i)
		}
	}
	check(maxKept, maxKept)
	if retire(w.queueLocked("one more")) {
		t.Error("one queue too many is kept")
	}
	w.addLocked(w.queueLocked("0"), 1, request.Count)
	check(maxKept-1, maxKept)
	w.removeLocked(w.queueLocked("1"))
	check(maxKept-2, maxKept-1)
	w.purgeLocked() // nothing of the others would be forgotten
	check(0, 1)
}

// A namespace is remembered for as long as a gate of it is closed.
func TestWriterRemembersClosedGates(t *testing.T) {
	for name, v := range map[string]request.Verdict{
		"creates": terminating, "all": {Action: request.Forbidden, Gate: request.Namespace, Wait: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 1, func(t *testing.T, r *rig) {
				r.serve(answering(v))
				r.add(request.FirstNormal, "ns/1")
				r.after(30 * time.Second)
				r.add(request.FirstNormal, "ns/2")
				r.after(time.Minute)
				r.check(t, "@0s ns/1", "@1m0s ns/2")
			})
		})
	}
}

// ... and for as long as something of it is in flight.
func TestWriterRemembersWhatIsInFlight(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"slow": slowly(10*time.Second, retryIn(request.Namespace, 0, false), request.FirstNormal),
		}))
		r.add(request.FirstNormal, "slow/1")
		r.after(time.Second)
		r.add(request.FirstNormal, "other/1", "other/2") // somebody looks at all namespaces
		r.after(11 * time.Second)
		r.check(t, "@0s slow/1", "@1s other/1", "@1s other/2", "@10.25s slow/1")
	})
}

// I5: the cache lets go of series while a server is down; the queue must not
// keep them.
func TestI5WriterLetsGoOfWhatIsGone(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Server, time.Hour, false), request.FirstNormal))
		r.add(request.FirstNormal, "kept/1")
		synctest.Wait()
		waiting, queues := 0, 0
		for i := range 50_000 {
			for _, i := range r.add(request.FirstNormal+request.Class(i%2), fmt.Sprintf("a-%d/1", i), "b/1") {
				i.gone = true // before the next one is added
			}
			r.Writer.mu.Lock()
			waiting, queues = max(waiting, r.waiting), max(queues, len(r.queues))
			r.Writer.mu.Unlock()
		}
		if waiting > 2*minPurge || queues > 2*minPurge {
			t.Errorf("up to %d items in %d namespaces wait, of which 1 is wanted", waiting, queues)
		}
		r.takeLog()
		r.serve(answering(settled))
		r.after(2 * time.Hour)
		if got := countOf(r.takeLog(), "kept/1"); got != 1 {
			t.Errorf("what is wanted was written %d times", got)
		}
		r.checkWaiting(t, 0)
	})
}

// A purgeAt that is wanted is not looked through again and again.
func TestWriterPurgesRarely(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Server, time.Hour, false), request.FirstNormal))
		purges := map[int]bool{}
		for i := range 20_000 {
			r.add(request.FirstNormal, fmt.Sprintf("a/%d", i))
			r.Writer.mu.Lock()
			purges[r.purgeAt] = true
			r.Writer.mu.Unlock()
		}
		if len(purges) > 6 {
			t.Errorf("%d purges of 20000 items that are wanted: %v", len(purges), purges)
		}
		r.checkWaiting(t, 20_000)
	})
}

// Whatever the answers are: every item is written until it is settled, never
// twice at a time.
func TestWriterConcurrentSafe(t *testing.T) {
	const items, namespaces, rounds = 500, 20, 4
	var (
		group lifecycle.Group
		left  [items]atomic.Int32
		busy  [items]atomic.Bool
		todo  sync.WaitGroup
	)
	stop := make(chan struct{})
	attempt := func(_ context.Context, i int, _ func() func()) (request.Verdict, request.Class) {
		if busy[i].Swap(true) {
			t.Errorf("item %d is written twice at a time", i)
		}
		defer busy[i].Store(false)
		switch rand.N(4) {
		case 0:
			return retryIn(request.Namespace, 0, true), request.FirstNormal
		case 1:
			return retryIn(request.Server, 0, false), request.Count
		case 2:
			return request.Verdict{Action: request.Resend}, request.Count
		}
		if left[i].Add(-1) > 0 {
			return settled, request.Count
		}
		todo.Done()
		return settled, request.NoWrite
	}
	w := New(clock.RealClock{}, 4, attempt, func(int, request.Verdict) { t.Error("refused") })
	w.jitter = func(time.Duration) time.Duration { return time.Microsecond }
	w.Start(t.Context(), &group, stop)
	todo.Add(items)
	for first := range 4 {
		group.Go(func() {
			for i := first; i < items; i += 4 {
				left[i].Store(rounds)
				w.Enqueue(i, fmt.Sprint(i%namespaces), request.FirstNormal)
				if i%50 == 0 {
					w.OpenGates()
				}
			}
		})
	}
	todo.Wait()
	close(stop)
	group.Wait(t.Context())
	if w.waiting != 0 {
		t.Errorf("%d wait in the end", w.waiting)
	}
}

func BenchmarkEnqueueAndTake(b *testing.B) {
	w, epoch := New[*item](clock.RealClock{}, 4, nil, nil), time.Now()
	i, k := &item{}, w.newWorker(&team{ctx: b.Context()})
	b.ReportAllocs()
	for b.Loop() {
		w.Enqueue(i, "default", request.FirstNormal)
		_, _, _ = w.take(k, epoch)
		w.done(k, epoch, settled, request.NoWrite)
	}
}
