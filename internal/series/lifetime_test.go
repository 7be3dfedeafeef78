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
	for name, row := range map[string]struct {
		after     time.Duration // the writes, by the clock on the wall
		suspended time.Duration
		answer    request.Verdict
		want      time.Duration
	}{
		"expired":                   {10 * time.Minute, 0, request.Verdict{Action: request.Recreate}, 10 * time.Minute},
		"expired early":             {2 * time.Minute, 0, request.Verdict{Action: request.Recreate}, 2 * time.Minute},
		"deleted at once":           {time.Minute, 0, request.Verdict{Action: request.Recreate}, math.MaxInt64},
		"expired during a suspend":  {away + 10*time.Minute, away, request.Verdict{Action: request.Recreate}, math.MaxInt64},
		"the name was another's":    {10 * time.Minute, 0, request.Verdict{Action: request.Resend}, math.MaxInt64},
		"still there":               {10 * time.Minute, 0, request.Verdict{Action: request.Stored}, math.MaxInt64},
		"suspended and still there": {away + 10*time.Minute, away, request.Verdict{Action: request.Stored}, math.MaxInt64},
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
