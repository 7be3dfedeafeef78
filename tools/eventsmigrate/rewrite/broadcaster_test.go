// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// Broadcasters that are made by hand, and those that a human has to look at.
//
// Caught: a context with a timeout that ends the broadcaster, a client that is set
// only after the adapter is made from it, a defer in a constructor or beside a
// Shutdown, variables and imports left unused, a sink behind a nil check, two
// sinks, two schemes, exported functions, frozen files, a log moved and left
// behind, recorders not known to be new.
func TestBroadcasterGolden(t *testing.T) {
	dir, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		target Target
	}{
		{name: "broadcaster"},
		{name: "broadcasterfields"},
		{name: "broadcastermain"},
		{name: "broadcasterleft"},
		{name: "broadcasterclientgo", target: ClientGo},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := Config{
				Target: test.target,
				Ours:   func(path string) bool { return strings.HasPrefix(path, "rewrite/") },
				Frozen: func(filename string) bool { return strings.HasSuffix(filename, "frozen.go") },
			}
			pkg := "rewrite/" + test.name
			if *update {
				writeGoldens(t, dir, NewAnalyzer(&config), pkg)
			}
			analysistest.RunWithSuggestedFixes(t, dir, NewAnalyzer(&config), pkg)
		})
	}
}
