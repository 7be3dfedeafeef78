// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"testing"
	"testing/synctest"
)

// Simulate calls f in a bubble of its own, in a benchmark. A bubble needs a *testing.T, and a benchmark has none.
func Simulate(f func()) {
	done := false
	test := testing.InternalTest{Name: "simulation", F: func(t *testing.T) {
		if !done { // with -count a test runs more than once
			done = true
			synctest.Test(t, func(*testing.T) { f() })
		}
	}}
	all := func(string, string) (bool, error) { return true, nil }
	testing.RunTests(all, []testing.InternalTest{test})
}
