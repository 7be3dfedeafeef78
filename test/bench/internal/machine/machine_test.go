// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: idle time and waiting for a disk counted as work; stolen time left out; the guests counted twice.
func TestParseStat(t *testing.T) {
	got, err := parseStat("cpu  100 20 30 4000 500 6 7 8 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n")
	if want := 171 * tick; err != nil || got != want {
		t.Errorf("busy %v, %v, want %v", got, err, want)
	}
	for _, wrong := range []string{"", "cpu 1 2 3", "intr 1 2 3 4 5 6 7 8 9", "cpu a 2 3 4 5 6 7 8"} {
		if _, err := parseStat(wrong); err == nil {
			t.Errorf("parseStat(%q) found times", wrong)
		}
	}
}

// Caught: a build that differs from call to call.
func TestThisCode(t *testing.T) {
	a, err := ThisCode()
	if err != nil {
		t.Fatal(err)
	}
	b, err := ThisCode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" || len(a.Build) != 12 {
		t.Errorf("the code is %+v and then (-first +second):\n%s", a, diff)
	}
	if m := This(); m.Cores < 1 || m != This() {
		t.Errorf("the machine is %+v", m)
	}
}
