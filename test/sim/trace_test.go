// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/test/sim"
)

// A seed gives the same run again, to the last request.
func TestSameSeedSameRun(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes the scheduler random")
	}
	oneAtATime(t)
	for seed := range uint64(10) {
		var first, second bytes.Buffer
		one, other := sim.Run(t, sim.Generate(seed), &first), sim.Run(t, sim.Generate(seed), &second)
		if one.Hash != other.Hash {
			t.Errorf("seed %d: two runs differ:\n%s", seed, firstDifference(first.String(), second.String()))
		}
	}
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return strings.Join(as[max(0, i-5):i], "\n") + "\n- " + as[i] + "\n+ " + bs[i]
		}
	}
	return "one is longer"
}
