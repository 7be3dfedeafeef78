// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// An Event that has expired tells how long the server keeps Events, if the time of its last write is known.
func TestLifetimeIsLearned(t *testing.T) {
	retry := held
	refused := answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.Rejected}}
	for name, row := range map[string]struct {
		before *answer // to a write an hour after the one that was stored
		age    time.Duration
		want   time.Duration
	}{
		"expired":       {nil, 20 * time.Minute, 10 * time.Minute},
		"later":         {nil, 2 * time.Hour, intervals.Refresh},
		"deleted soon":  {nil, 2*time.Minute - 1, intervals.Refresh},
		"held since":    {&retry, 20 * time.Minute, intervals.Refresh},
		"refused since": {&refused, 20 * time.Minute, intervals.Refresh},
	} {
		t.Run(name, func(t *testing.T) {
			c, k, now := newCache(intervals, 4), spread("web", normal), epoch
			s := recorded(t, c, k, 2, now)
			goOn := func(d time.Duration) {
				for end := now.Add(d); now.Before(end); now = now.Add(time.Minute) {
					see(c, k, now)
				}
			}
			if row.before != nil {
				goOn(time.Hour)
				settle(s, write(t, s), *row.before, now)
			}
			began := now
			goOn(row.age)
			now = began.Add(row.age)
			settle(s, write(t, s), answer{Verdict: request.Verdict{Action: request.Recreate}}, now)
			w := write(t, s)
			if w.Op != request.Create {
				t.Fatalf("the Event is written by %v", w.Op)
			}
			settle(s, w, accepted, now)
			if got := c.iv.refresh(); got != row.want {
				t.Errorf("refreshed after %v, want %v", got, row.want)
			}
		})
	}
}
