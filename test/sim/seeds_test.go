// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/eventseries/eventseries/test/sim"
)

var (
	seeds    = flag.Int("seeds", 0, "how many seeds TestSeeds runs, instead of 300, or of 20 with -short or the race detector")
	first    = flag.Uint64("first", 1, "the first of them")
	progress = flag.Bool("progress", false, "say on stderr how far TestSeeds is")
)

// replay is the variable that names the one seed to run.
const replay = "SIM_SEED"

const usualSeeds, fewSeeds = 300, 20

// shrinkTries bounds the runs that it may take to shorten a script.
const shrinkTries = 500

// TestSeeds runs the simulation.
func TestSeeds(t *testing.T) {
	if text := os.Getenv(replay); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", replay, err)
		}
		replaySeed(t, seed)
		return
	}
	if job, ok := jobOfChild(t); ok {
		job.run(t)
		return
	}
	n := seedCount()
	total := newFleet(*first, n).run(t)
	t.Logf("\n%s", total)
	if n >= usualSeeds && !t.Failed() { // Fewer seeds do not cover everything.
		checkCoverage(t, total)
	}
}

// seedCount returns how many seeds TestSeeds runs. The race detector slows a seed down tenfold.
func seedCount() int {
	switch {
	case *seeds > 0:
		return *seeds
	case raceEnabled || testing.Short():
		return fewSeeds
	default:
		return usualSeeds
	}
}

// replaySeed runs one seed and prints its trace. If it fails, it prints the shortest script that fails in the same way.
func replaySeed(t *testing.T, seed uint64) {
	oneAtATime(t)
	script := sim.Generate(seed)
	r := sim.Run(t, script, os.Stdout)
	t.Logf("\n%s", r.Coverage)
	if !r.Failed() {
		return
	}
	for _, violation := range r.Violations {
		t.Error(violation)
	}
	short := shrink(t, script, r)
	r = sim.Run(t, short, os.Stdout)
	t.Logf("the shortest script that fails:\n%s%v", short, r.Violations)
}

// shrink shortens a script that breaks a rule while it breaks the same one.
func shrink(t *testing.T, script sim.Script, broken *sim.Report) sim.Script {
	return sim.Shrink(script, func(s sim.Script) bool {
		r := sim.Run(t, s, nil)
		return r.Failed() && r.Rule() == broken.Rule()
	}, shrinkTries)
}

// oneAtATime runs goroutines one at a time, so that a seed gives the same run again. With several threads, the order of
// goroutines that become ready at the same time would be random.
func oneAtATime(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}
