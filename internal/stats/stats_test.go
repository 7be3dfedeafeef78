// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Beyond the limit every label of a new set except the type becomes Other. A set that was admitted
// before stays.
func TestAdmitIsBounded(t *testing.T) {
	var sets LabelSets
	reason := func(i int) MetricLabels { return MetricLabels{"c", "Pod", "Normal", fmt.Sprint("reason ", i)} }
	for i := range 2 * maxSets {
		sets.Admit(reason(i))
		sets.Admit(MetricLabels{fmt.Sprint("c", i/10), fmt.Sprint("Kind", i), "Warning", "x"})
	}
	for name, row := range map[string]struct{ labels, want MetricLabels }{
		"known":             {reason(0), reason(0)},
		"another reason":    {reason(maxSets), MetricLabels{Other, Other, "Normal", Other}},
		"another kind":      {MetricLabels{"c", "New", "Warning", "x"}, MetricLabels{Other, Other, "Warning", Other}},
		"a type that fails": {MetricLabels{"c", "New", "Error", "x"}, MetricLabels{Other, Other, Other, Other}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, sets.Admit(row.labels)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if n := len(sets.known); n != 1000 {
		t.Errorf("%d sets, want 1000", n)
	}
}

// Admit keeps no label of many bytes.
func TestAdmitBoundsTexts(t *testing.T) {
	var sets LabelSets
	fits, long := strings.Repeat("x", maxLabel), strings.Repeat("x", 1<<20)
	want := MetricLabels{fits, Other, "Normal", Other}
	if diff := cmp.Diff(want, sets.Admit(MetricLabels{fits, long, "Normal", long})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAccountsOf(t *testing.T) {
	accounts := NewAccounts("", &LabelSets{})
	one, other := MetricLabels{"c", "Pod", "Normal", "One"}, MetricLabels{"c", "Pod", "Normal", "Other"}
	long := MetricLabels{"c", "Pod", "Normal", strings.Repeat("x", 2*maxLabel)}
	for _, l := range []MetricLabels{one, one, other, one, long, long, other, {"c", "Pod", "Normal", Other}} {
		accounts.Of(l).Observed++
	}
	want := map[MetricLabels]int64{one: 3, other: 2, {"c", "Pod", "Normal", Other}: 3}
	got, balances := map[MetricLabels]int64{}, Balances{}
	accounts.AddTo(balances)
	for l, account := range balances {
		got[l] = account.Observed
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
