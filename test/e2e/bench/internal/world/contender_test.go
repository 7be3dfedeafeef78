// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// all are the contenders that are compared.
var all = []string{sdkName, "KEP-383 alone", "tools/events", "tools/record"}

const sdkName = "eventseries"

// TestContenders: what each of them writes of a known script, and what it loses.
// Caught: no time to deliver after the end; in the SDK, a publish interval that is
// ignored, cannot be turned off, or asks for no doubling.
func TestContenders(t *testing.T) {
	tests := []struct {
		name  string
		every time.Duration
		times int
		want  map[string]Tally
	}{
		{"once", time.Minute, 1, map[string]Tally{
			sdkName:         {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			"KEP-383 alone": {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			"tools/events":  {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
			"tools/record":  {Occurrences: 1, Creates: 1, Events: 1, Shown: 1, Counted: 1},
		}},
		{"ten times in ten minutes", time.Minute, 10, map[string]Tally{
			// 1, 2, 4, 8 and the final 10.
			sdkName:         {Occurrences: 10, Creates: 1, Patches: 4, Events: 1, Shown: 10, Counted: 10},
			"KEP-383 alone": {Occurrences: 10, Creates: 1, Patches: 2, Events: 1, Shown: 10, Counted: 10},
			// 1, 2 and the final 10.
			"tools/events": {Occurrences: 10, Creates: 1, Patches: 2, Events: 1, Shown: 10, Counted: 10},
			"tools/record": {Occurrences: 10, Creates: 1, Patches: 9, Events: 1, Shown: 10, Counted: 10},
		}},
		{"a hundred times in 100 seconds", time.Second, 100, map[string]Tally{
			// 1, 2, then every 10 seconds if it has doubled: 12, 24, 48, 96, and the final 100.
			sdkName:         {Occurrences: 100, Creates: 1, Patches: 6, Events: 1, Shown: 100, Counted: 100},
			"KEP-383 alone": {Occurrences: 100, Creates: 1, Patches: 2, Events: 1, Shown: 100, Counted: 100},
			"tools/events":  {Occurrences: 100, Creates: 1, Patches: 2, Events: 1, Shown: 100, Counted: 100},
			// The spam filter lets 25 pass, and later none.
			"tools/record": {Occurrences: 100, Creates: 1, Patches: 24, Events: 1, Shown: 25, Counted: 25},
		}},
	}
	for _, test := range tests {
		for _, contender := range all {
			fixture.InBubble(t, test.name+"/"+contender, func(t *testing.T) {
				api := NewAPI()
				s := api.NewComponent(Contenders[contender], Identity{Controller: "scheduler", Host: "a"}).Series(warning(1))
				again(s, test.every, test.times)
				api.Finish()
				if got := s.Tally(); got != test.want[contender] {
					t.Errorf("got %+v, want %+v", got, test.want[contender])
				}
			})
		}
	}
}

// again lets s occur some times, from a moment that is no multiple of any interval.
func again(s *Series, every time.Duration, times int) {
	time.Sleep(1234567 * time.Microsecond)
	for range times {
		s.Occur("again")
		time.Sleep(every)
	}
}
