// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/lint"
)

// Caught: a flag is renamed, and the README names the old one.
func TestReadmeNamesFlags(t *testing.T) {
	readme := moduletest.Read(t, "README.md")
	var usage strings.Builder
	if _, err := parse([]string{"-h"}, &usage); err == nil {
		t.Fatal("-h is no request for help")
	}
	rows := regexp.MustCompile("(?m)^\\| `-([a-z]+)").FindAllStringSubmatch(readme, -1)
	if len(rows) < 8 {
		t.Fatalf("the README has %d flags", len(rows))
	}
	for _, row := range rows {
		if !strings.Contains(usage.String(), "  -"+row[1]) {
			t.Errorf("the README has -%s, the tool has not:\n%s", row[1], usage.String())
		}
	}
	for _, analyzer := range lint.Analyzers() {
		if !strings.Contains(readme, "\n| `"+analyzer.Name+"` | ") {
			t.Errorf("the README does not explain the lint %s", analyzer.Name)
		}
	}
}
