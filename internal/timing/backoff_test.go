// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"math"
	"testing"
	"time"
)

func TestBackoffAfter(t *testing.T) {
	for name, row := range map[string]struct {
		backoff  Backoff
		failures int
		want     time.Duration
	}{
		"no failure":            {RefusalBackoff, 0, time.Minute},
		"one":                   {RefusalBackoff, 1, time.Minute},
		"two":                   {RefusalBackoff, 2, 2 * time.Minute},
		"four":                  {RefusalBackoff, 4, 8 * time.Minute},
		"five":                  {RefusalBackoff, 5, 8 * time.Minute},
		"the most in a series":  {RefusalBackoff, math.MaxUint8, 8 * time.Minute},
		"the most":              {GateBackoff, math.MaxInt, 30 * time.Second},
		"not a power of two":    {GateBackoff, 7, 16 * time.Second},
		"beyond it":             {GateBackoff, 8, 30 * time.Second},
		"the ninth conflict":    {ConflictBackoff, 9, 25600 * time.Millisecond},
		"the tenth conflict":    {ConflictBackoff, 10, 25600 * time.Millisecond},
		"the fifth of a holder": {HoldBackoff, 5, 30 * time.Second},
		"the fifth try of RBAC": {PermissionBackoff, 5, 10 * time.Minute},
	} {
		if got := row.backoff.After(row.failures); got != row.want {
			t.Errorf("%s: After(%d) = %v, want %v", name, row.failures, got, row.want)
		}
	}
}

// maxDoublings is enough for each back-off to reach its Longest, so it never shortens a wait.
func TestLongestIsReached(t *testing.T) {
	for _, b := range []Backoff{GateBackoff, HoldBackoff, ConflictBackoff, RefusalBackoff, PermissionBackoff} {
		if got := b.After(maxDoublings); got != b.Longest {
			t.Errorf("%+v: After(%d) = %v, want Longest", b, maxDoublings, got)
		}
	}
}

// Some times must be shorter than others. Their comments say why.
func TestOrder(t *testing.T) {
	for name, ordered := range map[string]bool{
		"ReviewEvery <= DenialTime":       ReviewEvery <= DenialTime,
		"ProbeTimeout < WriteTimeout":     ProbeTimeout < WriteTimeout,
		"SlowWrite < HangingWrite":        SlowWrite < HangingWrite,
		"LeastProbe < WriteTimeout":       LeastProbe < WriteTimeout,
		"FinishInterval < RetryFor":       FinishInterval < RetryFor,
		"RefreshInterval*2 <= RetryFor":   RefreshInterval*2 <= RetryFor,
		"LongestRetryAfter < RetryFor":    LongestRetryAfter < RetryFor,
		"LongestRetryAfter > GateBackoff": LongestRetryAfter > GateBackoff.Longest,
	} {
		if !ordered {
			t.Errorf("%s does not hold", name)
		}
	}
}
