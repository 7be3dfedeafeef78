// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import "time"

// quiet is how long nothing may occur within one run of a series: KEP-383's
// interval, after which a series is finished and a new Event begins at 1.
const quiet = 6 * time.Minute

// run measures how long the server lags behind. Whenever something has occurred
// twice as often as the server shows, it is measured how long the server takes to
// show that count. Times are Unix nanoseconds.
type run struct {
	last         int64 // when it last occurred
	base         int64 // how often it had occurred before this run
	shownBase    int64 // how often of these the server showed
	since, until int64 // since when a doubling is not shown, and the count that shows it; 0: none
}

// occur comes before each occurrence is counted, and begins a new run if the last
// one is long over.
func (r *run) occur(s *Series, now int64, doublings *Delays) {
	if r.last > 0 && now-r.last > int64(quiet) {
		if r.until > 0 { // so long at least
			doublings.Add(time.Duration(now - r.since))
		}
		*r = run{base: s.tally.Occurrences, shownBase: s.tally.Shown}
	}
	r.last = now
}

// check notes that the count has doubled.
func (r *run) check(s *Series, since int64) {
	count, shown := s.tally.Occurrences-r.base, s.tally.Shown-r.shownBase
	if r.until == 0 && count > 0 && count >= 2*shown {
		r.since, r.until = since, max(1, 2*shown)
	}
}

// shown comes after each write. If the count had doubled again meanwhile, the
// next wait began with the occurrence that doubled it.
func (r *run) shown(s *Series, at int64, doublings *Delays) {
	shown := s.tally.Shown - r.shownBase
	if r.until == 0 || shown < r.until {
		return
	}
	doublings.Add(time.Duration(at - r.since))
	r.since, r.until = 0, 0
	if n := shown; n > 0 && int64(len(s.unshown)) >= n {
		r.check(s, s.unshown[n-1])
	}
}
