// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

var update = flag.Bool("update", false, "write the want comments and the golden files of testdata/src/rewrite")

// Every rule has a package in testdata, with what is reported in want comments
// and what becomes of it in golden files.
func TestGolden(t *testing.T) {
	dir, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	ours := func(path string) bool { return strings.HasPrefix(path, "rewrite/") }
	frozen := func(filename string) bool { return strings.HasSuffix(filename, "frozen.go") }
	for _, test := range []struct {
		name   string
		config Config
	}{
		{name: "types"},
		{name: "calls"},
		{name: "byfunction", config: Config{Action: Action{ByFunction: true, Map: map[string]string{"Scaled": "Scale"}}}},
		{name: "related"},
		{name: "shapes"},
		{name: "boundary"},
		{name: "manager"},
		{name: "imports"},
		{name: "controllerruntime", config: Config{Target: ControllerRuntime}},
		{name: "clientgo", config: Config{Target: ClientGo}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := test.config
			config.Ours, config.Frozen = ours, frozen
			pkg := "rewrite/" + test.name
			if *update {
				writeGoldens(t, dir, NewAnalyzer(&config), pkg)
			}
			analysistest.RunWithSuggestedFixes(t, dir, NewAnalyzer(&config), pkg)
		})
	}
}
