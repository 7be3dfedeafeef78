// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "time"

// Intervals say when a series is written. All are durations since an event in
// the series' life; the package's user fills in every field.
type Intervals struct {
	Publish  time.Duration // since the last write, once the count has doubled; negative: off
	Refresh  time.Duration // since the last write, if anything is unwritten
	Finish   time.Duration // since the last occurrence: write the final count, then forget
	RetryFor time.Duration // since the last occurrence: give up what is unwritten
}

// idleBeforeEviction is how long a series must have been quiet before it may
// give way to another one: a full cache must not turn repeats into Creates.
const idleBeforeEviction = time.Minute
