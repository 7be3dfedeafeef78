// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a test that is gone; one that is new; one that fails in both.
func TestDifferences(t *testing.T) {
	got := differences(
		map[string]string{"p A": "pass", "p B": "fail", "p C": "pass", "p D": "skip"},
		map[string]string{"p A": "fail", "p B": "fail", "p D": "skip", "p E": "pass"})
	want := []string{"p A: pass, then fail", "p C: pass, then not there", "p E: not there, then pass"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
