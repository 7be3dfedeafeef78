// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"regexp"
	"slices"
	"testing"
)

// SECURITY.md names the tests that show what it says.
//
// Caught: a test that was renamed.
func TestSecurityIsShown(t *testing.T) {
	atRoot(t)
	tests := readCommands(t).tests
	named := firsts(regexp.MustCompile("`((?:Test|Fuzz)\\w+)`"), text(t, "SECURITY.md"))
	for _, name := range named {
		if !slices.Contains(tests, name) {
			t.Errorf("SECURITY.md names %s, which is no test", name)
		}
	}
	if len(named) < 20 {
		t.Errorf("SECURITY.md names the tests %v, want one for each claim", named)
	}
}
