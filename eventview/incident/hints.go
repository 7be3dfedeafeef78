// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/usercode"
)

const (
	// shortly is the time before an incident in which a hint is looked for.
	shortly = 5 * time.Minute
	// maxChanges is the maximum number of changes in memory, and maxHints is the maximum number of
	// hints of an incident.
	maxChanges = 32
	maxHints   = 3
)

// change is a Normal Event about an object that is no pod.
type change struct {
	At   time.Time
	Text string
}

// noteChange remembers a change as a hint.
func (t *Tracker) noteChange(e *eventview.Event, first time.Time) {
	if e.Regarding.Kind == "Pod" || e.Count > 1 || first.Before(t.now.Add(-memory)) {
		return
	}
	c := change{
		At:   first,
		Text: usercode.Plain(fmt.Sprintf("%s %v: %s", e.Reason, objectOf(e), e.Note), maxNoteShown),
	}
	if slices.Contains(t.changes, c) {
		return
	}
	if len(t.changes) == maxChanges {
		t.changes = slices.Delete(t.changes, 0, 1)
	}
	t.changes = append(t.changes, c)
}

// hints says what else began shortly before an incident. All incidents are given, the oldest first.
func (t *Tracker) hints(inc *entry, oldestFirst []*entry) (texts []string) {
	shortlyBefore := func(at time.Time) bool {
		before := inc.First.Sub(at)
		return before >= 0 && before <= shortly
	}
	var began []change
	for _, c := range t.changes {
		if shortlyBefore(c.At) {
			began = append(began, c)
		}
	}
	others := 0
	for _, other := range slices.Backward(oldestFirst) {
		if others == maxHints || other.First.Before(inc.First.Add(-shortly)) {
			break
		}
		if other != inc && other.Opened && shortlyBefore(other.First) {
			others++
			began = append(began, change{
				At:   other.First,
				Text: fmt.Sprintf("incident %s: %s %v", other.ID, other.Reason, other.FirstObject),
			})
		}
	}
	slices.SortFunc(began, func(a, b change) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Text, b.Text))
	})
	for _, c := range began[:min(len(began), maxHints)] {
		texts = append(texts, c.Text)
	}
	return texts
}
