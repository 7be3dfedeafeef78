// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"regexp"
	"testing"
)

// Every reason has a name of its own, which is a label of metrics, and says what it means.
//
// Caught: a constant without its row; a name that two rows have.
func TestReasonsAreDescribed(t *testing.T) {
	name := regexp.MustCompile(`^[A-Z][A-Za-z]+$`)
	seen := map[string]bool{None.String(): true}
	for _, r := range Reasons() {
		d := r.Describe()
		if !name.MatchString(d.Name) || seen[d.Name] || d.Meaning == "" {
			t.Errorf("reason %d is %+v", r, d)
		}
		seen[d.Name] = true
	}
	if len(seen) != int(numReasons) {
		t.Errorf("%d reasons are described, of %d", len(seen), numReasons)
	}
}
