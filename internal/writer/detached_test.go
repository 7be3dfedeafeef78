// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// checkSlow compares how many attempts are detached, and how many wait for that.
func (r *rig) checkSlow(t *testing.T, detached, waiting int) {
	t.Helper()
	r.look(func() {
		if len(r.detached.workers) != detached || len(r.detached.waiting) != waiting {
			t.Errorf("%d attempts are detached and %d wait for that, want %d and %d",
				len(r.detached.workers), len(r.detached.waiting), detached, waiting)
		}
	})
}

// A write that takes more than a second no longer takes a worker.
//
// Caught: a worker that is not replaced; one that goes on beside who replaced it; a time that is an earlier attempt's.
func TestWriterSlowAttemptsGiveTheirPlaceToOthers(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"a": slowly(10*time.Second, settled), "b": slowly(5*time.Second, settled),
		}))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		r.after(time.Second - 1)
		r.check(t, "@0s a/1")
		r.after(3 * time.Second)
		r.check(t, "@1s b/1", "@2s c/1")
		r.checkSlow(t, 2, 0)
		r.after(11 * time.Second)
		r.checkSlow(t, 0, 0)
		r.serve(slowly(500*time.Millisecond, settled))
		r.add(request.FirstNormal, "d/1", "e/1", "f/1")
		r.after(13 * time.Second)
		r.check(t, "@11s d/1", "@11.5s e/1", "@12s f/1") // one worker, as before
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"g": slowly(500*time.Millisecond, settled), "h": slowly(5*time.Second, settled),
		}))
		r.add(request.FirstNormal, "g/1", "h/1", "i/1")
		r.after(20 * time.Second)
		r.check(t, "@13s g/1", "@13.5s h/1", "@14.5s i/1") // a second after the slow one began
	})
}

// throttled is answer after d in the rate limiter of the client.
func throttled(d time.Duration, answer func(*item) (request.Verdict, request.Class)) func(*item) (request.Verdict, request.Class) {
	return func(i *item) (request.Verdict, request.Class) {
		sent := i.throttled()
		time.Sleep(d)
		sent()
		return answer(i)
	}
}

// What waits for the client's rate limiter is not slow, and nothing is taken in its place, in a healthy namespace or a
// suspect one. Its time is measured from when it is sent.
//
// Caught: time in the limiter that counts; a time that is never measured afterwards; a suspect that makes way in the
// limiter.
func TestWriterAttemptsInTheLimiterKeepTheirWorker(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"a": throttled(5*time.Second, slowly(500*time.Millisecond, settled)),
			"b": throttled(2*time.Second, slowly(5*time.Second, settled)),
			"d": throttled(2*time.Second, slowly(500*time.Millisecond, retryIn(request.Namespace, 0, false), request.FirstNormal)),
		}))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		r.after(7 * time.Second)
		r.checkSlow(t, 0, 0)
		r.after(13 * time.Second)
		r.check(t, "@0s a/1", "@5.5s b/1", "@8.5s c/1")

		r.add(request.FirstNormal, "d/1")
		r.after(16 * time.Second) // d is suspect now, and is tried again
		r.check(t, "@13s d/1", "@15.75s d/1")
		r.add(request.FirstNormal, "e/1")
		r.after(18 * time.Second)
		r.check(t, "@17.77s e/1") // workerHold after d/1 was sent
		r.serve(answering(settled))
		r.after(time.Minute)
	})
}

// A namespace that is known to fail or to hang takes no worker at all, and has one
// write under way.
//
// Caught: suspect queues written by workers; several writes of one of them.
func TestWriterSuspectsTakeNoWorker(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(hanging(time.Hour))
		r.add(request.FirstNormal, names("a", 10)...)
		r.add(request.FirstNormal, names("b", 10)...)
		r.after(5 * time.Second)
		r.checkSlow(t, 2, 0)
		r.serve(slowly(100*time.Millisecond, settled))
		r.takeLog()
		r.add(request.FirstNormal, "c/1", "d/1")
		r.check(t, "@5s c/1", "@5s d/1")
	})
}

// However many namespaces hang, so many requests and no more are under way, each
// namespace is tried again within a back-off step, and none for less than a second.
//
// Caught: no bound; no attempt that is detached; attempts that are detached at once; all of them detached.
func TestWriterBoundsWhatHangs(t *testing.T) {
	const n = 1000
	inBubble(t, 4, func(t *testing.T, r *rig) {
		deadline := 30 * time.Second
		shortest, longest := time.Hour, time.Duration(0)
		r.serve(func(i *item) (request.Verdict, request.Class) {
			began := time.Now()
			v, next := hanging(deadline)(i)
			took := time.Since(began)
			r.mu.Lock()
			defer r.mu.Unlock()
			shortest, longest = min(shortest, took), max(longest, took)
			return v, next
		})
		for i := range n {
			r.add(request.FirstNormal, fmt.Sprint("ns-", i, "/1"))
		}
		r.after(5 * time.Minute)
		last := map[string]time.Duration{}
		worst := time.Duration(0)
		r.takeLog()
		for end := 9 * time.Minute; time.Since(r.began) < end; {
			r.after(time.Since(r.began) + 10*time.Second)
			for _, line := range r.takeLog() {
				when, name, _ := strings.Cut(strings.TrimPrefix(line, "@"), " ")
				now, _ := time.ParseDuration(when)
				if before, ok := last[name]; ok {
					worst = max(worst, now-before)
				}
				last[name] = now
			}
			r.mu.Lock()
			inFlight := 0
			for _, one := range r.inFlight {
				inFlight += one
			}
			r.mu.Unlock()
			if inFlight > maxDetached+4 {
				t.Fatalf("%d requests are under way, want at most %d", inFlight, maxDetached+4)
			}
		}
		if len(last) != n || worst > deadline+2*longestWait+5*time.Second {
			t.Errorf("%d of %d namespaces are tried again, the longest time between is %v", len(last), n, worst)
		}
		if shortest < slowAfter || longest != deadline {
			t.Errorf("attempts take from %v to %v, want from %v to %v", shortest, longest, slowAfter, deadline)
		}
	})
}

// A namespace that is only slow is written, though a thousand others hang. Which attempts
// are kept is chance: each namespace has four an hour on average, so that one in fifty has
// none within the hour, and none at all in four hours one in ten million.
//
// Caught: attempts that give way without some that are kept.
func TestWriterKeepsSomeSlowAttempts(t *testing.T) {
	const n = 1000
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.jitter = fullJitter(r.began)
		const slowFrom = 10 * time.Minute // by then all are known to hang
		written := time.Duration(0)
		r.serve(func(i *item) (request.Verdict, request.Class) {
			if i.namespace != "ns-500" || time.Since(r.began) < slowFrom {
				return hanging(30 * time.Second)(i)
			}
			select {
			case <-time.After(10 * time.Second):
				written = time.Since(r.began)
				return settled, request.NoWrite
			case <-i.ctx.Done():
				return request.NoAnswer, request.FirstNormal
			}
		})
		for i := range n {
			r.add(request.FirstNormal, fmt.Sprint("ns-", i, "/1"))
		}
		for passed := slowFrom; written == 0; passed += 10 * time.Minute {
			if passed > slowFrom+4*time.Hour {
				t.Fatal("a namespace that takes ten seconds is not written within four hours")
			}
			r.after(passed)
		}
	})
}

// A sink that ignores its context is not asked for more room than it gives: the
// goroutines are bounded all the same.
func TestI5WriterBoundsWhatIgnoresItsContext(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(slowly(time.Hour, timedOut))
		for i := range 200 {
			r.add(request.FirstNormal, fmt.Sprint("ns-", i, "/1"))
		}
		r.after(30 * time.Minute)
		r.checkSlow(t, maxDetached, 4)
		if got, want := len(r.takeLog()), maxDetached+4; got != want {
			t.Errorf("%d requests are under way, want %d", got, want)
		}
	})
}

// What a namespace has shown is not forgotten with its back-off: the others go first.
//
// Caught: OpenGates that forgets who is suspect.
func TestWriterOpenGatesRemembersSuspects(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){"bad": answering(retryIn(request.Namespace, time.Hour, false), request.FirstNormal)}))
		r.add(request.FirstNormal, "bad/1")
		synctest.Wait()
		r.takeLog()
		r.serve(slowly(time.Millisecond, settled))
		r.add(request.FirstNormal, "busy/1") // takes the worker, so that the others wait
		r.OpenGates()
		r.add(request.FirstNormal, "good/1", "good/2")
		r.after(time.Minute)
		r.check(t, "@0s busy/1", "@1ms good/1", "@2ms good/2", "@3ms bad/1")
	})
}

// While there is work of healthy namespaces, a suspect one still gets its share.
//
// Caught: suspects that wait until nothing else does.
func TestWriterSuspectsGetTheirShare(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Namespace, 0, false), request.FirstNormal))
		r.add(request.FirstNormal, "bad/1")
		synctest.Wait()
		r.serve(slowly(100*time.Millisecond, settled))
		r.add(request.FirstNormal, names("good", 100)...)
		r.after(2 * time.Second)
		if got := countOf(r.takeLog(), "bad/1"); got != 2 {
			t.Errorf("%d tries of the suspect one in two seconds of work, want 2", got)
		}
	})
}

// A sink that ends the goroutine, as t.FailNow does, costs no worker, and its item
// is written again.
//
// Caught: a worker that is not replaced; an item that nobody has any more.
func TestWriterGoexitCostsNoWorker(t *testing.T) {
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			inBubble(t, workers, func(t *testing.T, r *rig) {
				var exits atomic.Int32
				r.serve(func(i *item) (request.Verdict, request.Class) {
					if exits.Add(1) <= 5 {
						r.mu.Lock() // nobody comes back to say so
						r.inFlight[i.namespace], i.writing = 0, false
						r.mu.Unlock()
						runtime.Goexit()
					}
					return settled, request.NoWrite
				})
				r.add(request.FirstNormal, "a/1", "b/1")
				r.after(time.Hour)
				if log := r.takeLog(); countOf(log, "a/1")+countOf(log, "b/1") != 7 {
					t.Errorf("requests %v, want 7", log)
				}
				r.checkWaiting(t, 0)
				r.look(func() {
					if n := r.queues["a"]; n != nil && n.inFlight != 0 {
						t.Errorf("%d writes are under way in the end", n.inFlight)
					}
				})
				r.serve(slowly(500*time.Millisecond, settled))
				for i := range 4 {
					r.add(request.FirstNormal, fmt.Sprint("n", i, "/1"))
				}
				r.after(time.Hour + time.Millisecond)
				if got, want := len(r.takeLog()), min(workers, 4); got != want {
					t.Errorf("%d workers write, want %d", got, want)
				}
			})
		})
	}
}

// A probe that hangs where several namespaces were refused makes way for the next.
//
// Caught: one that holds up all others for as long as it takes.
func TestWriterLateProbeOfPressureMakesWay(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answering(busy, request.FirstNormal))
		r.add(request.FirstNormal, "a/1")
		r.add(request.FirstNormal, "b/1")
		synctest.Wait()
		r.takeLog()
		r.serve(hanging(time.Hour))
		r.add(request.FirstNormal, "c/1", "d/1")
		r.after(2 * time.Second)
		r.check(t, "@250ms c/1", "@1.25s d/1")
	})
}

// A namespace that answers well again is as any other.
//
// Caught: one that stays suspect.
func TestWriterSuspectsRecover(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(slowly(2*time.Second, busy, request.FirstNormal))
		r.add(request.FirstNormal, "a/1")
		r.after(2100 * time.Millisecond)
		r.serve(slowly(500*time.Millisecond, settled))
		r.add(request.FirstNormal, "a/2", "a/3", "a/4", "a/5")
		r.after(time.Minute)
		r.check(t, "@0s a/1", "@2.25s a/5", "@2.75s a/1", "@2.75s a/2", "@2.75s a/3", "@3.25s a/4")
	})
}

// All gates are opened, and a hundred namespaces hang: each has one write under way
// and is tried as soon as another one has had its second.
//
// Caught: several writes of a suspect queue; a queue that waits though an attempt could give way.
func TestWriterOpenGatesTriesEachSuspect(t *testing.T) {
	const n = 100
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Namespace, time.Hour, false), request.FirstNormal))
		for i := range n {
			r.add(request.FirstNormal, fmt.Sprint("ns-", i, "/1"), fmt.Sprint("ns-", i, "/2"))
		}
		synctest.Wait()
		r.takeLog()
		r.forgetPeaks() // healthy at first, a namespace has several writes
		r.serve(hanging(time.Hour))
		r.OpenGates()
		r.after(2500 * time.Millisecond)
		tried := map[string]bool{}
		for _, line := range r.takeLog() {
			_, name, _ := strings.Cut(line, " ")
			namespace, _, _ := strings.Cut(name, "/")
			tried[namespace] = true
		}
		if len(tried) != n {
			t.Errorf("%d of %d are tried", len(tried), n)
		}
		for namespace, peak := range r.peak {
			if peak > 1 {
				t.Errorf("%s had %d writes under way, want 1", namespace, peak)
			}
		}
	})
}

// Caught: a suspect queue that probes for the server when its share has come.
func TestWriterProbesTheServerThroughAHealthyNamespace(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Namespace, 0, false), request.FirstNormal))
		r.add(request.FirstNormal, "bad/1")
		synctest.Wait()
		r.serve(answering(retryIn(request.Server, 2*time.Second, false), request.FirstNormal))
		r.add(request.FirstNormal, "good/1")
		synctest.Wait()
		r.look(func() { r.jobs = uint64(len(turns)) - 1 })
		r.takeLog()
		r.after(time.Minute)
		if log := r.takeLog(); strings.Contains(log[0], "bad/1") {
			t.Errorf("the first of %v is for the suspect namespace", log)
		}
	})
}
