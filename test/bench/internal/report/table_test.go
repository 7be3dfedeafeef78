// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixed is a report of all there is: samples that differ, that cannot be told
// apart, counts, a zero, a note, a contender that was left out.
func fixed() []Section {
	const cpu = "CPU ns/call"
	repeat := Rows{
		{What: "repeat", Unit: cpu, Contender: SDK, Values: []float64{200, 201, 202, 203, 204, 205, 206, 207}},
		{What: "repeat", Unit: cpu, Contender: ToolsEvents,
			Values: []float64{4000, 4010, 4020, 4030, 4040, 4050, 4060, 4070}, Note: "starts a goroutine"},
		{What: "repeat", Unit: cpu, Contender: ToolsRecord},
		{What: "repeat", Unit: cpu, Contender: Floor, Values: []float64{199, 201, 202, 203, 204, 205, 206, 208}},
		{What: "repeat", Unit: "allocs/call", Contender: SDK, Values: slices.Repeat([]float64{0}, 8)},
		{What: "repeat", Unit: "allocs/call", Contender: ToolsEvents, Values: slices.Repeat([]float64{10}, 8)},
	}
	repeat.Demand("repeat", cpu, ToolsEvents, Less(15))
	repeat.Demand("repeat", cpu, ToolsRecord, Less(15))
	repeat.Demand("repeat", cpu, Floor, AtMost(0.5))
	repeat.Demand("repeat", "allocs/call", SDK, Max(0))
	return []Section{
		{Title: "A repeat", Text: "Again.", Rows: repeat},
		{Title: "A storm", Text: "Many.", Rows: Rows{
			{What: "API writes", Unit: "writes", Contender: SDK, Values: []float64{1234567}},
			{What: "API writes", Unit: "writes", Contender: ToolsRecord, Values: []float64{12345678},
				Demand: &Demand{Text: "> eventseries", Pass: true}},
		}},
		{Title: "Left out", Rows: Rows{{What: "x", Unit: "y", Contender: SDK}}},
	}
}

// Caught: the ratio turned round, a p-value of a count, a row without values
// that was shown, thousands without a separator.
func TestTables(t *testing.T) {
	var text bytes.Buffer
	if err := WriteText(&text, fixed()); err != nil {
		t.Fatal(err)
	}
	golden(t, "table.txt", text.Bytes())
	golden(t, "table.md", []byte(fixed()[0].Rows.Markdown()+"\n\n"+fixed()[1].Rows.Markdown()+"\n"))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// Caught: rounding 999.6 to "1000", a negative number cut into "-,123".
func TestAmount(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 0.054: "0.05", 1.5: "1.50", 23.46: "23.5", 312.4: "312", 999.6: "1,000",
		1234567: "1,234,567", -1234: "-1,234",
	} {
		if got := amount(v); got != want {
			t.Errorf("amount(%v) = %q, want %q", v, got, want)
		}
	}
}
