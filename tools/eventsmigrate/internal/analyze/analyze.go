// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package analyze runs analyzers on a program, and returns what they report as files, offsets and text.
package analyze

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// Finding is one place in the code.
type Finding struct {
	Rule    string
	Message string
	Subject string // what it is about, as the constants of package plan say, or ""
	Place   token.Position
	Edits   []Edit // empty if it needs a human
}

// Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File       string
	Start, End int
	Text       string
}

// Run runs the analyzers on the packages in parallel. It returns what they found in the order of files and lines, and
// the result of each analyzer for each package.
func Run(
	fset *token.FileSet, pkgs []*packages.Package, analyzers []*analysis.Analyzer,
) (findings []Finding, results []any, err error) {
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, nil, fmt.Errorf("%s: %w", action, action.Err)
		}
		results = append(results, action.Result)
		for _, diagnostic := range action.Diagnostics {
			findings = append(findings, newFinding(fset, action.Analyzer.Name, diagnostic))
		}
	}
	return Merge(findings, nil), results, nil
}

// Merge returns the findings of two builds in the order of files and lines. What both found is in it once.
func Merge(a, b []Finding) []Finding {
	findings := slices.Concat(a, b)
	slices.SortStableFunc(findings, compare)
	return slices.CompactFunc(findings, func(a, b Finding) bool { return compare(a, b) == 0 })
}

func newFinding(fset *token.FileSet, analyzer string, diagnostic analysis.Diagnostic) Finding {
	finding := Finding{
		Rule:    cmp.Or(diagnostic.Category, analyzer),
		Message: diagnostic.Message,
		Place:   fset.PositionFor(diagnostic.Pos, false),
	}
	if len(diagnostic.Related) == 1 {
		finding.Subject = diagnostic.Related[0].Message
	}
	if len(diagnostic.SuggestedFixes) == 0 {
		return finding
	}
	for _, edit := range diagnostic.SuggestedFixes[0].TextEdits {
		file := fset.File(edit.Pos)
		end := edit.End
		if !end.IsValid() {
			end = edit.Pos
		}
		finding.Edits = append(finding.Edits, Edit{
			File: file.Name(), Start: file.Offset(edit.Pos), End: file.Offset(end), Text: string(edit.NewText),
		})
	}
	return finding
}

// compare orders findings by place. The same finding in two variants of a package compares equal.
func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Place.Filename, b.Place.Filename),
		cmp.Compare(a.Place.Offset, b.Place.Offset),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(len(a.Edits), len(b.Edits)),
	)
}
