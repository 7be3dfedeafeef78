// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// What becomes of FakeRecorders, of their channels' assertions, and of mocks.
// Caught: what was received stays among the occurrences, or a receive takes the
// first one always; branches that receive differently; a loop that receives;
// goroutines of the code under test; a fake that other packages may use, that is
// declared in no test, that an assertion finds; two polls for the same event; any
// mock's On("Event").
func TestFakes(t *testing.T) {
	dir, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	config := &Config{Ours: func(path string) bool { return strings.HasPrefix(path, "rewrite/") }}
	clientGo := *config
	clientGo.Target = ClientGo
	for _, test := range []struct {
		config   *Config
		packages []string
	}{
		{config: config, packages: []string{
			"fake", "fakekept", "fakescheme", "fakesuite", "fakeannotated", "fakeasserts", "fakemock",
		}},
		{config: &clientGo, packages: []string{"fakeclientgo"}},
	} {
		t.Run(test.packages[0], func(t *testing.T) {
			a := NewAnalyzer(test.config)
			patterns := make([]string, len(test.packages))
			for i, name := range test.packages {
				patterns[i] = "rewrite/" + name
				if *update {
					writeGoldens(t, dir, a, patterns[i])
				}
			}
			analysistest.RunWithSuggestedFixes(t, dir, a, patterns...)
		})
	}
}
