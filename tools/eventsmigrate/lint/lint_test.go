// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/goldentest"
)

var update = flag.Bool("update", false, "write the golden files of testdata/src/lint")

// Drivers refuse analyzers without a name that can be a flag, or without a Doc.
// Caught: a name with a dash.
func TestAnalyzersAreValid(t *testing.T) {
	if err := analysis.Validate(Analyzers()); err != nil {
		t.Error(err)
	}
}

// Each lint reports in the package of its name what the golden file there has, and
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
//	          (distinct:) AsLegacy taken for all recorders; a wrapper of a new recorder taken for an old one; the flag ignored
func TestLints(t *testing.T) {
	cases := map[string]*analysis.Analyzer{}
	for _, analyzer := range Analyzers() {
		cases["lint/"+strings.TrimPrefix(analyzer.Name, "event")] = analyzer
	}
	forced := newDistinct()
	if err := forced.Flags.Set("force", "true"); err != nil {
		t.Fatal(err)
	}
	cases["lint/distinctforced"] = forced
	cases["lint/distinctlegacy"] = newDistinct()

	all := &analysis.Analyzer{
		Name: "lints", Doc: "the lint of each package of testdata", Requires: []*analysis.Analyzer{surveyor},
		Run: func(pass *analysis.Pass) (any, error) {
			if analyzer, ok := cases[pass.Pkg.Path()]; ok { // not the main package of a test
				return analyzer.Run(pass)
			}
			return nil, nil
		},
	}
	loaded := goldentest.Load(t, "../testdata", slices.Sorted(maps.Keys(cases))...)
	if *update {
		goldentest.Update(t, all, loaded)
	}
	for _, result := range goldentest.Run(t, all, loaded) {
		for _, d := range result.Diagnostics {
			name := strings.TrimPrefix(cases[result.Package.PkgPath].Name, "event")
			if want := "lint/" + name; d.Category != want {
				t.Errorf("%q has category %q, want %q", d.Message, d.Category, want)
			}
		}
	}
}
