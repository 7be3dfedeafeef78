// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package accounts compares what a storm recorded with what the SDK says became of
// it and with what the server has, series by series.
package accounts

import (
	"fmt"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/storm"
)

// Account is the three sides of one scenario, after Drain.
type Account struct {
	Emitted  storm.Counts // by the storm's own books
	Stats    events.Stats
	Dropped  storm.Counts // as the drop handler heard
	OnServer storm.Counts // as the Observer saw
	// Correlated says that client-go's correlator counts: it adds what the server
	// refused to a later count of the same Event.
	Correlated bool
}

// Check returns how many occurrences nobody accounts for, and what is wrong, in
// words. What is right is
//
//	emitted = observed = recorded + dropped
//	recorded ≤ on the server ≤ recorded + unconfirmed
//
// the former also by the drop handler's account, the latter's left side for every
// single series, and its right side for all of them together.
func (a *Account) Check() (unaccounted int64, problems []string) {
	off := func(n int64, format string, args ...any) {
		if n != 0 {
			unaccounted += max(n, -n)
			problems = append(problems, fmt.Sprintf("%d: ", n)+fmt.Sprintf(format, args...))
		}
	}
	s := &a.Stats
	off(a.Emitted.Total()-s.Observed, "emitted %d, observed %d", a.Emitted.Total(), s.Observed)
	off(s.Pending, "pending after Drain")
	off(s.Observed-s.Recorded-s.Pending-Dropped(s), "observed %d, recorded %d, dropped %v",
		s.Observed, s.Recorded, s.Dropped)
	off(Dropped(s)-a.Dropped.Total(), "dropped %d, the handler heard of %d", Dropped(s), a.Dropped.Total())

	var extra int64
	for key := range a.keys() {
		recorded := a.Emitted[key] - a.Dropped[key]
		switch n := a.OnServer[key] - recorded; {
		case n < 0:
			off(n, "%v: recorded %d, on the server %d", key, recorded, a.OnServer[key])
		case n > 0:
			extra += n
		}
	}
	// What client-go's spam filter suppresses it adds to a later count.
	allowed := s.Unconfirmed + s.Dropped[events.SpamFilter]
	if a.Correlated {
		allowed += s.Dropped[events.Rejected]
	}
	off(max(extra-allowed, 0), "%d more on the server than recorded, of which %d may be", extra, allowed)
	return unaccounted, problems
}

func (a *Account) keys() storm.Counts {
	all := storm.Counts{}
	all.Add(a.Emitted)
	all.Add(a.Dropped)
	all.Add(a.OnServer)
	return all
}

// Dropped is the sum over the reasons.
func Dropped(s *events.Stats) (sum int64) {
	for _, n := range s.Dropped {
		sum += n
	}
	return sum
}
