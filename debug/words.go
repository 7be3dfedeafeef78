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
)

// count writes a number with separators, as in 1,234,567.
func count(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// share is what n is of all, as the width of a part of a bar. What is not zero is seen, however
// small its share is.
func share(n, all int64) float64 {
	if n == 0 {
		return 0
	}
	return max(float64(n)/float64(max(all, 1)), 0.008)
}

func plural[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// moment is a time as a person reads it.
type moment struct {
	Datetime string // for machines
	Absolute string
	Relative string
}

// At describes t as seen from the time of the page, nil if there is no time. The absolute
// time is in UTC, as in the log lines of most components. Nothing on the page moves:
// relative times are as old as the page.
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

// Up is how long the adapter has counted.
func (p *page) Up() string { return duration.HumanDuration(p.Time.Sub(p.Began)) }

// apiNames are the APIs as operators know them, not as EVENTSERIES_API has them.
var apiNames = map[adapter.API]string{
	adapter.EventsV1: "events.k8s.io/v1",
	adapter.CoreV1:   "core/v1",
	adapter.Legacy:   "core/v1, correlated as client-go does",
}

// NameOf is an API as operators know it.
func (p *page) NameOf(api adapter.API) string { return cmp.Or(apiNames[api], string(api)) }

// Total are the accounts as those of one series.
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

// Balanced reports whether every occurrence is accounted for. The counts are made in
// different places, so that it could fail.
func (p *page) Balanced() bool {
	total := p.Total()
	return total.Observed == total.Recorded+total.Pending+total.Dropped
}

// Muted counts what the selector has muted, also earlier ones.
func (p *page) Muted() int64 { return p.Stats.Dropped[events.DropMuted] }

// waits says in words what a write waits for.
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

// Why says why a series is not written now.
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

// MoreQueues is how many namespaces with a queue are not shown.
func (p *page) MoreQueues() int {
	shown := map[string]bool{"": true} // the server's gate
	for _, g := range p.Gates {
		shown[g.Namespace] = true
	}
	return max(p.Queues+1-len(shown), 0)
}

// finding is one line of the summary, with a link to what explains it.
type finding struct {
	Class string // good, warn or bad; the Word says the same
	Word  string
	Text  string
	Link  string // the id of a section
}

// Findings says what a person should look at first. Each kind of trouble has its line, also
// while there is none, so that two pages can be compared. The color of a line repeats
// what its text says.
func (p *page) Findings() []finding {
	access := finding{"good", "Access", "nothing is refused", "access"}
	if n := len(p.Namespaces) + p.MoreNamespaces; n > 0 {
		access.Class = "warn"
		access.Text = "RBAC refuses nothing; see " + plural(n, "namespace")
	}
	if p.RefusedIn > 0 {
		access.Class = "bad"
		access.Text = "refused in " + plural(p.RefusedIn, "namespace")
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
	if p.API != "" { // it is of one cluster
		all = append(all, finding{"good", "API", p.NameOf(p.API), "api"})
		if p.API != adapter.EventsV1 || p.LastError != "" {
			all[0].Class = "warn"
		}
	}
	all = append(all, access, gates, pending)
	if p.Selector != "" {
		all = append(all, finding{"warn", "Muted", plural(p.Muted(), "occurrence") + " by " + p.Selector, "selector"})
	}
	if !p.Balanced() {
		all = append(all, finding{"bad", "Accounts", "do not add up, which is a bug of the SDK", "accounts"})
	}
	return all
}

// table is a list of series with what its heading says. It has the page, whose methods the
// template calls.
type table struct {
	*page
	ID, Title, About, Since string
	Rows                    []events.SeriesState
}

// Table returns a table for the template.
func (p *page) Table(id, title, about, since string, rows []events.SeriesState) table {
	return table{p, id, title, about, since, rows}
}
