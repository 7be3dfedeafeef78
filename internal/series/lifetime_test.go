// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"math"
	"testing"
	"time"
	"unsafe"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
)

// suspended returns now as a machine says it that was suspended for d: its monotonic clock has stood still.
func suspended(now time.Time, d time.Duration) time.Time {
	(*struct {
		wall uint64
		ext  int64 // the monotonic clock, in nanoseconds
	})(unsafe.Pointer(&now)).ext -= int64(d)
	return now
}

// What an answer says of the lifetime: five series in five namespaces miss their Events, or give up a name.
func TestLifetimeFromAnswers(t *testing.T) {
	const away = 3 * time.Hour
	expired := request.Verdict{Action: request.Recreate}
	taken := request.Verdict{Action: request.Resend}
	there := request.Verdict{Action: request.Stored}
	for name, row := range map[string]struct {
		after     time.Duration // the writes, by the clock on the wall
		suspended time.Duration
		answer    request.Verdict
		want      time.Duration
		// failed reports that the first write gets no answer.
		failed bool
	}{
		"expired":                   {10 * time.Minute, 0, expired, 10 * time.Minute, false},
		"expired early":             {2 * time.Minute, 0, expired, 2 * time.Minute, false},
		"expired after a failure":   {10 * time.Minute, 0, expired, math.MaxInt64, true},
		"deleted at once":           {time.Minute, 0, expired, math.MaxInt64, false},
		"expired during a suspend":  {away + 10*time.Minute, away, expired, math.MaxInt64, false},
		"the name was another's":    {10 * time.Minute, 0, taken, math.MaxInt64, false},
		"still there":               {10 * time.Minute, 0, there, math.MaxInt64, false},
		"suspended and still there": {away + 10*time.Minute, away, there, math.MaxInt64, false},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			iv := intervals
			iv.Finish, iv.RetryFor = 24*time.Hour, 24*time.Hour
			c := NewCache(iv, 100, began)
			c.ShareCounts()
			var all []*entry
			for i := range 5 {
				k := keyOf(fmt.Sprint("web-", i), warning)
				k.Regarding.Namespace = fmt.Sprint("team-", i)
				all = append(all, recorded(t, c, k, 2, began))
			}
			now := suspended(began.Add(row.after), row.suspended)
			for _, s := range all {
				first := s.First()
				record(c, first.Key, Occurrence{At: now})
				if row.failed {
					s.Settle(write(t, s), request.NoAnswer, nil, now)
				}
				w := write(t, s)
				s.Settle(w, row.answer, nil, now)
				if row.answer.Action == request.Resend { // it looks, and somebody else's is there
					w = write(t, s)
					s.Settle(w, request.Verdict{Action: request.Stored}, &eventsv1.Event{}, now)
				}
				for w := begin(s); w != nil; w = begin(s) {
					s.Settle(w, request.Verdict{Action: request.Stored}, w.Event, now)
				}
			}
			if got := time.Duration(c.lifetime.estimate.Load()); got.Round(time.Second) != row.want.Round(time.Second) {
				t.Errorf("Events live for %v, want %v", got, row.want)
			}
		})
	}
}

// A few series in a few namespaces must miss their Events. One that misses its Event again and again is one series.
func TestLifetimeNeedsSeveralSeries(t *testing.T) {
	gone := func(series int64, namespace string) disappearance {
		return disappearance{
			series:    series,
			namespace: namespace,
			storedAt:  after(0),
			at:        after(10 * time.Minute),
		}
	}
	for name, row := range map[string]struct {
		missing []disappearance
		want    time.Duration
	}{
		"three in two namespaces": {
			[]disappearance{gone(1, "a"), gone(2, "a"), gone(3, "b")}, 10 * time.Minute,
		},
		"three in one namespace": {
			[]disappearance{gone(1, "a"), gone(2, "a"), gone(3, "a")}, math.MaxInt64,
		},
		"two, one of them twice": {
			[]disappearance{gone(1, "a"), gone(2, "b"), gone(1, "a")}, math.MaxInt64,
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLifetime()
			for _, d := range row.missing {
				l.missed(d, intervals.Refresh)
			}
			if got := time.Duration(l.estimate.Load()); got != row.want {
				t.Errorf("Events live for %v, want %v", got, row.want)
			}
		})
	}
}
