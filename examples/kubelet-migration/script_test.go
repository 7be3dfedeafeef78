// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"
)

func TestRunsOfAContainerFollowFromThePodAndTheNumber(t *testing.T) {
	o := options{duration: time.Hour, seed: 1}
	one, two := newScript(o, "node-1"), newScript(o, "node-2")
	if one.pods < 110 || len(one.steps) < one.pods || len(one.steps) != len(two.steps) {
		t.Errorf("%d pods, %d and %d steps, want a busy node, twice", one.pods, len(one.steps), len(two.steps))
	}
	for i := range one.images {
		if one.images[i].Run == nil {
			continue
		}
		two.images[i].Run("another", 3) // changes nothing
		a, codeA := one.images[i].Run("web", 5)
		b, codeB := two.images[i].Run("web", 5)
		if other, _ := one.images[i].Run("web", 6); a != b || codeA != codeB || a == other {
			t.Errorf("%s: run 5 lasts %v and %v, run 6 %v", one.images[i].Name, a, b, other)
		}
	}
}
