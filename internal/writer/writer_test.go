// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

func TestShares(t *testing.T) {
	inBubble(t, 8, stores(100*time.Millisecond), func(t *testing.T, r *rig) {
		r.add(request.FirstNormal, many("a", 400)...)
		r.check(t, "@0s a/0")
		time.Sleep(150 * time.Millisecond)
		r.check(t, "@100ms a/1", "@100ms a/2")
		time.Sleep(2 * time.Second)
		if synctest.Wait(); r.inFlight["a"] != 4 {
			t.Errorf("%d writes of one namespace in flight, want half of 8", r.inFlight["a"])
		}
		r.add(request.FirstNormal, many("b", 10)...)
		r.add(request.FirstNormal, many("c", 10)...)
		r.lines()
		time.Sleep(350 * time.Millisecond)
		if log := strings.Join(r.lines(), " "); !strings.Contains(log, "b/1") || !strings.Contains(log, "c/1") || r.peak() > 8 {
			t.Errorf("at most %d at a time: %s, want 8, and some of each namespace", r.peak(), log)
		}
	})
}

// The most urgent class is first, the oldest item of it, and each class has a share.
func TestOrder(t *testing.T) {
	inBubble(t, 1, stores(time.Millisecond), func(t *testing.T, r *rig) {
		r.heal("a")
		classes := map[request.Class]string{
			request.FirstWarning: "warning", request.FirstNormal: "normal", request.Second: "second", request.Count: "count",
			request.FailedCreate: "create again", request.FailedPatch: "patch again",
		}
		const each = 200
		for class := request.Classes - 1; class > request.NoWrite; class-- {
			for i := range each {
				r.add(class, fmt.Sprintf("a/%s %03d", classes[class], i))
			}
		}
		time.Sleep(time.Minute)
		seen, last := map[string]int{}, map[string]string{}
		for n, line := range r.lines()[1:] {
			_, name, _ := strings.Cut(line, "/")
			class := name[:len(name)-len(" 000")]
			if seen[class]++; name < last[class] {
				t.Errorf("%s after %s", name, last[class])
			}
			if last[class] = name; n == 160 {
				if len(seen) != len(classes) || seen["warning"] < 55 {
					t.Errorf("after 160 writes: %v, want some of all, and three eighths for Warnings", seen)
				}
				for class, n := range seen {
					if n < 15 {
						t.Errorf("%d of 160 writes for %s, want an eighth", n, class)
					}
				}
			}
		}
	})
}

// A flood in one namespace delays nobody by more than a factor of two, and what is oldest does not wait for all namespaces.
func TestOrderOfNamespaces(t *testing.T) {
	inBubble(t, 1, stores(time.Millisecond), func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, many("flood", 1000)...)
		r.add(request.FirstWarning, "quiet/web")
		position := func(name string) int {
			for i, line := range r.lines() {
				if strings.HasSuffix(line, name) {
					return i
				}
			}
			return -1
		}
		time.Sleep(100 * time.Millisecond)
		if n := position("quiet/web"); n < 0 || n > 3 {
			t.Errorf("a quiet namespace is write %d beside a flood, want one of the first", n)
		}
		time.Sleep(2 * time.Second)
		r.lines()
		r.add(request.FirstWarning, "old/0", "old/1", "old/2")
		for i := range 200 {
			r.add(request.FirstWarning, fmt.Sprintf("tenant-%d/web", i))
		}
		time.Sleep(2 * time.Second)
		if n := position("old/2"); n < 0 || n > 20 {
			t.Errorf("the third item of a namespace is write %d, want that its age counts beside 200 namespaces", n)
		}
	})
}

// A flood comes in several classes at once, as that of a pod that crashes again and again. It delays a quiet namespace in
// none of them.
func TestQuietNamespaceInEachClass(t *testing.T) {
	for class := request.FirstWarning; class < request.Classes; class++ {
		inBubble(t, 1, stores(time.Millisecond), func(t *testing.T, r *rig) {
			r.heal("quiet")
			for class := request.FirstWarning; class < request.Classes; class++ {
				r.add(class, many("flood", 300)...)
			}
			time.Sleep(50 * time.Millisecond)
			r.lines()
			r.add(class, "quiet/web")
			time.Sleep(time.Minute)
			n := slices.IndexFunc(r.lines(), func(line string) bool { return strings.HasSuffix(line, "quiet/web") })
			// Every eighth write is of the class, and every fourth of these for the namespaces in turn.
			if n < 0 || n > 13*turnEvery {
				t.Errorf("class %d: a quiet namespace is write %d beside a flood, want %d at most", class, n, 13*turnEvery)
			}
		})
	}
}

// After a restart hundreds of namespaces are new at once. One that is new a moment later does not wait for all of them.
func TestNewNamespaceAmongNewOnes(t *testing.T) {
	inBubble(t, 1, stores(time.Millisecond), func(t *testing.T, r *rig) {
		for i := range 500 {
			r.add(request.FirstWarning, fmt.Sprintf("tenant-%d/web", i))
		}
		time.Sleep(50 * time.Millisecond)
		r.lines()
		r.add(request.FirstWarning, "new/web")
		time.Sleep(time.Second)
		n := slices.IndexFunc(r.lines(), func(line string) bool { return strings.HasSuffix(line, "new/web") })
		if n < 0 || n > turnEvery {
			t.Errorf("a new namespace is write %d beside 500 others, want %d at most", n, turnEvery)
		}
	})
}

// lockedClock is a clock of a user that asks for the state of the writer.
type lockedClock struct {
	clock.RealClock
	check func()
}

func (c *lockedClock) Now() time.Time {
	c.check()
	return c.RealClock.Now()
}

// No code of the caller runs under the lock, the clock included.
//
// Caught: a clock that is asked under the lock, for each of the five calls.
func TestI2ClockIsAskedWithoutLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &lockedClock{check: func() {}}
		r := newRig(2, fails(stores(0), failed, "bad"))
		r.config.Clock = c
		c.check = func() {
			// Another goroutine may have the lock for a moment.
			for range 100_000 {
				if r.Writer.mu.TryLock() {
					r.Writer.mu.Unlock()
					return
				}
				runtime.Gosched()
			}
			t.Error("the clock is asked under the lock")
		}
		ctx, cancel := context.WithCancel(t.Context())
		r.group.Go(func() { r.Run(ctx, r.group.Go) })
		step := func(do func()) {
			do()
			time.Sleep(time.Second)
			synctest.Wait()
		}
		step(func() { r.Enqueue(&item{name: "a/0"}, "a", request.FirstWarning) })
		step(func() { r.Enqueue(&item{name: "bad/0"}, "bad", request.FirstWarning) })
		step(r.OpenGates)
		step(func() { r.PaceBy(request.NewLimiter(every(time.Millisecond))) })
		step(func() { r.Enqueue(&item{name: "a/1"}, "a", request.FirstWarning) })
		r.sweepAt = 0
		step(func() { r.Enqueue(&item{name: "a/2"}, "a", request.FirstWarning) })
		cancel()
		r.group.Wait(context.Background())
	})
}

// Namespaces that are busy by turns meet all slots: of two, each always has its only share in flight when it is the turn of
// the other one.
func TestOrderOfBusyNamespaces(t *testing.T) {
	inBubble(t, 2, stores(10*time.Millisecond), func(t *testing.T, r *rig) {
		r.heal("a")
		r.heal("b")
		for i := range 1000 {
			for _, ns := range []string{"a", "b"} {
				r.add(request.FirstWarning, fmt.Sprintf("%s/warning-%d", ns, i))
				r.add(request.FirstNormal, fmt.Sprintf("%s/normal-%d", ns, i))
				r.add(request.Count, fmt.Sprintf("%s/count-%d", ns, i))
			}
		}
		time.Sleep(5 * time.Second)
		seen := map[string]int{}
		for _, line := range r.lines() {
			_, name, _ := strings.Cut(line, " ")
			name, _, _ = strings.Cut(name, "-")
			seen[name]++
		}
		for _, name := range []string{"a/normal", "b/normal", "a/count", "b/count"} {
			if seen[name] < 25 { // 62 on average; which namespace is next is up to the scheduler
				t.Errorf("%v of 1,000 writes, want some of %s", seen, name)
			}
		}
	})
}

// One failure is the item's. Two in a row are the namespace's, which then has one write at a time, after a back-off, and
// others do not wait for it.
func TestFailingNamespace(t *testing.T) {
	inBubble(t, 4, fails(stores(0), failed, "bad"), func(t *testing.T, r *rig) {
		r.heal("good")
		r.add(request.FirstWarning, "bad/0")
		r.check(t, "@0s bad/0", "@0s bad/0") // again, as no other waits
		r.add(request.FirstWarning, "good/0")
		r.check(t, "@0s good/0")
		time.Sleep(time.Second)
		r.check(t, "@250ms bad/0", "@750ms bad/0")
		r.add(request.FirstWarning, "bad/1", "bad/2")
		time.Sleep(time.Second)
		r.check(t, "@1.75s bad/2") // the newest that has not failed
		r.says(stores(0))
		time.Sleep(3 * time.Second)
		if got := r.lines(); len(got) != 3 {
			t.Errorf("after the probe: %q, want all", got)
		}
		if s := r.Inspect(); len(s.Gates) != 1 || s.Gates[0].Closed {
			t.Errorf("%+v, want no gate but that of the server, open", s.Gates)
		}
	})
}

// Writes that hang make room after a second, and the namespace is failing from then on.
func TestHangingNamespaces(t *testing.T) {
	var sick []string
	for i := range 100 {
		sick = append(sick, fmt.Sprint("sick-", i))
	}
	inBubble(t, 4, hangs(stores(time.Millisecond), sick...), func(t *testing.T, r *rig) {
		for _, ns := range sick {
			r.add(request.FirstWarning, ns+"/0", ns+"/1")
		}
		time.Sleep(time.Minute)
		r.lines()
		r.add(request.FirstWarning, "well/0")
		time.Sleep(time.Second)
		if !slices.ContainsFunc(r.lines(), func(line string) bool { return strings.HasSuffix(line, " well/0") }) {
			t.Error("well/0 is not written within a second")
		}
		if r.peak() > 4+maxOutsideWindow {
			t.Errorf("%d writes in flight, want %d at most", r.peak(), 4+maxOutsideWindow)
		}
		for ns, n := range r.inFlight {
			if n > 1 {
				t.Errorf("%d writes in flight in %s", n, ns)
			}
		}
		if s := r.Inspect(); s.Window != 4 {
			t.Errorf("a window of %d, want 4: a time-out is not the server's", s.Window)
		}
		r.says(stores(time.Millisecond))
		time.Sleep(2 * time.Minute)
		if s := r.Inspect(); s.Gates[0].Waiting != 0 || s.Gates[0].InFlight != 0 {
			t.Errorf("%+v, want all written within two minutes", s.Gates[0])
		}
	})
}

// An item that always fails does not keep the others of its namespace waiting.
func TestOneBadItemHoldsUpNoOther(t *testing.T) {
	poison := func(_ context.Context, i *item) (request.Verdict, request.Class) {
		if i.name == "a/poison" {
			return failed, request.FirstWarning
		}
		return stored, request.NoWrite
	}
	inBubble(t, 4, poison, func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, "a/poison")
		for i := range 100 {
			time.Sleep(100 * time.Millisecond)
			r.add(request.FirstNormal, fmt.Sprint("a/", i))
		}
		time.Sleep(time.Second)
		good := 0
		for _, line := range r.lines() {
			if !strings.HasSuffix(line, "poison") {
				good++
			}
		}
		if good != 100 {
			t.Errorf("%d of 100 others are written", good)
		}
	})
}

func TestI5WhatIgnoresItsContextIsBounded(t *testing.T) {
	inBubble(t, 4, stores(time.Hour), func(t *testing.T, r *rig) {
		for i := range 200 {
			r.add(request.FirstWarning, fmt.Sprintf("sick-%d/0", i))
		}
		time.Sleep(10 * time.Minute)
		if synctest.Wait(); r.peak() != 4+maxOutsideWindow {
			t.Errorf("%d writes in flight, want %d", r.peak(), 4+maxOutsideWindow)
		}
	})
}

// Only one write at a time finds out whether the server is back, and that is one of a healthy namespace.
func TestServerIsProbedByOne(t *testing.T) {
	inBubble(t, 8, fails(stores(time.Millisecond), down, "a", "b", "c"), func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, "a/0")
		r.add(request.FirstWarning, "b/0", "c/0")
		time.Sleep(time.Minute)
		if r.peak() > 3 {
			t.Errorf("%d writes in flight", r.peak())
		}
		if n := len(r.lines()); n > 3+8 {
			t.Errorf("%d requests in a minute to a server that is down", n)
		}
		if g := r.holding("a"); g == nil || g.Namespace != "" || g.OpensAt.IsZero() {
			t.Errorf("waits for %+v, want the server", g)
		}
		r.says(stores(time.Millisecond))
		r.OpenGates()
		time.Sleep(time.Second)
		if n := len(r.lines()); n != 3 {
			t.Errorf("%d writes after the gates were opened, want all 3", n)
		}
	})
}

// An attempt that ends its goroutine costs nothing but a second attempt.
func TestGoexit(t *testing.T) {
	var left atomic.Int32
	inBubble(t, 2, func(context.Context, *item) (request.Verdict, request.Class) {
		if left.Add(1) <= 5 {
			runtime.Goexit()
		}
		return stored, request.NoWrite
	}, func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, "a/0", "a/1")
		time.Sleep(time.Minute)
		if n := len(r.lines()); n != 5+2 {
			t.Errorf("%d attempts, want 5 that end and 2", n)
		}
	})
}

func TestPaceBeforePicking(t *testing.T) {
	inBubble(t, 8, stores(0), func(t *testing.T, r *rig) {
		r.PaceBy(request.NewLimiter(every(time.Second)))
		r.add(request.Count, many("a", 5)...)
		time.Sleep(2500 * time.Millisecond)
		r.add(request.FirstWarning, "b/0")
		time.Sleep(3 * time.Second)
		r.check(t, "@1s a/0", "@2s a/1", "@3s b/0", "@4s a/2", "@5s a/3")
	})
}

// A rate limiter that refuses is asked with the back-off of an outage, whatever wakes the writer meanwhile.
func TestLimiterThatRefuses(t *testing.T) {
	inBubble(t, 8, stores(0), func(t *testing.T, r *rig) {
		var l refusing
		l.refuses.Store(true)
		r.PaceBy(request.NewLimiter(&l))
		for i := range 600 {
			r.add(request.FirstWarning, fmt.Sprint("a/", i))
			time.Sleep(time.Second)
		}
		if n := l.asked.Load(); n > 30 {
			t.Errorf("the limiter was asked %d times in 10 minutes, want 30 at most", n)
		}
		want := "client's rate limiter: no"
		if g := r.holding("a"); g == nil || g.LastError != want {
			t.Errorf("held up by %+v, want %q", g, want)
		}
		l.refuses.Store(false)
		time.Sleep(timing.GateBackoff.Longest)
		if n := len(r.lines()); n != 600 {
			t.Errorf("%d writes when it passes them again, want 600", n)
		}
	})
}

// refusing is a rate limiter that refuses for a time.
type refusing struct {
	refuses atomic.Bool
	asked   atomic.Int64
}

func (l *refusing) Wait(context.Context) error {
	l.asked.Add(1)
	if l.refuses.Load() {
		return errors.New("no")
	}
	return nil
}

// A write that is cancelled at the end of one Run has not failed, and keeps its place for the next Run.
func TestCancelledWriteKeepsItsClass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(1, hangs(nil, "a"))
		ctx, cancel := context.WithCancel(t.Context())
		r.group.Go(func() { r.Run(ctx, r.group.Go) })
		r.add(request.FirstWarning, "a/0")
		synctest.Wait()
		cancel()
		r.group.Wait(context.Background())
		if n := r.namespaces["a"].items[request.FirstWarning].len(); n != 1 {
			t.Errorf("%d first Warnings wait, want the one that was cancelled", n)
		}
	})
}

// every is a rate limiter without a burst.
type every time.Duration

func (e every) Wait(ctx context.Context) error {
	select {
	case <-time.After(time.Duration(e)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestI5WriterLetsGo(t *testing.T) {
	inBubble(t, 1, fails(stores(0), down, "down"), func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, "down/0")
		synctest.Wait()
		for i := range 100_000 {
			r.Enqueue(&item{name: "a/0", gone: true}, fmt.Sprint("ns-", i%5000), request.FirstNormal)
		}
		r.Writer.mu.Lock()
		defer r.Writer.mu.Unlock()
		if n := len(r.namespaces) + r.waiting; n > 2*minSweep {
			t.Errorf("%d namespaces and items are kept of what is gone", n)
		}
	})
}

func TestConcurrentSafe(t *testing.T) {
	inBubble(t, 16, func(context.Context, *item) (request.Verdict, request.Class) { return stored, request.NoWrite },
		func(t *testing.T, r *rig) {
			var all sync.WaitGroup
			for g := range 8 {
				all.Go(func() {
					for i := range 500 {
						r.add(request.Class(1+i%4), fmt.Sprintf("ns-%d/%d", i%7, g))
						r.Inspect()
						r.OpenGates()
					}
				})
			}
			all.Wait()
			time.Sleep(time.Second)
			if n := len(r.lines()); n != 4000 {
				t.Errorf("%d writes, want 4000", n)
			}
		})
}

// A probe may take as long as the pause before it, and five seconds at least.
func TestProbesHaveShortDeadlines(t *testing.T) {
	var most []time.Duration
	inBubble(t, 4, func(ctx context.Context, _ *item) (request.Verdict, request.Class) {
		deadline, _ := ctx.Deadline()
		most = append(most, time.Until(deadline))
		<-ctx.Done()
		return request.NoAnswer, request.FirstWarning
	}, func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, "sick/0")
		time.Sleep(3 * time.Minute)
		r.lines()
	})
	const s = time.Second
	if want := []time.Duration{30 * s, 5 * s, 5 * s, 5 * s, 5 * s, 5 * s, 8 * s, 16 * s, 30 * s}; !slices.Equal(most[:min(len(most), len(want))], want) {
		t.Errorf("deadlines of %v, want %v", most, want)
	}
}

// A namespace waits as long as the server asked to, unless the answer to another of its writes shows that it need not.
//
// Caught: a Retry-After that no good answer ends, with four writes in the second after it.
func TestRetryAfterLastsUntilAGoodAnswer(t *testing.T) {
	slowDown := request.Verdict{Action: request.Retry, Gate: request.Shared, Wait: time.Minute}
	rest := func(ctx context.Context, i *item) (request.Verdict, request.Class) {
		if i.name == "a/refused" {
			i.name = "a/again"
			return slowDown, request.FirstWarning
		}
		return stores(100*time.Millisecond)(ctx, i)
	}
	inBubble(t, 4, rest, func(t *testing.T, r *rig) {
		r.heal("a")
		r.add(request.FirstWarning, "a/under-way")
		r.check(t, "@0s a/under-way")
		r.add(request.FirstWarning, "a/refused", "a/later")
		time.Sleep(time.Second)
		r.check(t, "@0s a/refused", "@100ms a/later", "@200ms a/again")
		r.add(request.FirstWarning, "a/refused")
		r.check(t, "@1s a/refused")
		time.Sleep(time.Minute)
		r.check(t, "@1m1s a/again")
	})
}

// What a failing namespace answers says nothing new about the server.
func TestFailingNamespacesLeaveTheWindowAlone(t *testing.T) {
	busy := request.Verdict{Action: request.Retry, Gate: request.Shared}
	inBubble(t, 8, fails(stores(10*time.Millisecond), busy, "busy"), func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, many("busy", 100)...)
		time.Sleep(10 * time.Second)
		r.add(request.FirstNormal, many("a", 4000)...)
		r.add(request.FirstNormal, many("b", 4000)...)
		time.Sleep(5 * time.Second)
		for range 20 {
			time.Sleep(500 * time.Millisecond)
			if s := r.Inspect(); s.Window != 8 {
				t.Fatalf("a window of %d, want 8", s.Window)
			}
		}
		r.lines()
	})
}

// Some networks take seconds to refuse a connection, as where there is no route to a host. A probe that is slow opens the
// gate of the server once, and not again after it was refused, so the back-off grows.
//
// Caught: a write every two seconds for as long as the outage lasts.
func TestSlowRefusalsAreAnOutage(t *testing.T) {
	refuses := func(context.Context, *item) (request.Verdict, request.Class) {
		time.Sleep(2 * time.Second)
		return down, request.FirstWarning
	}
	inBubble(t, 4, refuses, func(t *testing.T, r *rig) {
		for _, namespace := range []string{"a", "b", "c"} {
			r.add(request.FirstWarning, many(namespace, 4)...)
		}
		time.Sleep(time.Hour)
		if n := len(r.lines()); n > 150 {
			t.Errorf("%d writes in an outage of an hour, want two a minute", n)
		}
		r.says(hangs(stores(0), "a"))
		time.Sleep(2 * timing.GateBackoff.Longest)
		r.says(stores(0))
		time.Sleep(2 * timing.GateBackoff.Longest)
		if s := r.Inspect(); s.Gates[0].Waiting > 0 {
			t.Errorf("%d wait two minutes after the outage: %q", s.Gates[0].Waiting, r.lines())
		}
	})
}

// A network that refused slowly may begin to swallow all packets, so that each write hangs until its timeout. A timeout does
// not prove that a server is there, so the gate of the server stays closed, and the writes go on one at a time.
//
// Caught: all namespaces wrote at once after the first timeout.
func TestTimeoutsDuringAnOutage(t *testing.T) {
	refuses := func(context.Context, *item) (request.Verdict, request.Class) {
		time.Sleep(2 * time.Second)
		return down, request.FirstWarning
	}
	inBubble(t, 8, refuses, func(t *testing.T, r *rig) {
		namespaces := []string{"a", "b", "c", "d", "e", "f"}
		for _, namespace := range namespaces {
			r.add(request.FirstWarning, namespace+"/0")
		}
		time.Sleep(10 * time.Minute)
		r.says(hangs(stores(0), namespaces...))
		time.Sleep(timing.GateBackoff.Longest)
		r.mu.Lock()
		r.most = 0
		r.mu.Unlock()
		time.Sleep(10 * time.Minute)
		if n := r.peak(); n != 1 {
			t.Errorf("%d writes in flight at a time, want 1", n)
		}
	})
}

// hanging adds a job in a namespace that has been in flight for some time, outside of the window.
func (r *rig) hanging(namespace string, began time.Time) *job[*item] {
	ctx, cancel := context.WithCancel(context.Background())
	r.lastID++
	j := &job[*item]{
		id:            r.lastID,
		ns:            newNamespace[*item](namespace),
		ctx:           ctx,
		cancel:        cancel,
		began:         began,
		outsideWindow: true,
	}
	r.Writer.inFlight = append(r.Writer.inFlight, j)
	r.outsideWindow++
	return j
}

// If nobody has an answer, one write every 250 ms is given up, the oldest one first.
func TestHangingWritesAreGivenUpOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(4, stores(0))
		began := time.Now()
		for i := range maxOutsideWindow + 3 {
			r.hanging(fmt.Sprint("sick-", i), began)
		}
		givenUp := func() (n int) {
			for _, j := range r.Writer.inFlight {
				if j.ctx.Err() != nil {
					n++
				}
			}
			return n
		}
		if in := r.makeRoomLocked(); in != timing.HangingWrite || givenUp() != 0 {
			t.Errorf("at once: %d are given up, the next one in %v, want none for %v", givenUp(), in, timing.HangingWrite)
		}
		time.Sleep(timing.HangingWrite)
		for i := range 5 {
			r.makeRoomLocked()
			r.makeRoomLocked()
			if want := min(i+1, 3); givenUp() != want {
				t.Errorf("after %v: %d are given up, want %d", time.Since(began), givenUp(), want)
			}
			time.Sleep(timing.GiveUpEvery)
		}
	})
}

// While others are answered, a write that nothing has overtaken is not given up.
func TestHangingWritesWaitWhileOthersAreAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(4, stores(0))
		for i := range maxOutsideWindow + 3 {
			r.hanging(fmt.Sprint("sick-", i), time.Now())
		}
		r.judge.good = r.lastID
		time.Sleep(time.Minute)
		if in := r.makeRoomLocked(); in != 0 || r.Writer.inFlight[0].ctx.Err() != nil {
			t.Errorf("the oldest write is given up, or will be in %v, want that it goes on", in)
		}
	})
}

// The window may grow only if a healthy namespace had to wait for it.
func TestWindowIsFull(t *testing.T) {
	for name, row := range map[string]struct {
		health   health
		inFlight int
		want     bool
	}{
		"a healthy namespace beyond its share": {healthy, 2, true},
		"a namespace in doubt":                 {inDoubt, 1, false},
		"a healthy namespace":                  {healthy, 1, false},
	} {
		r := newRig(4, stores(0))
		ns := newNamespace[*item]("a")
		ns.health = row.health
		ns.inFlight = row.inFlight
		ns.items[request.FirstWarning].push(entry[*item]{item: &item{}, number: 1})
		r.ready.update(ns, &r.window, noon)
		if r.window.full != row.want {
			t.Errorf("%s: full is %t, want %t", name, r.window.full, row.want)
		}
	}
	r := newRig(1, stores(0))
	r.Writer.inFlight = []*job[*item]{{}}
	r.Enqueue(&item{}, "a", request.FirstWarning)
	if c, _ := r.chooseLocked(time.Now()); c.ns != nil || !r.window.full {
		t.Errorf("%+v, and full is %t, want nothing because the window is full", c, r.window.full)
	}
}

// A failing namespace is no probe of the server while there are others.
func TestFailingNamespacesProbeNoServer(t *testing.T) {
	r := newRig(4, stores(0))
	r.Enqueue(&item{}, "good", request.FirstWarning)
	r.Enqueue(&item{}, "bad", request.FirstWarning)
	bad := r.namespaces["bad"]
	bad.health = failing
	r.ready.update(bad, &r.window, time.Now())
	for slotOf(r.lastID+1) != probeSlot {
		r.lastID++
	}
	if c, _ := r.chooseLocked(time.Now()); c.ns != bad {
		t.Errorf("%+v, want the failing namespace in its slot", c.ns)
	}
	r.server.failures = 1
	if c, _ := r.chooseLocked(time.Now()); c.ns == bad {
		t.Error("the failing namespace is to probe the server, want the other one")
	}
}

// When nothing else waits, a failing namespace probes the server. If its probe hangs, it has reached the server, so
// writes of other namespaces need not wait for its end.
//
// Caught: a probe that is outside of the window from the start, and so is never slow.
func TestHangingProbeOfAFailingNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(4, stores(0))
		r.Enqueue(&item{}, "bad", request.FirstWarning)
		bad := r.namespaces["bad"]
		bad.health = failing
		r.server.failures = 1
		r.ready.update(bad, &r.window, time.Now())
		j, _ := r.takeLocked(t.Context(), time.Now())
		if j == nil || !r.server.probing() {
			t.Fatalf("%+v, want the failing namespace as the probe", j)
		}
		defer j.cancel()
		r.Enqueue(&item{}, "good", request.FirstWarning)
		time.Sleep(timing.SlowWrite)
		r.findSlow()
		if c, _ := r.chooseLocked(time.Now()); c.ns == nil || c.ns.name != "good" {
			t.Errorf("%+v is next, want the healthy namespace after a second", c)
		}
		if r.outsideWindow != 1 {
			t.Errorf("%d writes outside of the window, want the one", r.outsideWindow)
		}
	})
}

// Items that are gone leave no memory behind.
func TestPurge(t *testing.T) {
	var f fifo[*item]
	for i := range 1000 {
		f.push(entry[*item]{&item{gone: i != 500}, uint64(i)})
	}
	f.purge()
	if f.len() != 1 || f.first().number != 500 || cap(f.entries) > 10 {
		t.Errorf("%d entries with room for %d are left, want number 500 alone", f.len(), cap(f.entries))
	}
	f.first().item.gone = true
	f.purge()
	if f.entries != nil {
		t.Error("an empty queue keeps memory")
	}
}

// A sweep looks again when there are twice as many, and counts what is left.
func TestSweep(t *testing.T) {
	r := newRig(4, stores(0))
	const left = 2000
	for i := range left {
		r.Enqueue(&item{}, "a", request.FirstWarning)
		r.Enqueue(&item{gone: true}, fmt.Sprint("ns-", i), request.FirstNormal)
	}
	r.sweepLocked(time.Now())
	if r.waiting != left || r.sweepAt != 2*(left+1) {
		t.Errorf("%d wait and the next sweep is at %d, want %d and %d", r.waiting, r.sweepAt, left, 2*(left+1))
	}
}

// At the end a failing namespace is tried at once, too.
func TestOpenGatesOfNamespaces(t *testing.T) {
	inBubble(t, 4, fails(stores(0), failed, "bad"), func(t *testing.T, r *rig) {
		r.add(request.FirstWarning, "bad/0")
		time.Sleep(5 * time.Second)
		r.lines()
		r.OpenGates()
		if n := len(r.lines()); n != 1 {
			t.Errorf("%d writes when the gates were opened, want one at once", n)
		}
	})
}
