// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Caught: nothing is said while the go command compiles, as nothing calls Show; without a terminal nothing is said at all.
func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name     string
		terminal bool
		takes    time.Duration
		want     string
	}{
		{"a short run in a log", false, 9 * time.Second, ""},
		{
			"a long run in a log", false, 25 * time.Second,
			"eventsmigrate: compiling, 10s\neventsmigrate: compiling, 20s\n",
		},
		{"a terminal", true, 250 * time.Millisecond, "\r\x1b[Kcompiling, 0s\r\x1b[Kcompiling, 0s\r\x1b[K"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				progress := newProgress(&out, test.terminal)
				progress.Show("compiling")
				time.Sleep(test.takes)
				progress.Done()
				if diff := cmp.Diff(test.want, out.String()); diff != "" {
					t.Errorf("shown (-want +got):\n%s", diff)
				}
			})
		})
	}
}
