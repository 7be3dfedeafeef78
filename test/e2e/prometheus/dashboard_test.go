// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// board has what is tested here of the dashboard.
type board struct {
	Templating struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
}

// values is the query of a variable: the values that a label of a metric has.
var values = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)

// checkDashboard checks that every query of the dashboard returns data, and that the server stores the native histogram.
func checkDashboard(t *testing.T, s *server) {
	t.Helper()
	text, err := os.ReadFile(mixin + "dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var all board
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	chosen := strings.NewReplacer("$job", "component", "$instance", ".+", "$__rate_interval", "10s", "$__range", "1m")
	for _, panel := range all.Panels {
		for _, target := range panel.Targets {
			if expr := chosen.Replace(target.Expr); len(s.query(expr)) == 0 {
				t.Errorf("the panel %q has no data: %s", panel.Title, expr)
			}
		}
	}
	for _, variable := range all.Templating.List {
		if variable.Type != "query" {
			continue
		}
		parts := values.FindStringSubmatch(variable.Query)
		if parts == nil {
			t.Fatalf("the variable %s is %q", variable.Name, variable.Query)
		}
		expr := "count by (" + parts[2] + ") (" + chosen.Replace(parts[1]) + ")"
		if all := s.query(expr); len(all) == 0 || all[0].Metric[parts[2]] == "" {
			t.Errorf("the variable %s has no values: %s", variable.Name, expr)
		}
	}
	native := s.query("eventseries_request_duration_seconds")
	if len(native) == 0 || native[0].Histogram[1] == nil {
		t.Errorf("there is no native histogram: %v", native)
	}
}
