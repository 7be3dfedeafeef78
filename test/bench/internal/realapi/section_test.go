// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"testing"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// round is one in which the bare client writes a hundred in a second, and the SDK that many in so long.
func round(delivered int, elapsed time.Duration) []sample {
	return []sample{
		{contender: report.Bare, size: 100, delivered: 100, elapsed: time.Second, cpu: time.Second},
		{contender: report.SDK, size: 100, delivered: delivered, elapsed: elapsed, cpu: time.Second},
	}
}

// Caught: the ratio of the medians; the ratio upside down; the least ratio; the median share.
func TestDemands(t *testing.T) {
	same, double := round(100, time.Second), round(100, 2*time.Second)
	slow := func(s []sample) []sample { // a round in which the machine has other things to do
		for i := range s {
			s[i].elapsed *= 10
		}
		return s
	}
	for name, row := range map[string]struct {
		rounds          [][]sample
		fast, delivered bool
	}{
		"as fast":            {[][]sample{round(100, time.Second)}, true, true},
		"just":               {[][]sample{round(90, time.Second)}, true, false},
		"slower":             {[][]sample{round(100, 1200*time.Millisecond)}, false, true},
		"faster":             {[][]sample{round(100, 500*time.Millisecond)}, true, true},
		"slower in one":      {[][]sample{same, double, same}, true, true},
		"a busy machine":     {[][]sample{same, slow(round(100, time.Second)), double}, true, true},
		"short in one":       {[][]sample{same, round(99, time.Second), same}, true, false},
		"an even number, no": {[][]sample{same, double}, false, true},
		"busy for one alone": {[][]sample{
			{same[0], slow(round(100, time.Second))[1]}, slow(round(100, 3*time.Second)), same,
		}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{what: "creates", contenders: []contender{{name: report.Bare}, {name: report.SDK}}}
			for _, r := range s.section(row.rounds).Rows {
				switch {
				case r.Demand == nil:
				case r.Contender == report.Bare && r.Demand.Pass != row.fast:
					t.Errorf("%q: %v, want %v", r.Demand.Text, r.Demand.Pass, row.fast)
				case r.Contender == report.SDK && r.Demand.Pass != row.delivered:
					t.Errorf("%q: %v, want %v", r.Demand.Text, r.Demand.Pass, row.delivered)
				}
			}
		})
	}
}
