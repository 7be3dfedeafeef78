// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

// someStudy has the same result for everything.
func someStudy() *study {
	config := load.Config{Nodes: 10, PodsPerNode: 10, Span: 10 * time.Minute}
	s := newStudy(config, []string{"tools/events", "tools/record", "eventseries"})
	samples := memory{Components: 2, Samples: []usage{{1 << 20, 1 << 10, 10}, {1 << 21, 1 << 10, 12}}}
	for kind := range s.Controls {
		s.Controls[kind] = &memory{Samples: []usage{{1 << 10, 1 << 9, 2}, {1 << 10, 1 << 9, 2}}}
	}
	for _, r := range s.Runs {
		r.Normal, r.Bad = *tenMinutes(), *tenMinutes()
		for _, d := range []*dayResult{&r.Normal, &r.Bad} {
			d.Contender, d.Goroutines = r.Name, []int{100}
			d.Said = map[string]int64{"Warning Failed": 3, "Normal Pulled": 1}
		}
		r.Bad.Config.Bad = true
		r.Kubelet, r.Scheduler = samples, samples
		r.Idle = idle{Components: 10, CPU: time.Second, Alive: samples.Samples[0]}
	}
	return s
}

// Caught: a table whose head has a column too many; a method that the page misses.
func TestPage(t *testing.T) {
	text, err := someStudy().page()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"%!", "NaN", "Inf", "<no value>", "<nil>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	columns := 0
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(line, "|")
		if columns > 0 && n != columns {
			t.Errorf("line %d has %d columns, its table has %d: %s", i+1, n-1, columns-1, line)
		}
		columns = n
	}
	if want := "75 % of the bad day's occurrences are Warnings"; !strings.Contains(text, want) {
		t.Errorf("the page does not say %q", want)
	}
}

// Caught: the control's memory not taken off.
func TestMemoryOfEach(t *testing.T) {
	m := memory{Components: 2, Samples: []usage{{1000, 300, 10}, {5000, 100, 20}}}
	control := memory{Samples: []usage{{200, 100, 4}, {1000, 100, 4}}}
	for _, tc := range []struct {
		until                    time.Duration
		heap, stacks, goroutines float64
	}{
		{memorySampling, 400, 100, 3},
		{time.Hour, 2000, 100, 8},
	} {
		heap, stacks, goroutines := m.each(&control, tc.until)
		if heap != tc.heap || stacks != tc.stacks || goroutines != tc.goroutines {
			t.Errorf("until %v: %v, %v, %v, want %v", tc.until, heap, stacks, goroutines, tc)
		}
	}
}
