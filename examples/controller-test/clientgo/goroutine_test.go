// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"strings"
)

// goroutine is one that goleak found.
type goroutine struct {
	creator string
	busy    bool // it waits for nothing
}

func (g goroutine) String() string {
	if g.busy {
		return g.creator + ", which never waits"
	}
	return g.creator
}

// goroutines reads goleak's error: for each goroutine a line with its state, its stack, and who created it.
func goroutines(leak error) (all []goroutine) {
	if leak == nil {
		return nil
	}
	busy := false
	for line := range strings.Lines(leak.Error()) {
		if _, state, ok := strings.Cut(line, " in state "); ok {
			busy = strings.HasPrefix(state, "run") // running, or runnable: it only lacks a processor
		}
		if creator, ok := strings.CutPrefix(line, "created by "); ok {
			creator, _, _ = strings.Cut(creator, " in goroutine")
			if strings.Contains(creator, "clientgo_test") {
				creator = "the test"
			}
			all = append(all, goroutine{creator, busy})
		}
	}
	return all
}
