// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func runFor(t *testing.T, ctx context.Context, side side) (result, error) {
	t.Helper()
	o := options{duration: time.Minute, namespace: "default"}
	return node{options: o, name: "node-1", side: side, api: memoryAPI()}.run(ctx)
}

func TestInterruptedRunIsStillCounted(t *testing.T) {
	for _, side := range []side{before, after} {
		t.Run(side.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				got, err := runFor(t, ctx, side)
				if err != nil || got.occurrences == 0 || got.lost() != 0 {
					t.Errorf("result %+v, %v, want some occurrences and none of them lost", got, err)
				}
			})
		})
	}
}

// simulated runs one side for the length of o.
func simulated(t *testing.T, side side, o options) result {
	t.Helper()
	out, err := simulateSide(t, o, side)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The output of the demo is in README.md, and a test of the documentation compares it.
func TestSimulatedHour(t *testing.T) {
	o := options{duration: time.Hour, namespace: "default", seed: 1}
	b, a := simulated(t, before, o), simulated(t, after, o)
	t.Logf("before %+v", b)
	t.Logf("after  %+v", a)
	if a.lost() != 0 || a.stored.counts != a.occurrences {
		t.Errorf("after: %d occurrences, %d on the server, %d lost, want none", a.occurrences, a.stored.counts, a.lost())
	}
	if b.stored.counts > b.occurrences {
		t.Errorf("before: %d on the server of %d occurrences", b.stored.counts, b.occurrences)
	}
	// Otherwise the comparison is none.
	if b.occurrences != a.occurrences || a.occurrences < 10_000 {
		t.Errorf("occurrences: %d before and %d after, want equally many, at least 10,000", b.occurrences, a.occurrences)
	}
	if a.writes >= b.writes {
		t.Errorf("writes: %d after, want fewer than the %d before", a.writes, b.writes)
	}
	// All but the one about the node itself.
	if a.stored.related != a.stored.objects-1 || b.stored.related != 0 {
		t.Errorf("related objects on %d of %d after, on %d before", a.stored.related, a.stored.objects, b.stored.related)
	}
}
