// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"fmt"

	"github.com/eventseries/eventseries/events"
)

// Account has the counts of one scenario, after Drain.
type Account struct {
	Emitted  Counts // counted by the storm
	Stats    events.Stats
	Dropped  Counts // counted by the drop handler
	OnServer Counts // counted by the Observer
	// Correlated reports whether client-go's correlator counts. It adds what the server
	// refused to a later count of the same Event.
	Correlated bool
}

// Check returns how many occurrences are unaccounted for, and describes each mismatch.
// It checks that
//
//	emitted = observed = recorded + dropped
//	recorded ≤ on the server ≤ recorded + unconfirmed
//
// The drop handler's counts must agree with the first line. The left side of the
// second line must hold for each series, its right side for all series together.
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
	// client-go's spam filter adds what it suppresses to a later count.
	allowed := s.Unconfirmed + s.Dropped[events.DropSpamFilter]
	if a.Correlated {
		allowed += s.Dropped[events.DropRejected]
	}
	off(max(extra-allowed, 0), "%d more on the server than recorded, of which %d may be", extra, allowed)
	return unaccounted, problems
}

func (a *Account) keys() Counts {
	all := Counts{}
	all.Add(a.Emitted)
	all.Add(a.Dropped)
	all.Add(a.OnServer)
	return all
}

// Dropped returns the sum over all reasons.
func Dropped(s *events.Stats) (sum int64) {
	for _, n := range s.Dropped {
		sum += n
	}
	return sum
}
