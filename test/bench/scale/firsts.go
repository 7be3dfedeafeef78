// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// FirstsTable tells how soon first occurrences are stored, beside what an ideal order would do.
func (s *study) FirstsTable() string {
	var rows [][]string
	for _, r := range s.Runs {
		for _, day := range []struct {
			name   string
			result *dayResult
		}{{"normal", &r.Normal}, {"bad", &r.Bad}} {
			rows = append(rows,
				firstsRow(r.Name, day.name, "Warnings", &day.result.Warnings, warningsWithin),
				firstsRow(r.Name, day.name, "all", &day.result.Firsts, allWithin))
		}
	}
	return table(" |day|first occurrences|p99|p99 of the ideal order|it stores in time|their p99|wanted", rows)
}

func firstsRow(contender, day, which string, f *firsts, within time.Duration) []string {
	wanted := fmt.Sprintf("≤ %v: met", within)
	if f.InTime.P99 > within {
		wanted = fmt.Sprintf("≤ %v: **missed**", within)
	}
	return []string{
		contender, day, which, short(f.Took.P99), short(f.Ideal.P99), percent(f.InTime.Count, f.Took.Count),
		short(f.InTime.P99), wanted,
	}
}
