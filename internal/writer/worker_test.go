// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

func TestWriterStopJoins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 3)
		r.serve(slowly(time.Minute, settled))
		r.Start(t.Context(), &r.group, r.stop)
		r.add(request.FirstNormal, "a/1", "b/1", "a/2", "b/2", "c/1")
		r.check(t, "@0s a/1", "@0s b/1", "@0s c/1")
		close(r.stop)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if n := r.group.Wait(ctx); n != 3 {
			t.Errorf("%d workers are writing, want 3", n)
		}
		if n := r.group.Wait(t.Context()); n != 0 || time.Since(r.began) != time.Minute {
			t.Errorf("%d workers after %v, want none once their writes have returned", n, time.Since(r.began))
		}
		r.check(t) // nothing else was begun
		r.checkWaiting(t, 2)
	})
}

func TestWriterStopsWhileIdle(t *testing.T) {
	for name, answer := range map[string]request.Verdict{
		"nothing to do": settled, "gate closed": unreachable, "paused": limited,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 2)
				r.serve(answering(answer, request.FirstNormal))
				if answer == settled {
					r.serve(answering(answer))
				}
				r.Start(t.Context(), &r.group, r.stop)
				r.add(request.FirstNormal, "a/1")
				synctest.Wait()
				close(r.stop)
				r.group.Wait(t.Context())
				if d := time.Since(r.began); d != 0 {
					t.Errorf("it takes %v", d)
				}
			})
		})
	}
}

// What never reached the server is no answer between two refusals, and opens no gate.
//
// Caught: a request that cannot be built that counts as answered.
func TestWriterWhatWasNotSentIsNoAnswer(t *testing.T) {
	for name, v := range map[string]request.Verdict{"limited": limited, "unsendable": unsendable, "filtered": filtered} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 1, func(t *testing.T, r *rig) {
				r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
					"a": answering(busy, request.FirstNormal), "b": answering(v), "c": answering(busy, request.FirstNormal),
				}))
				r.add(request.FirstNormal, "a/1", "b/1", "c/1")
				r.after(260 * time.Millisecond)
				r.checkPressure(t, true)
				r.serve(answering(v))
				r.add(request.FirstNormal, "d/1")
				r.after(280 * time.Millisecond)
				r.checkPressure(t, true)
			})
		})
	}
}

func TestWriterThrottledClosesNothingAndDoesNotSpin(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(answering(limited, request.FirstNormal))
		r.add(request.FirstNormal, names("a", 3)...)
		r.add(request.FirstNormal, names("b", 3)...)
		r.after(time.Minute)
		if got, want := len(r.takeLog()), 2*(4*60+1); got != want {
			t.Errorf("%d attempts in a minute, want %d: one a quarter of a second and worker", got, want)
		}
		r.look(func() {
			if r.server.closed() || r.queues["a"].all.closed() || r.queues["b"].create.closed() {
				t.Error("a gate is closed")
			}
		})
	})
}

func TestWriterThrottledOpensNothing(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(unreachable, request.FirstNormal))
		r.add(request.FirstNormal, "a/1")
		synctest.Wait()
		r.serve(answering(limited, request.FirstNormal))
		r.after(time.Second)
		r.checkServerClosed(t, true)
	})
}

// A worker that rests leaves its place in the namespace to another one.
func TestWriterThrottledWorkerMakesWay(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(slowly(time.Millisecond, limited))
		r.add(request.FirstNormal, "a/1", "a/2")
		r.after(100 * time.Millisecond)
		r.check(t, "@0s a/1", "@1ms a/2")
	})
}

// Workers come while something waits and leave when nothing does; one is always there.
//
// Caught: a worker that does not start the next one; one that stays beside the one that waits; more than there are
// places.
func TestWorkersComeAndLeave(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		check := func(running int) {
			t.Helper()
			r.look(func() {
				if len(r.running) != running || r.working != running || r.reserve > 1 {
					t.Errorf("%d workers run and %d have a place, %d of them wait, want %d",
						len(r.running), r.working, r.reserve, running)
				}
			})
		}
		check(1)
		r.serve(slowly(100*time.Millisecond, settled))
		r.add(request.FirstNormal, "a/1")
		check(2)
		r.after(100 * time.Millisecond)
		check(1)
		for i := range 10 {
			r.add(request.FirstNormal, fmt.Sprint("b", i, "/1"))
		}
		check(4)
		r.after(time.Second)
		check(1)
		if n := len(r.takeLog()); n != 11 {
			t.Errorf("%d requests, want 11", n)
		}
	})
}

// The worker that waits learns that another one's answer has closed a gate for less than it waits.
//
// Caught: an answer that does not signal.
func TestTheWorkerThatWaitsKnowsTheNextGate(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"far":  answering(retryIn(request.Namespace, time.Minute, false), request.FirstNormal),
			"near": slowly(time.Millisecond, retryIn(request.Namespace, 2*time.Second, false), request.FirstNormal),
		}))
		r.add(request.FirstNormal, "far/1")
		synctest.Wait()
		r.add(request.FirstNormal, "near/1")
		r.after(3 * time.Second)
		r.check(t, "@0s far/1", "@0s near/1", "@2.001s near/1")
	})
}
