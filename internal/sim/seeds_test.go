// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/sim"
)

var seeds = flag.Int("seeds", 300, "how many seeds TestSeeds runs")

func TestSeeds(t *testing.T) {
	if seed, err := strconv.ParseUint(os.Getenv("SIM_SEED"), 10, 64); err == nil {
		r := sim.Run(t, sim.Generate(seed), os.Stdout)
		t.Log(r.Census)
		for _, v := range r.Violations {
			t.Error(v)
		}
		if t.Failed() {
			what := label(r.Violations[0])
			short := sim.Shrink(r.Script, func(s sim.Script) bool {
				v := sim.Run(t, s, nil).Violations
				return len(v) > 0 && label(v[0]) == what
			}, 500)
			r := sim.Run(t, short, os.Stdout)
			t.Logf("shrunk:\n%s\n%v", short, r.Violations)
		}
		return
	}
	var next atomic.Uint64
	var mu sync.Mutex
	total := sim.Census{}
	began := time.Now()
	t.Run("all", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) {
			t.Run("worker", func(t *testing.T) {
				t.Parallel()
				for seed := next.Add(1); seed <= uint64(*seeds); seed = next.Add(1) {
					r := sim.Run(t, sim.Generate(seed), nil)
					for _, v := range r.Violations {
						t.Errorf("seed %d: %s", seed, v)
					}
					mu.Lock()
					total.Add(r.Census)
					mu.Unlock()
				}
			})
		}
	})
	t.Logf("%v\n%s", time.Since(began), total)
}

func label(violation string) string {
	_, text, _ := strings.Cut(violation, ": ")
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 1)], " ")
}
