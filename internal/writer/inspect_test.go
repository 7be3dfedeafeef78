// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
)

// Caught: a gate that is open and said to be closed; failures that count each write; a list in the order of namespaces;
// an attempt that is left out, or outlives its answer.
func TestInspect(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"failing": answering(retryIn(request.Namespace, 0, false), request.FirstNormal),
			"ending":  answering(terminating),
			"hanging": hanging(30 * time.Second),
		}))
		hanging := r.add(request.FirstNormal, "hanging/0", "hanging/1")
		r.add(request.FirstNormal, "failing/0", "ending/0", "healthy/0")
		r.after(time.Second)
		got := r.Inspect(3)
		opens := got.Gates[1].OpensAt
		wants := []Gate{
			{For: allWrites, Waiting: 1, InFlight: 2},
			{
				Namespace: "failing", For: allWrites, Suspect: true, Waiting: 1, Closed: true, Failures: 3, OpensAt: opens,
			},
			{Namespace: "ending", For: allWrites},
			{Namespace: "ending", For: newEvents, Closed: true, Failures: 1, OpensAt: r.began.Add(time.Minute)},
			{Namespace: "hanging", For: allWrites, Suspect: true, InFlight: 2},
		}
		if diff := cmp.Diff(wants, got.Gates); diff != "" || !opens.After(r.began.Add(time.Second)) {
			t.Errorf("gates (-want +got), the first one opens at %v:\n%s", opens, diff)
		}
		if got.Waiting != 1 || got.Queues < 3 {
			t.Errorf("%+v", got)
		}
		slices.SortFunc(got.InFlight, func(a, b InFlight[*item]) int { return int(a.Item.name[8]) - int(b.Item.name[8]) })
		if diff := cmp.Diff([]InFlight[*item]{{hanging[0], time.Second}, {hanging[1], time.Second}}, got.InFlight,
			cmp.Comparer(func(a, b *item) bool { return a == b })); diff != "" {
			t.Errorf("in flight (-want +got):\n%s", diff)
		}
		r.serve(answering(settled))
		r.after(2 * time.Minute)
		if got := r.Inspect(3); len(got.InFlight) != 0 || got.Waiting != 0 {
			t.Errorf("after the answers: %+v", got)
		}
		if got := r.Inspect(1); len(got.Gates) > 3 { // the server's, and two of one namespace
			t.Errorf("%d gates of more than one namespace", len(got.Gates))
		}
	})
}

// Caught: an item that is said to wait for its turn behind a closed gate; a time for a gate whose probe is under way.
func TestWaitsFor(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		check := func(name, namespace string, op request.Op, want Hold, until time.Duration) {
			t.Helper()
			synctest.Wait()
			hold, at := r.WaitsFor(namespace, op == request.Create)
			if timed := until >= 0; hold != want || timed && at != r.began.Add(until) || !timed && !at.IsZero() {
				t.Errorf("%s: %v until %v, want %v until %v", name, hold, at, want, until)
			}
		}
		check("nothing waits", "default", request.Create, ForTurn, -1)
		r.serve(answering(terminating))
		r.add(request.FirstNormal, "ending/0")
		check("terminating", "ending", request.Create, ForNamespace, time.Minute)
		check("patch while terminating", "ending", request.Patch, ForTurn, -1)
		r.serve(hanging(30 * time.Second))
		r.add(request.FirstNormal, "hanging/0")
		r.after(2 * time.Second)
		check("hanging", "hanging", request.Create, ForNamespace, -1)
		r.after(30 * time.Second)
		check("timed out", "hanging", request.Create, ForNamespace, 30*time.Second+firstWait)
		r.after(30*time.Second + firstWait)
		check("probed", "hanging", request.Create, ForNamespace, -1)
		r.serve(answering(unreachable, request.FirstNormal))
		r.add(request.FirstNormal, "healthy/0")
		check("server", "healthy", request.Create, ForServer, 30*time.Second+2*firstWait)
		r.serve(answering(settled))
		r.after(2 * time.Minute)
		check("recovered", "healthy", request.Create, ForTurn, -1)
	})
}

// Workers that have ended are forgotten.
func TestEndedWorkersAreForgotten(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(slowly(3*time.Second, settled))
		r.add(request.FirstNormal, names("a", 20)...)
		r.after(5 * time.Minute)
		r.look(func() {
			if len(r.running) != 1 {
				t.Errorf("%d workers run, want the one that waits", len(r.running))
			}
		})
	})
}
