// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// VERSIONING.md has the table of the results that are kept, with a row for each release that is supported, and no
// failure.
//
// Caught: a count in VERSIONING.md that was changed by hand, a release without a result, a row that failed.
func TestVersioningHasTheResults(t *testing.T) {
	results, err := load()
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _, err := split()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(render(results), shown); diff != "" {
		t.Errorf("VERSIONING.md is not what `go run . -render` writes (-want +got):\n%s", diff)
	}
	var want, got []string
	for _, r := range rows {
		want = append(want, r.name())
	}
	for i := range results {
		got = append(got, results[i].Row)
		if results[i].failed() {
			t.Errorf("%s failed: %s", results[i].Row, results[i].summary())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows of results.json (-want +got):\n%s", diff)
	}
}

// Caught: a suite in the wrong column, an error that is not shown.
func TestRender(t *testing.T) {
	got := render([]result{
		{
			Row: "client-go-0.36", Version: "v0.36.6", Go: "go1.26.8", Date: "2026-11-21",
			Suites: []suite{{Name: suiteSDK, Passed: 7, Skipped: 2}, {Name: suiteDropin, Passed: 3, Failed: 1}, {Name: suiteContrib, Passed: 4}},
		},
		{
			Row: "kube-apiserver-1.34", Version: "v1.34.4", Go: "go1.26.8", Date: "2026-11-21",
			Error: "build: exit status 1\nmore",
		},
	})
	want := []string{
		"| | the SDK's tests | contrib | drop-in | end to end | |",
		"|---|---|---|---|---|---|",
		"| client-go v0.36.6 | 7 passed, 2 skipped | 4 passed | 3 passed, 1 failed | | 2026-11-21, go1.26.8 |",
		"| kube-apiserver v1.34.4 | | | | | 2026-11-21, go1.26.8, **incomplete** |",
		"",
	}
	if diff := cmp.Diff(want, strings.Split(got, "\n")); diff != "" {
		t.Errorf("render() (-want +got):\n%s", diff)
	}
}

// Two modules in contrib are one suite.
func TestAddSuite(t *testing.T) {
	var r result
	r.add(suite{Name: suiteContrib, Passed: 1, Failures: []string{"A"}})
	r.add(suite{Name: suiteSDK, Passed: 7})
	r.add(suite{Name: suiteContrib, Passed: 2, Failed: 3, Skipped: 4, Failures: []string{"B"}})
	want := []suite{
		{Name: suiteContrib, Passed: 3, Failed: 3, Skipped: 4, Failures: []string{"A", "B"}}, {Name: suiteSDK, Passed: 7},
	}
	if diff := cmp.Diff(want, r.Suites); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
