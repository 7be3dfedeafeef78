// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// benchstat reads the file with the same package.
//
// Caught: a unit with a space; a contender with a slash, which made two of one.
func TestWriteBenchfmt(t *testing.T) {
	var text bytes.Buffer
	if err := WriteBenchfmt(&text, fixed()); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for r := benchfmt.NewReader(&text, "run.txt"); r.Scan(); {
		switch record := r.Result().(type) {
		case *benchfmt.Result:
			base, parts := record.Name.Parts()
			got[string(base)+string(parts[len(parts)-1])+" "+record.Values[0].Unit]++
		case *benchfmt.SyntaxError:
			t.Error(record)
		}
	}
	for name, want := range map[string]int{
		"ARepeat/by=tools-events CPU-sec/call": 8,
		"ARepeat/by=eventseries allocs/call":   8,
		"AStorm/by=tools-record writes":        1,
	} {
		if got[name] != want {
			t.Errorf("%d lines of %s, want %d, of %v", got[name], name, want, got)
		}
	}
}
