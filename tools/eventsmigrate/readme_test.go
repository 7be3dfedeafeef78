// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
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

// Caught: a field of the document is renamed, which breaks who reads it.
func TestReadmeShowsDocument(t *testing.T) {
	_, document, found := strings.Cut(moduletest.Read(t, "README.md"), "```json\n")
	document, _, closed := strings.Cut(document, "```")
	if !found || !closed {
		t.Fatal("the README shows no document")
	}
	var shown report.Report
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&shown); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal([]byte(document), &want); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the document of the README is not one of the tool (-README +tool):\n%s", diff)
	}
}
