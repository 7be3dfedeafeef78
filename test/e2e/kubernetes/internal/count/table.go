// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"cmp"
	"maps"
	"slices"
)

// Row is what became of one reason of one component.
type Row struct {
	Component, Reason string
	Occurrences       int
	Late              int // occurrences that were logged after the recorder was told to end
	Writes            int
	Refused           map[int]int `json:",omitempty"` // writes, by status
	Events            int
	Sum               int // of the counts of the Events
	Action, Related   int // Events that have them
	Annotated         int // Events with annotations
}

// Lost are the occurrences that are in no Event.
func (r *Row) Lost() int { return r.Occurrences - r.Sum }

// Early are those that were recorded before the end.
func (r *Row) Early() int { return max(0, r.Lost()-r.Late) }

func (r *Row) key() string { return r.Component + " " + r.Reason }

func (r *Row) add(other *Row) {
	r.Occurrences += other.Occurrences
	r.Late += other.Late
	r.Writes += other.Writes
	r.Events += other.Events
	r.Sum += other.Sum
	r.Action += other.Action
	r.Related += other.Related
	r.Annotated += other.Annotated
	for status, n := range other.Refused {
		r.refuse(status, n)
	}
}

func (r *Row) refuse(status, n int) {
	if r.Refused == nil {
		r.Refused = map[int]int{}
	}
	r.Refused[status] += n
}

// Table puts the three counts side by side.
func Table(occurrences []Occurrence, writes []Write, stored []Stored) []Row {
	rows := map[string]*Row{}
	row := func(component, reason string) *Row {
		r := &Row{Component: component, Reason: reason}
		if rows[r.key()] == nil {
			rows[r.key()] = r
		}
		return rows[r.key()]
	}
	for _, occurrence := range occurrences {
		r := row(occurrence.Component, occurrence.Reason)
		r.Occurrences++
		if occurrence.Late {
			r.Late++
		}
	}
	for _, write := range writes {
		r := row(write.Component, write.Reason)
		r.Writes++
		if write.Status >= 400 {
			r.refuse(write.Status, 1)
		}
	}
	for _, event := range stored {
		r := row(event.Component, event.Reason)
		r.Events++
		r.Sum += event.Count
		if event.Action {
			r.Action++
		}
		if event.Related {
			r.Related++
		}
		if event.Annotated {
			r.Annotated++
		}
	}
	return sorted(rows)
}

// Totals adds up the rows of each component.
func Totals(rows []Row) []Row {
	totals := map[string]*Row{}
	for i := range rows {
		component := rows[i].Component
		if totals[component] == nil {
			totals[component] = &Row{Component: component}
		}
		totals[component].add(&rows[i])
	}
	return sorted(totals)
}

func sorted(rows map[string]*Row) []Row {
	var all []Row
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		all = append(all, *rows[key])
	}
	slices.SortStableFunc(all, func(a, b Row) int { return cmp.Compare(rank(a.Component), rank(b.Component)) })
	return all
}

// rank orders components as a reader expects them.
func rank(component string) int {
	return slices.Index([]string{Kubelet, Manager, Scheduler}, component)
}
