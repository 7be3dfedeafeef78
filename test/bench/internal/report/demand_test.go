// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: Less with the two sides exchanged; Max that looked at the row beside.
func TestDemands(t *testing.T) {
	for _, tt := range []struct {
		name      string
		test      Test
		contender string
		sdk, row  float64
		want      Demand
	}{
		{"less", Less(15), ToolsEvents, 10, 150, Demand{"≥ 15× less", true}},
		{"not less enough", Less(15), ToolsEvents, 10, 149, Demand{"≥ 15× less", false}},
		{"at most", AtMost(0.6), ToolsEvents, 60, 100, Demand{"≤ 0.6× of it", true}},
		{"too much", AtMost(0.6), ToolsEvents, 61, 100, Demand{"≤ 0.6× of it", false}},
		{"within", Within(0.1), Floor, 0.3, 0.2, Demand{"≤ it + 0.1", true}},
		{"not within", Within(0.1), Floor, 0.3, 0.19, Demand{"≤ it + 0.1", false}},
		{"at least", AtLeast(0.9), Bare, 90, 100, Demand{"≥ 0.9× of it", true}},
		{"too little", AtLeast(0.9), Bare, 89, 100, Demand{"≥ 0.9× of it", false}},
		{"or the machine", MinOrAtLeast(1.7, 0.95), Empty, 0.95, 1, Demand{"≥ 1.7, or ≥ 0.95× of it", true}},
		{"or the value", MinOrAtLeast(1.7, 0.95), Empty, 1.7, 2, Demand{"≥ 1.7, or ≥ 0.95× of it", true}},
		{"neither", MinOrAtLeast(1.7, 0.95), Empty, 1.6, 2, Demand{"≥ 1.7, or ≥ 0.95× of it", false}},
		{"min", Min(1.7), SDK, 1.7, 1.7, Demand{"≥ 1.7", true}},
		{"below min", Min(1.7), SDK, 1.6, 1.6, Demand{"≥ 1.7", false}},
		{"max", Max(0), SDK, 0, 0, Demand{"≤ 0", true}},
		{"above max", Max(0), SDK, 1, 1, Demand{"≤ 0", false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows := Rows{{What: "w", Unit: "u", Contender: tt.contender, Values: []float64{tt.row}}}
			if tt.contender != SDK {
				rows = append(rows, Row{What: "w", Unit: "u", Contender: SDK, Values: []float64{tt.sdk}})
			}
			rows.Demand("w", "u", tt.contender, tt.test)
			if diff := cmp.Diff(&tt.want, rows[0].Demand); diff != "" {
				t.Errorf("demand (-want +got):\n%s", diff)
			}
		})
	}
}

// Caught: a demand of a row that was renamed, which nobody would have missed.
func TestDemandOfNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a demand of a row that there is not was accepted")
		}
	}()
	Rows{}.Demand("w", "u", SDK, Max(0))
}

// Caught: counting the rows instead of the demands.
func TestFailed(t *testing.T) {
	failed, of := Failed(fixed())
	want := []string{"A repeat, repeat, CPU ns/call, floor: ≤ 0.5× of it"}
	if diff := cmp.Diff(want, failed); diff != "" || of != 4 {
		t.Errorf("of %d demands, want 4 (-want +got):\n%s", of, diff)
	}
}
