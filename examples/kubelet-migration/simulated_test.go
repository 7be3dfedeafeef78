// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"
)

// simulated runs one side for the length of o.
func simulated(t *testing.T, side side, o options) result {
	t.Helper()
	out, err := simulateSide(t, o, side)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSimulatedHour(t *testing.T) {
	for _, test := range []struct {
		pleg     string
		duration time.Duration
		least    int64 // occurrences
		returned int64 // to the stream, after as many fallbacks
	}{
		{plegEvented, time.Hour, 10000, 1},
		{plegGeneric, 10 * time.Minute, 2000, 0},
	} {
		t.Run(test.pleg, func(t *testing.T) {
			o := options{duration: test.duration, namespace: "default", pleg: test.pleg, seed: 1}
			b, a := simulated(t, before, o), simulated(t, after, o)
			t.Logf("before %+v", b)
			t.Logf("after  %+v", a)

			if a.lost() != 0 || a.stored.counts != a.occurrences {
				t.Errorf("after: %d occurrences, %d on the server, %d lost, want none",
					a.occurrences, a.stored.counts, a.lost())
			}
			if b.stored.counts > b.occurrences {
				t.Errorf("before: %d on the server of %d occurrences", b.stored.counts, b.occurrences)
			}
			// Otherwise the comparison is none.
			if b.occurrences != a.occurrences || a.occurrences < test.least {
				t.Errorf("occurrences: %d before and %d after, want equally many, at least %d",
					b.occurrences, a.occurrences, test.least)
			}
			if a.writes >= b.writes {
				t.Errorf("writes: %d after, want fewer than the %d before", a.writes, b.writes)
			}
			// All but the one about the node itself.
			if a.stored.related != a.stored.objects-1 || b.stored.related != 0 {
				t.Errorf("related objects on %d of %d after, on %d before",
					a.stored.related, a.stored.objects, b.stored.related)
			}
			if a.fallbacks != test.returned || a.returns != test.returned {
				t.Errorf("%d fallbacks and %d returns, want %d of each", a.fallbacks, a.returns, test.returned)
			}
		})
	}
}

func TestHourCanBeRepeated(t *testing.T) {
	o := options{duration: 5 * time.Minute, namespace: "default", pleg: plegEvented, seed: 7}
	for _, side := range []side{before, after} {
		if one, two := simulated(t, side, o), simulated(t, side, o); one != two {
			t.Errorf("%s: %+v, then %+v", side.name, one, two)
		}
	}
}
