// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"cmp"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/plural"
)

// count formats a number with thousands separators, as in 1,234,567.
func count(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// share returns the quotient of n and all, a number between 0 and 1. The page uses it as the width
// of a segment in a bar. If n is not zero, the result is at least large enough for a visible
// segment.
func share(n, all int64) float64 {
	if n == 0 {
		return 0
	}
	return max(float64(n)/float64(max(all, 1)), 0.008)
}

// counted returns n, with thousands separators, followed by noun, in the plural unless n is 1.
func counted[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + plural.Noun(noun)
}

// moment is a time in three formats.
type moment struct {
	// Datetime is the exact time, for machines.
	Datetime string
	Absolute string
	Relative string
}

// At returns t in the three formats of a moment, or nil if t is zero. The absolute time is in UTC,
// as in the logs of most components. The relative time is relative to the time of the snapshot, and
// does not change while the page is open.
func (p *page) At(t time.Time) *moment {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	m := &moment{Datetime: t.Format(time.RFC3339Nano), Absolute: t.Format("2006-01-02 15:04:05 UTC")}
	switch d := t.Sub(p.Time); {
	case d > 0:
		m.Relative = "in " + duration.HumanDuration(d)
	case d > -time.Second:
		m.Relative = "now"
	default:
		m.Relative = duration.HumanDuration(-d) + " ago"
	}
	return m
}

// Up returns for how long the adapter has been counting.
func (p *page) Up() string { return duration.HumanDuration(p.Time.Sub(p.Began)) }

// apiNames maps each API to the name that operators know it by. These names differ from the values
// of EVENTSERIES_API.
var apiNames = map[adapter.Mode]string{
	adapter.ModeEventsV1: "events.k8s.io/v1",
	adapter.ModeCoreV1:   "core/v1",
	adapter.ModeLegacy:   "core/v1, correlated as client-go does",
}

// NameOf returns the name by which operators know an API.
func (p *page) NameOf(api adapter.Mode) string { return cmp.Or(apiNames[api], string(api)) }

// Total returns the sums over all series, in the form of one series.
func (p *page) Total() events.SeriesState {
	total := events.SeriesState{
		Observed: p.Stats.Observed,
		Recorded: p.Stats.Recorded,
		Pending:  p.Stats.Pending,
	}
	for _, n := range p.Stats.Dropped {
		total.Dropped += n
	}
	return total
}

// Balanced reports whether the number of observed occurrences is the sum of the recorded, pending
// and dropped ones. The SDK counts these four numbers at different places. Only a bug in the SDK
// can make the result false.
func (p *page) Balanced() bool {
	total := p.Total()
	return total.Observed == total.Recorded+total.Pending+total.Dropped
}

// Unselected returns the number of occurrences that were dropped because they did not match the
// selector that was set when they were recorded.
func (p *page) Unselected() int64 { return p.Stats.Dropped[events.DropUnselected] }

// waits contains a text for each reason why a series waits.
var waits = map[events.Wait]string{
	"":                   "everything is recorded",
	events.WaitStart:     "the adapter was not started",
	events.WaitTurn:      "due; others are written first",
	events.WaitAnswer:    "a write is in flight",
	events.WaitServer:    "the server does not answer, or asked to wait",
	events.WaitNamespace: "writes in the namespace fail or hang, or it is being deleted",
	events.WaitEvent:     "its writes failed or were refused; tried again later",
	events.WaitInterval:  "counted; written after an interval, or once the count doubles",
}

// Why returns a text that explains why a series is not being written yet.
func (p *page) Why(s events.SeriesState) string {
	text := cmp.Or(waits[s.WaitsFor], string(s.WaitsFor))
	if !s.WaitsSince.IsZero() {
		text += ", for " + duration.HumanDuration(p.Time.Sub(s.WaitsSince))
	}
	if s.Attempts > 1 {
		text += fmt.Sprintf("; %d attempts failed", s.Attempts)
	}
	return text
}

// MoreQueues returns the number of namespaces with a queue that are not shown on the page.
func (p *page) MoreQueues() int {
	// The gate of the server has no namespace. It is not a queue.
	shown := map[string]bool{"": true}
	for _, g := range p.Gates {
		shown[g.Namespace] = true
	}
	return max(p.Queues+1-len(shown), 0)
}

// finding is one line of the summary, with a link to the section that explains it.
type finding struct {
	// Class is good, info, warn or bad. It determines the color of the line. The color adds nothing
	// to the meaning of Text.
	Class string
	Word  string
	Text  string
	// Link is the id of the section that explains the line.
	Link string
}

// Findings returns the summary of the page. Each kind of trouble has a line, even if there is no
// such trouble, so that two pages can be compared. There are two exceptions: occurrences that the
// selector does not select, and numbers that do not add up, have a line only if they exist.
func (p *page) Findings() []finding {
	access := finding{"good", "Access", "nothing is refused", "access"}
	if n := len(p.Namespaces) + p.MoreNamespaces; n > 0 {
		access.Class = "warn"
		access.Text = "RBAC holds up no Event; see " + counted(n, "namespace")
	}
	if p.RefusedIn > 0 {
		access.Class = "bad"
		access.Text = "refused in " + counted(p.RefusedIn, "namespace")
	}
	gates := finding{"good", "Gates", "all open", "gates"}
	closed := 0
	for _, g := range p.Gates {
		if g.Closed {
			closed++
			gates.Class = "bad"
			gates.Text = count(closed) + " closed"
		}
	}
	pending := finding{"good", "Pending", "nothing", "waiting"}
	if at := p.At(p.Stats.OldestPending); at != nil {
		pending.Class = "info"
		pending.Text = count(p.Stats.Pending) + ", the oldest " + at.Relative
	}
	var all []finding
	// The sums over all clusters have no API.
	if p.API != "" {
		all = append(all, finding{"good", "API", p.NameOf(p.API), "api"})
		if p.API != adapter.ModeEventsV1 || p.LastError != "" {
			all[0].Class = "warn"
		}
	}
	all = append(all, access, gates, pending)
	if p.Selector != "" {
		unselected := counted(p.Unselected(), "occurrence") + " by " + p.Selector
		all = append(all, finding{"warn", "Unselected", unselected, "selector"})
	}
	if !p.Balanced() {
		all = append(all, finding{"bad", "Accounts", "do not add up, which is a bug of the SDK", "accounts"})
	}
	return all
}

// table is a list of series with the texts of its heading. It embeds the page, because the template
// calls the methods of the page for each row.
type table struct {
	*page
	ID, Title, About, Since string
	Rows                    []events.SeriesState
}

// Table returns a table for the template.
func (p *page) Table(id, title, about, since string, rows []events.SeriesState) table {
	return table{p, id, title, about, since, rows}
}
