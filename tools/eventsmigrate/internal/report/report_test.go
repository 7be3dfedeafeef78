// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a rule of which everything stays has a row with nothing in it.
func TestRulesAreThoseWithSomethingToDo(t *testing.T) {
	r := &Report{Places: []Place{
		{Rule: "call", Status: Rewritten}, {Rule: "call", Status: Kept}, {Rule: "call", Status: Human},
		{Rule: "kept", Status: Kept},
	}}
	r.Finish()
	if diff := cmp.Diff([]Rule{{Rule: "call", Rewritten: 1, Human: 1}}, r.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}
