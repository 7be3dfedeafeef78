// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: factors that are added; a sum of which only the last term counts; a column that is not put in; a result
// that is missing and counts as zero; a public figure that is missed by more than a quarter and counts as reproduced.
func TestFacts(t *testing.T) {
	p := &page{
		columns: []string{"eventseries", "tools/events"},
		results: &results{values: map[string][]float64{
			"Pod/impl=eventseries writes": {5}, "Pod/impl=tools-events writes": {6},
			"Node/impl=eventseries writes": {100}, "Node/impl=tools-events writes": {200},
			"Pod/impl=eventseries p99-seconds": {90}, "Pod/impl=tools-events p99-seconds": {0.5},
		}},
	}
	tests := []struct {
		figure, want string
	}{
		{"Pod/impl=* writes", "|pods|5|6|measured|"},
		{"10 × 0.5 × Pod/impl=* writes + Node/impl=* writes", "|pods|125|230|measured|"},
		{"Pod/impl=* p99-seconds", "|pods|1m30s|500ms|measured|"},
		{"Node/impl=* reads", ""},
		{"Pod/impl=* writes + Node/impl=* reads", ""},
		{"ten × Pod/impl=* writes", ""},
	}
	for _, test := range tests {
		got, err := p.fact("measured", "pods", test.figure)
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s is %q, %v; want %q", test.figure, got, err, test.want)
		}
	}
	for _, test := range []struct {
		public float64
		want   string
	}{
		{100, "|nodes|100|100|+0 %|yes|"},
		{80, "|nodes|80|100|+25 %|yes|"},
		{79, "|nodes|79|100|+27 %|no|"},
		{134, "|nodes|134|100|-25 %|no|"},
	} {
		got, err := p.compare("nodes", test.public, "Node/impl=eventseries writes")
		if got != test.want || err != nil {
			t.Errorf("beside %v: %q, %v; want %q", test.public, got, err, test.want)
		}
	}
	if p.Compared != 4 || p.Reproduced != 2 {
		t.Errorf("%d of %d are reproduced, want 2 of 4", p.Reproduced, p.Compared)
	}
	if got, err := p.spread("Pod/impl=* writes", "5.5 × 1 × Pod/impl=* writes"); got != "450.0" || err != nil {
		t.Errorf("the spread is %s, %v; want 450.0", got, err)
	}
}

// Caught: columns by their place and not by their name; lost occurrences that count as stored; the first table of a
// page that is another; a cell that is no number and counts as zero.
func TestReadMigration(t *testing.T) {
	const page = `
| a | b |
|---|---|
| 1 | 2 |

| before→after | writes | lost | occurrences |
|---|---|---|---|
| kubelet | 40→30 | 20→0 | 100→90 |
| kube-scheduler | 4→3 | 2→0 | 10→9 |

| before→after | CPU, s |
|---|---|
| kubelet | 387→406 |
`
	got, err := readMigration(page)
	want := []migration{
		{component: "kubelet", writes: [2]float64{40, 30}, stored: [2]float64{80, 90}},
		{component: "kube-scheduler", writes: [2]float64{4, 3}, stored: [2]float64{8, 9}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(migration{})); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	for _, wrong := range []string{"", "\n| before→after | writes |\n|---|---|\n| kubelet | many→30 |\n"} {
		if got, err := readMigration(wrong); err == nil {
			t.Errorf("%q is read as %v", wrong, got)
		}
	}
}
