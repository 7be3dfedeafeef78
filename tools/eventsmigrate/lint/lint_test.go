// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// testdata is shared by the packages of this module.
func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Drivers refuse analyzers without a name that can be a flag, or without a Doc.
// Caught: a name with a dash.
func TestAnalyzersAreValid(t *testing.T) {
	if err := analysis.Validate(Analyzers()); err != nil {
		t.Error(err)
	}
}

// Each lint reports in the package of its name what the comments there want, and
// nothing else. Caught, among others:
//
//	action    fields not followed, or exported ones too; a result of a result not followed; test files looked at
//	reason    128 bytes refused; the SDK's function AnnotatedEventf not seen; joined constants taken for unknown
//	note      characters counted, not bytes; a percent sign counted as none
//	format    findings outside of recordings; go vet's own finding reported twice; constants in a variable reported
//	volatile  += not followed; package strings taken to hide what it changes; Name fields of anything
//	distinct  a bool about times taken for a time; Sub taken for no duration
//	drain     a comparison taken for a use that drains; WithContext not seen; Drain not seen; a result variable reported
//	uid       any use ignored; loops, closures and branches ignored; a typed client's Create taken to fill its argument
func TestLints(t *testing.T) {
	for _, analyzer := range Analyzers() {
		t.Run(analyzer.Name, func(t *testing.T) {
			name := strings.TrimPrefix(analyzer.Name, "event")
			for _, result := range analysistest.RunWithSuggestedFixes(t, testdata(t), analyzer, "lint/"+name) {
				for _, d := range result.Diagnostics {
					if d.Category != "lint/"+name {
						t.Errorf("%q has category %q, want %q", d.Message, d.Category, "lint/"+name)
					}
				}
			}
		})
	}
}
