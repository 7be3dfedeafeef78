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

// Caught: nothing is said while the go command compiles, as nothing calls Show; a short run fills a log.
func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name  string
		takes time.Duration
		want  string
	}{
		{"a short run", 9 * time.Second, ""},
		{
			"a long run", 25 * time.Second,
			"eventsmigrate: compiling, 10s\neventsmigrate: compiling, 20s\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				progress := newProgress(&out)
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
