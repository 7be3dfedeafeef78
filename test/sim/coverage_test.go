// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"testing"

	"github.com/eventseries/eventseries/test/sim"
)

// checkCoverage checks that every kind of step, fault and outcome has happened.
func checkCoverage(t *testing.T, total sim.Coverage) {
	for _, name := range sim.Everything() {
		if total[name] == 0 {
			t.Errorf("%q never happens", name)
		}
	}
}
