// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"flag"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var (
	seeds = flag.Int("seeds", 400, "how many schedules TestOracle plays")
	first = flag.Uint64("first", 1, "the seed of the first of them")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Every promise of the package comment holds in each schedule.
func TestOracle(t *testing.T) {
	oneCore(t)
	if text := os.Getenv("ORACLE_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		s := newSchedule(seed)
		w := run(t, s, breakage{}, true)
		t.Logf("%v\n%s", s, w.excerpt(2000))
		for _, v := range w.violations {
			t.Error(v)
		}
		return
	}
	began := time.Now()
	red := map[string][]uint64{} // seeds by promise
	for seed := *first; seed < *first+uint64(*seeds); seed++ {
		s := newSchedule(seed)
		w := run(t, s, breakage{}, false)
		if len(w.violations) == 0 {
			continue
		}
		promise := w.violations[0].promise
		red[promise] = append(red[promise], seed)
		if len(red[promise]) == 1 {
			report(t, s, w.violations)
		}
	}
	t.Logf("%d seeds from %d on in %v", *seeds, *first, time.Since(began).Round(time.Millisecond))
	for _, promise := range slices.Sorted(maps.Keys(red)) {
		failed := red[promise]
		t.Errorf("%s: %d seeds, such as %v", promise, len(failed), failed[:min(len(failed), 10)])
	}
}

// oneCore limits the test to one thread, so that the scheduler has fewer choices and a seed runs
// nearly in the same way each time.
func oneCore(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// report prints a seed, and the shortest schedule that still breaks the same promise, with its
// trace.
func report(t *testing.T, s *schedule, violations []violation) {
	t.Helper()
	promise := violations[0].promise
	short := shrink(s, func(s *schedule) bool { return breaks(run(t, s, breakage{}, false), promise) })
	w := run(t, short, breakage{}, true)
	if !breaks(w, promise) {
		t.Logf("seed %d does not fail each time", s.seed)
	}
	t.Errorf("ORACLE_SEED=%d: %.2000v\n%d violations; the shortest schedule that breaks the same promise:\n%v%s",
		s.seed, violations[0], len(violations), short, w.excerpt(80))
}

func breaks(w *world, promise string) bool {
	return slices.ContainsFunc(w.violations, func(v violation) bool { return v.promise == promise })
}

// shrink returns the shortest schedule that it finds for which stillRed returns true. It leaves out
// steps, faults and options of s.
func shrink(s *schedule, stillRed func(*schedule) bool) *schedule {
	short := *s
	left := 400 // runs
	try := func(candidate schedule) bool {
		left--
		if left < 0 || !stillRed(&candidate) {
			return false
		}
		short = candidate
		return true
	}
	for size := max(len(short.steps)/2, 1); size > 0; size /= 2 {
		for i := 0; i+size <= len(short.steps); {
			candidate := short
			candidate.steps = slices.Delete(slices.Clone(short.steps), i, i+size)
			if !try(candidate) {
				i += size
			}
		}
	}
	for size := max(len(short.faults), 1); size > 0; size /= 2 {
		for i := 0; i < len(short.faults); i += size {
			candidate := short
			candidate.faults = slices.Clone(short.faults)
			changed := false
			for j := i; j < min(i+size, len(candidate.faults)); j++ {
				changed = changed || candidate.faults[j].kind != none
				candidate.faults[j] = fault{kind: none, latency: 5 * time.Millisecond}
			}
			if changed {
				try(candidate)
			}
		}
	}
	for i := range short.steps {
		if short.steps[i].n > 1 && (short.steps[i].do == emit || short.steps[i].do == loop) {
			candidate := short
			candidate.steps = slices.Clone(short.steps)
			candidate.steps[i].n = 1
			try(candidate)
		}
	}
	for _, simpler := range []func(*options){
		func(o *options) { o.subject = bySink },
		func(o *options) { o.sharedCounts = false },
		func(o *options) { o.maxSeries = 0 },
		func(o *options) { o.maxInFlight = 0 },
		func(o *options) { o.objectLimit = 0 },
		func(o *options) { o.writeTimeout = 0 },
		func(o *options) { o.drainTimeout = 0 },
		func(o *options) { o.finish = 0 },
		func(o *options) { o.refresh = 0 },
		func(o *options) { o.retryFor = 0 },
		func(o *options) { o.notes = 0 },
		func(o *options) { o.ahead = [mostProcesses]time.Duration{} },
		func(o *options) { o.serverAhead = 0 },
		func(o *options) { o.manners = [len(places)]manner{} },
		func(o *options) { o.limiter = false },
		func(o *options) { o.hostile = false },
		func(o *options) { o.watched = false },
		func(o *options) { o.doublingsOnly = false },
		func(o *options) { o.sick = false },
		func(o *options) { o.shutdownLast = false },
	} {
		candidate := short
		simpler(&candidate.options)
		if candidate.options != short.options {
			try(candidate)
		}
	}
	return &short
}
