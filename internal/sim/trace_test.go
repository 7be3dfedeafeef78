// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"bytes"
	"flag"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/internal/sim"
)

var twice = flag.Int("twice", 30, "how many seeds TestSameSeedSameRun runs twice")

// A seed gives the same run again.
func TestSameSeedSameRun(t *testing.T) {
	for seed := range uint64(*twice) {
		first, second := sim.Run(t, sim.Generate(seed), nil), sim.Run(t, sim.Generate(seed), nil)
		if first.Hash != second.Hash {
			var a, b bytes.Buffer
			for range 20 {
				a.Reset()
				b.Reset()
				sim.Run(t, sim.Generate(seed), &a)
				sim.Run(t, sim.Generate(seed), &b)
				if !bytes.Equal(a.Bytes(), b.Bytes()) {
					break
				}
			}
			as, bs := strings.Split(a.String(), "\n"), strings.Split(b.String(), "\n")
			for i := range as {
				if i >= len(bs) || as[i] != bs[i] {
					t.Errorf("seed %d differs:\n%s\n--- %s\n--- %s", seed, strings.Join(as[max(0, i-5):i], "\n"), as[i], bs[min(i, len(bs)-1)])
					break
				}
			}
			t.Errorf("seed %d: two runs differ", seed)
		}
	}
}
