// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// answerAll records an occurrence each step until the end. Each write is answered by
// answer; when they were begun is returned.
func answerAll(
	c *Cache, k Key, step, end time.Duration, answer func(now time.Duration) answer,
) (asked []time.Duration) {
	version := 0
	settle := func(s *Series, now time.Duration) {
		for w := begin(s); w != nil; w = begin(s) {
			asked = append(asked, now)
			a := answer(now)
			version++
			a.version = fmt.Sprint(version)
			if next, _ := settle(s, w, a, at(now)); next == 0 {
				return
			}
		}
	}
	for now := time.Duration(0); now <= end; now += step {
		due, _, _ := expire(c, at(now))
		for _, d := range due {
			settle(seriesOf(d.Item), now)
		}
		if r := see(c, k, at(now)); r.Enqueue != 0 {
			settle(r.Series, now)
		}
	}
	return asked
}

// A loop with an event that is never accepted costs ten requests in its first hour and
// eight in each later one.
func TestTrialsOfAHotLoop(t *testing.T) {
	c := newCache(intervals, 4)
	asked := answerAll(c, keyOf("web", warning), time.Second, 3*time.Hour, func(time.Duration) answer { return refused })
	want := []time.Duration{0, 1, 3, 7, 15, 23, 31, 39, 47, 55, 63, 71, 79, 87, 95, 103, 111, 119, 127, 135, 143, 151, 159, 167, 175}
	for i := range want {
		want[i] *= time.Minute
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	n := int64(3*60*60 + 1)
	checkCounts(t, c, counts{observed: n, size: 1, dropped: map[stats.Reason]int64{stats.Rejected: n}})
}

// Waits do not overflow, and neither do the numbers that they come from.
func TestBackoff(t *testing.T) {
	for times, want := range map[uint8]time.Duration{
		1: time.Minute, 2: 2 * time.Minute, 4: 8 * time.Minute, 5: 8 * time.Minute, 255: 8 * time.Minute,
	} {
		if got := backoff(firstRetry, longestRetry, times); got != want {
			t.Errorf("after %d times %v, want %v", times, got, want)
		}
	}
	if oneMore(0) != 1 || oneMore(254) != 255 || oneMore(255) != 255 {
		t.Error("the number of refusals goes round")
	}
}

// What is refused by itself is given up when that lasts, in times as well as in time. Then
// it is tried again as any other refused series, and one more refusal is enough.
func TestDeniedSeriesIsGivenUp(t *testing.T) {
	const held, over, retry, forbidden, stored = "held", "over", "retry", "forbidden", "stored"
	verdicts := map[string]request.Verdict{
		held:      {Action: request.Forbidden, Gate: request.Namespace, Hold: true, Reason: stats.Rejected},
		retry:     {Action: request.Retry, Gate: request.Namespace},
		forbidden: {Action: request.Forbidden, Gate: request.Namespace},
		stored:    {Action: request.Stored},
	}
	verdicts[over] = verdicts[held]
	type step struct {
		at     time.Duration
		answer string
	}
	for name, steps := range map[string][]step{
		"many times in 59 seconds":        {{0, held}, {time.Second, held}, {2 * time.Second, held}, {59 * time.Second, held}},
		"twice in an hour":                {{0, held}, {time.Hour, held}},
		"three times in a minute":         {{0, held}, {time.Second, held}, {time.Minute, over}},
		"no answer in between":            {{0, held}, {time.Second, retry}, {2 * time.Second, held}, {time.Minute, over}},
		"the namespace is refused":        {{0, held}, {time.Second, held}, {2 * time.Second, forbidden}, {time.Minute, held}, {2 * time.Minute, held}, {3 * time.Minute, over}},
		"it is stored":                    {{0, held}, {time.Second, held}, {2 * time.Second, stored}, {time.Minute, held}, {61 * time.Second, held}, {2 * time.Minute, over}},
		"another try after the last word": {{0, held}, {time.Second, held}, {time.Minute, over}, {2 * time.Minute, over}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 4)
			for i, step := range steps {
				now := at(2*time.Hour + step.at) // not before the cache
				s := see(c, keyOf("web", warning), now).Series
				flushAll(c, now)
				_, dropped := settle(s, write(t, s), answer{Verdict: verdicts[step.answer], version: "1"}, now)
				if given := len(dropped) > 0 && dropped[0].Reason == stats.Rejected; given != (step.answer == over) {
					t.Errorf("step %d: dropped %v, want it %s", i, dropped, step.answer)
				}
			}
		})
	}
}

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
