// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// The order of what waits is that of what is asked, in whatever order it arrived and whatever the names are.
//
// Caught: sorting by arrival, and lines with a name in them.
func TestWaitingIsInAFixedOrder(t *testing.T) {
	var first []string
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			s := apiserver.New(time.Now)
			calls := assorted(s)
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
			var pending sync.WaitGroup
			for i, call := range calls {
				pending.Go(func() { _ = call(t.Context(), fmt.Sprintf("web.%d", i)) })
			}
			synctest.Wait()
			var lines []string
			for _, q := range s.Waiting() {
				lines = append(lines, q.String())
				q.Answer()
			}
			pending.Wait()
			if first == nil {
				first = lines
			}
			if diff := cmp.Diff(first, lines); diff != "" {
				t.Errorf("seed %d: the order changed (-first +now):\n%s", seed, diff)
			}
		})
	}
	if !slices.IsSorted(first) || len(first) != len(slices.Compact(slices.Clone(first))) {
		t.Errorf("lines %q, want them sorted and different", first)
	}
}

// assorted are calls that differ in one thing each.
func assorted(s *apiserver.Server) []func(ctx context.Context, name string) error {
	var calls []func(ctx context.Context, name string) error
	variants := []func(e *eventsv1.Event){
		func(*eventsv1.Event) {},
		func(e *eventsv1.Event) { e.Namespace, e.Regarding.Namespace = "bank", "bank" },
		func(e *eventsv1.Event) { e.Regarding.Name = "db" },
		func(e *eventsv1.Event) { e.Regarding.UID = "uid" },
		func(e *eventsv1.Event) { e.Regarding.FieldPath = "spec.containers{c}" },
		func(e *eventsv1.Event) { e.Type = corev1.EventTypeWarning },
		func(e *eventsv1.Event) { e.Reason = "Failed" },
		func(e *eventsv1.Event) { e.Action = "Starting" },
		func(e *eventsv1.Event) { e.Note = "other" },
		func(e *eventsv1.Event) { e.ReportingController = "other" },
		func(e *eventsv1.Event) { e.Related = &corev1.ObjectReference{Kind: "Node", Name: "n"} },
		func(e *eventsv1.Event) { counted(e, 9) },
	}
	for _, component := range []string{"a", "b"} {
		r := newRig(nil, s, component)
		for _, vary := range variants {
			calls = append(calls, func(ctx context.Context, name string) error {
				e := event(name)
				vary(e)
				return create(r.v1, e)(ctx)
			})
		}
		calls = append(calls,
			func(ctx context.Context, name string) error { return create(r.core, event(name))(ctx) },
			func(ctx context.Context, name string) error { return patch(r.v1, name, 2, "")(ctx) },
			func(ctx context.Context, name string) error { return patch(r.v1, name, 3, "7")(ctx) },
			func(ctx context.Context, _ string) error { return probe(prober(r))(ctx) },
		)
	}
	return calls
}

// A patch is described by the create that came before it.
func TestPatchIsDescribed(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.must(create(r.v1, event("web.1")))
		q, result := r.send(patch(r.v1, "web.1", 2, "1"))
		const want = "controller patch events.events.k8s.io shop " +
			`Pod/web Normal Killed/Killing example.com/controller "stopping" x2 if unchanged`
		if q.String() != want {
			t.Errorf("line %q, want %q", q, want)
		}
		if q.Component() != component || q.Verb() != "patch" || q.Group() != v1 || q.Resource() != "events" ||
			q.Namespace() != "shop" || q.Name() != "web.1" || q.Count() != 2 || q.Legacy() || !q.ArrivedAt().Equal(time.Now()) {
			t.Errorf("accessors of %+v", q)
		}
		if about := q.Event(); about == nil || about.Message != "stopping" {
			t.Errorf("it is about %+v", about)
		}
		q.Answer()
		if err := <-result; err != nil || q.Outcome() != "200" {
			t.Errorf("%v, outcome %q", err, q.Outcome())
		}
	})
}

// A client whose context ends waits no longer, and its write may still land.
func TestGiveUp(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		because := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		q, result := r.sendIn(ctx, create(r.v1, event("web.1")))
		if q.GaveUp() {
			t.Error("given up at once")
		}
		cancel(because)
		if err := <-result; !errors.Is(err, because) {
			t.Errorf("Create = %v, want the cause", err)
		}
		if !q.GaveUp() || len(r.Waiting()) != 1 {
			t.Errorf("given up: %v, %d wait", q.GaveUp(), len(r.Waiting()))
		}
		q.Answer()
		if got := q.Outcome(); got != "late 201" || len(r.Waiting()) != 0 {
			t.Errorf("outcome %q, %d wait", got, len(r.Waiting()))
		}
	})
}

// Outcomes are for the trace of a run.
func TestOutcome(t *testing.T) {
	for want, end := range map[string]func(r *rig, call call) *pending{
		"":           func(r *rig, call call) *pending { q, _ := r.send(call); return q },
		"201":        func(r *rig, call call) *pending { q, _ := r.send(call); q.Answer(); return q },
		"lost EOF":   func(r *rig, call call) *pending { q, _ := r.send(call); q.Lose(apiserver.ErrClosed); return q },
		"broken EOF": func(r *rig, call call) *pending { q, _ := r.send(call); q.Break(apiserver.ErrClosed); return q },
		"masked 502": func(r *rig, call call) *pending { q, _ := r.send(call); q.Mask(apiserver.BadGateway); return q },
		"503":        func(r *rig, call call) *pending { q, _ := r.send(call); q.Fail(apiserver.Starting); return q },
		"late 201":   func(r *rig, call call) *pending { q := r.giveUp(call); q.Answer(); return q },
		"late vanished": func(r *rig, call call) *pending {
			q := r.giveUp(call)
			q.Vanish()
			return q
		},
	} {
		inBubble(t, func(t *testing.T, r *rig) {
			if got := end(r, create(r.v1, event("web.1"))).Outcome(); got != want {
				t.Errorf("outcome %q, want %q", got, want)
			}
		})
	}
}

// An answer that comes while the context ends either counts or is late: the client and the server agree on it.
//
// Caught: the answer left where it is.
func TestAnswerWhileTheContextEnds(t *testing.T) {
	for range 50 {
		inBubble(t, func(t *testing.T, r *rig) {
			ctx, cancel := context.WithCancel(t.Context())
			q, result := r.sendIn(ctx, create(r.v1, event("web.1")))
			cancel()
			q.Answer()
			if err, acked := <-result, r.object().MaxAcked; (err == nil) != (acked == 1) {
				t.Fatalf("Create = %v, acknowledged %d", err, acked)
			}
		})
	}
}

func TestMisusePanics(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		q, result := r.send(create(r.v1, event("web.1")))
		mustPanic(t, "Vanish of a request whose client waits", q.Vanish)
		q.Answer()
		<-result
		mustPanic(t, "a second answer", q.Answer)
	})
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	f()
}

// Many clients at once, and a driver that asks about everything meanwhile.
func TestServerConcurrentSafe(t *testing.T) {
	s := apiserver.New(time.Now)
	done := make(chan struct{})
	var clients sync.WaitGroup
	for c := range 4 {
		clients.Go(func() {
			r := newRig(t, s, fmt.Sprint("component-", c))
			for i := range 5 {
				name := fmt.Sprintf("web.%d.%d", c, i)
				_ = create(r.v1, event(name))(t.Context())
				_ = patch(r.v1, name, 2, "")(t.Context())
			}
		})
	}
	go func() {
		defer close(done)
		clients.Wait()
	}()
	for {
		select {
		case <-s.Arrived():
			for _, q := range s.Waiting() {
				q.Answer()
			}
			_, _, _ = s.Objects(), s.Calls(), s.AnnotateEvent(1)
		case <-done:
			if n, v := len(s.Objects()), s.Violations(); n != 20 || len(v) != 0 {
				t.Errorf("%d objects, want 20; violations %q", n, v)
			}
			return
		}
	}
}
