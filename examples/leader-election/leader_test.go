// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Leading, stepping down and leading again is one Event each, counted twice.
func TestTermsAreSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset()
		c := newCandidate(client)
		c.terms, c.term = 2, time.Minute
		if err := c.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{"me became leader": 2, "me stopped leading": 2}
		if diff := cmp.Diff(want, counts(client)); diff != "" {
			t.Errorf("Events (-want +got):\n%s", diff)
		}
	})
}

// The end of the context, as SIGTERM brings it, is a hand-over: the lease is
// free at once and its last Event is on the server.
func TestHandOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset()
		c := newCandidate(client)
		ctx, sigterm := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, sigterm)
		if err := c.run(ctx); err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{"me became leader": 1, "me stopped leading": 1}
		if diff := cmp.Diff(want, counts(client)); diff != "" {
			t.Errorf("Events (-want +got):\n%s", diff)
		}
		begin := time.Now()
		next := newCandidate(client)
		next.identity, next.terms = "next", 1
		if err := next.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(begin); waited >= 15*time.Second {
			t.Errorf("the next one waited %v, as if the lease had to expire", waited)
		}
	})
}

func TestPrintEvents(t *testing.T) {
	var out strings.Builder
	if err := mainErr([]string{"-identity=me", "-terms=1", "-term=1ms"}, &out); err != nil {
		t.Fatal(err)
	}
	if want := "LeaderElection Lease/leader-election-example  x1  me became leader\n"; !strings.Contains(out.String(), want) {
		t.Errorf("printed %q, want %q in it", out.String(), want)
	}
}

func newCandidate(client *eventstest.Clientset) *candidate {
	return &candidate{
		client: client, namespace: "default", identity: "me", drainTimeout: time.Second,
		say: func(string, ...any) {},
	}
}

func counts(client *eventstest.Clientset) map[string]int64 {
	all := map[string]int64{}
	for _, e := range client.Events() {
		all[e.Note] += eventview.FromEventsV1(&e).Count
	}
	return all
}
