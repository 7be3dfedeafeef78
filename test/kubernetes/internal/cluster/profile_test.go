// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import "testing"

func TestParseShare(t *testing.T) {
	for _, test := range []struct {
		name, out string
		want      Share
	}{
		{"CPU", "Duration: 60s, Total samples = 1.30s (2%)\nShowing nodes accounting for 0.03s, 2.31% of 1.30s total\n",
			Share{2.31, "1.30s"}},
		{"nothing of the recorder", "focus expression matched no samples\n", Share{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseShare([]byte(test.out))
			if err != nil || got != test.want {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
		})
	}
}
