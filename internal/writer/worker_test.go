// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
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
