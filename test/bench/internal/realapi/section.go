// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"fmt"
	"slices"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// The demands.
const (
	wantRate  = 0.9 // of the bare client's
	wantShare = 100 // percent delivered
)

// section is the table of what was measured, round by round and in the order of
// the scene's contenders.
func (s *scene) section(rounds [][]sample) report.Section {
	section := report.Section{Title: s.title, Text: s.text, After: s.after}
	for _, quantity := range []struct {
		what, unit string
		of         func(*sample) float64
	}{
		{s.what, "writes/s", (*sample).rate},
		{s.what + " delivered", "%", (*sample).share},
		{"the client's CPU, " + s.what, "CPU µs/write", (*sample).cost},
	} {
		for who, c := range s.contenders {
			row := report.Row{What: quantity.what, Unit: quantity.unit, Contender: c.name}
			for _, samples := range rounds {
				row.Values = append(row.Values, quantity.of(&samples[who]))
			}
			section.Rows = append(section.Rows, row)
		}
	}
	judge(section.Rows, s.what)
	return section
}

// judge demands of the SDK that it is about as fast as the bare client, in the
// median of the rounds' ratios, and that it delivers all in every round.
func judge(rows report.Rows, what string) {
	var bare, sdk, share *report.Row
	for i := range rows {
		switch row := &rows[i]; {
		case row.What == what && row.Contender == report.Bare:
			bare = row
		case row.What == what && row.Contender == report.SDK:
			sdk = row
		case row.What == what+" delivered" && row.Contender == report.SDK:
			share = row
		}
	}
	ratio := pairedRatio(sdk.Values, bare.Values)
	bare.Demand = &report.Demand{
		Text: fmt.Sprintf("≥ %v× of it in the median round: %.2f×", wantRate, ratio), Pass: ratio >= wantRate,
	}
	least := slices.Min(share.Values)
	share.Demand = &report.Demand{Text: fmt.Sprintf("%d %% in every round", wantShare), Pass: least >= wantShare}
}

// pairedRatio is the median over the rounds of a by b: what makes a round slow
// makes both slow.
func pairedRatio(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	slices.Sort(ratios)
	middle := len(ratios) / 2
	if len(ratios)%2 == 1 {
		return ratios[middle]
	}
	return (ratios[middle-1] + ratios[middle]) / 2
}
