// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"testing"

	"github.com/eventseries/eventseries/test/sim"
)

// checkAlive: nothing that a script can do is dead.
func checkAlive(t *testing.T, total sim.Census) {
	for _, name := range sim.Everything() {
		if total[name] == 0 {
			t.Errorf("%q never happens", name)
		}
	}
}
