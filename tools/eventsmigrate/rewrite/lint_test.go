// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/goldentest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/lint"
)

// found is a finding of an analyzer.
type found struct{ file, function, rule, message string }

// What the rewrite writes passes the lints, but for what they find in the code before. Where it does not, because no action
// is known, the report asks for it: about the reason that the lint names, or the function in which it finds something.
//
// Caught: "%s" in the place of the action; reasons with several actions that are repeated; reasons from elsewhere.
func TestGoldenPassesLint(t *testing.T) {
	before := loadCases(t)
	edited := goldentest.Edited(t, configured(), before)
	known := map[found]bool{}
	for _, f := range find(t, lint.Analyzers(), before) {
		known[f] = true
	}
	var asked []found
	for _, f := range find(t, []*analysis.Analyzer{configured()}, before) {
		if f.rule == "action" {
			asked = append(asked, f)
		}
	}
	for _, f := range find(t, lint.Analyzers(), goldentest.LoadEdited(t, "../testdata", edited, patterns()...)) {
		told := known[f]
		for _, a := range asked {
			reason, _, _ := strings.Cut(strings.TrimPrefix(a.message, "reason "), " ")
			told = told || filepath.Dir(a.file) == filepath.Dir(f.file) && f.rule == "lint/action" &&
				(a.function == f.function || strings.Contains(f.message, "repeats the reason "+strings.Trim(reason, `"`)+","))
		}
		if !told {
			t.Errorf("%s: in %s: %s: %s", f.file, f.function, f.rule, f.message)
		}
	}
}

// find runs analyzers over packages.
func find(t *testing.T, analyzers []*analysis.Analyzer, all []*packages.Package) (findings []found) {
	t.Helper()
	graph, err := checker.Analyze(analyzers, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Fatal(action.Err)
		}
		for _, d := range action.Diagnostics {
			f := found{action.Package.Fset.Position(d.Pos).Filename, "", d.Category, d.Message}
			for _, file := range action.Package.Syntax {
				for _, decl := range file.Decls {
					if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= d.Pos && d.Pos < fn.End() {
						f.function = fn.Name.Name
					}
				}
			}
			findings = append(findings, f)
		}
	}
	return findings
}
