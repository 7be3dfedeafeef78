// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a panel that was changed in the code and not in the JSON, or the other way round.
func TestDashboardIsUpToDate(t *testing.T) {
	want, err := os.ReadFile("dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := render()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("go run ./mixin > mixin/dashboard.json rewrites it (-file +code):\n%s", diff)
	}
}

// Each metric is on the dashboard.
//
// Caught: a new metric that nobody sees.
func TestDashboardShowsEveryMetric(t *testing.T) {
	metrics, err := os.ReadFile("../testdata/metrics.txt")
	if err != nil {
		t.Fatal(err)
	}
	text, err := render()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(metrics)) {
		if name, _, _ := strings.Cut(line, " "); !strings.Contains(string(text), name) {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
}
