// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"fmt"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

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
	all := []finding{{"good", "API", p.API.Name(), "api"}}
	if p.API.Use != adapter.EventsV1 || p.API.LastError != "" {
		all[0].Class = "warn"
	}
	add := func(class, word, link, text string, args ...any) {
		all = append(all, finding{class, word, fmt.Sprintf(text, args...), link})
	}
	if !p.Accounts.Balanced {
		add("bad", "Accounts", "accounts", "do not add up, which is a bug of the SDK")
	}
	switch n := len(p.Namespaces.Shown) + p.Namespaces.More; {
	case p.Namespaces.Refused > 0:
		add("bad", "Access", "access", "refused in %s", plural(p.Namespaces.Refused, "namespace"))
	case n > 0:
		add("warn", "Access", "access", "RBAC refuses nothing; see %s", plural(n, "namespace"))
	default:
		add("good", "Access", "access", "nothing is refused")
	}
	if closed := p.closedGates(); closed > 0 {
		add("bad", "Gates", "gates", "%s closed", count(closed))
	} else {
		add("good", "Gates", "gates", "all open")
	}
	if at := p.At(p.Accounts.OldestPending); at != nil {
		add("info", "Pending", "waiting", "%s, the oldest %s", count(p.Accounts.Pending), at.Relative)
	} else {
		add("good", "Pending", "waiting", "nothing")
	}
	if p.Selector.Text != "" {
		add("warn", "Muted", "selector", "%s by %s", plural(p.Selector.Muted, "occurrence"), p.Selector.Text)
	}
	return all
}

// closedGates counts the closed gates that are shown.
func (p *page) closedGates() (n int) {
	for _, r := range p.Gates() {
		if r.Gate.Closed {
			n++
		}
	}
	return n
}

func plural[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// gateRow is a row of the table of gates.
type gateRow struct {
	Name      string
	Namespace string // empty for a gate of the server
	Suspect   bool
	Gate      events.Gate
	Waiting   int
	InFlight  int
}

// Gates lists all gates: the server's, and those of the namespaces.
func (p *page) Gates() []gateRow {
	all := gateRows("", &p.Series.Gates)
	return all
}

// MoreQueues is how many namespaces with a queue are not shown.
func (p *page) MoreQueues() int {
	n := p.Series.Gates.Queues - len(p.Series.Gates.Namespaces)
	return max(n, 0)
}

// gateRows lists the gates of one broadcaster. The server's row adds up the namespaces that
// are shown. A gate for creates has a row while it is closed.
func gateRows(suffix string, g *events.Gates) []gateRow {
	all := []gateRow{{Name: "API server" + suffix, Gate: g.Server, Waiting: g.Waiting}}
	if g.Pressure.Closed {
		all = append(all, gateRow{Name: "API server, asked to wait" + suffix, Gate: g.Pressure})
	}
	for _, n := range g.Namespaces {
		all[0].InFlight += n.InFlight
		row := gateRow{
			Name: "all writes" + suffix, Namespace: n.Namespace, Suspect: n.Suspect, Gate: n.Gate,
			Waiting: n.Waiting, InFlight: n.InFlight,
		}
		all = append(all, row)
		if n.Creates.Closed {
			row.Name, row.Gate = "new Events"+suffix, n.Creates
			all = append(all, row)
		}
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

func newTable(p *page, id, title, about, since string, all []events.SeriesState) table {
	return table{p, id, title, about, since, all}
}

// SinceOf is the time in the column Since of a row.
func (t table) SinceOf(s events.SeriesState) *moment {
	if t.ID == "waiting" {
		return t.At(s.PendingSince)
	}
	return t.At(s.Last)
}

// bar says how wide the parts of a bar are, of 1000.
type bar struct{ Recorded, Pending, PendingAt, Dropped, DroppedAt int64 }

// Bar shares out a bar. What is not zero is seen, however small its share is. An attribute
// of SVG is no style, which the page's policy would not allow.
func (p *page) Bar(observed, recorded, pending, dropped int64) bar {
	if observed <= 0 {
		return bar{}
	}
	share := func(n int64) int64 {
		if n == 0 {
			return 0
		}
		return min(max(int64(float64(n)/float64(observed)*1000), 8), 1000)
	}
	b := bar{Pending: share(pending), Dropped: share(dropped)}
	b.Recorded = max(1000-b.Pending-b.Dropped, 0)
	if recorded == 0 {
		b.Recorded = 0
	}
	b.PendingAt = b.Recorded
	b.DroppedAt = b.PendingAt + b.Pending
	return b
}
