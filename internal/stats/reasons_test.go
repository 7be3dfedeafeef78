// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"regexp"
	"testing"
)

// Every reason has a meaning, and a name of its own, which becomes a label of metrics.
//
// Caught: a constant without a row; two rows with one name.
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
