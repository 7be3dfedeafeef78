// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// count writes a number with separators, as in 1,234,567.
func count[T int | int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	var groups []string
	for len(digits) > 3 && digits[len(digits)-4] != '-' {
		groups = append(groups, digits[len(digits)-3:])
		digits = digits[:len(digits)-3]
	}
	groups = append(groups, digits)
	slices.Reverse(groups)
	return strings.Join(groups, ",")
}

// amount is a number with its name.
type amount struct {
	Name  string
	Count int64
}

// nonzero returns the counts that are not zero, the highest first.
func nonzero(counts any) (all []amount) {
	switch counts := counts.(type) {
	case map[events.DropReason]int64:
		all = amounts(counts)
	case map[events.Repair]int64:
		all = amounts(counts)
	}
	return all
}

func amounts[K ~string](counts map[K]int64) (all []amount) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[name]; n != 0 {
			all = append(all, amount{string(name), n})
		}
	}
	slices.SortStableFunc(all, func(a, b amount) int { return cmp.Compare(b.Count, a.Count) })
	return all
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
		m.Relative = "in " + short(d)
	case d > -time.Second:
		m.Relative = "now"
	default:
		m.Relative = short(-d) + " ago"
	}
	return m
}

// Up is how long the adapter has counted.
func (p *page) Up() string { return short(p.Time.Sub(p.Began)) }

// short writes a duration in its two largest units.
func short(d time.Duration) string {
	units := []struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}
	if d < time.Second {
		return fmt.Sprintf("%dms", max(d, 0).Milliseconds())
	}
	for i, u := range units {
		if d < u.size {
			continue
		}
		text := fmt.Sprintf("%d%s", d/u.size, u.name)
		if i+1 < len(units) {
			if rest := d % u.size / units[i+1].size; rest > 0 {
				text += fmt.Sprintf(" %d%s", rest, units[i+1].name)
			}
		}
		return text
	}
	return ""
}

// apiNames are the APIs as operators know them, not as EVENTSERIES_API has them.
var apiNames = map[adapter.API]string{
	adapter.EventsV1: "events.k8s.io/v1",
	adapter.CoreV1:   "core/v1",
	adapter.Legacy:   "core/v1, correlated as client-go does",
}

// Name is the API as operators know it.
func (a api) Name() string { return cmp.Or(apiNames[a.Use], string(a.Use)) }

// APIName is the API of one namespace.
func (n namespace) APIName() string { return cmp.Or(apiNames[n.API], string(n.API)) }

// waits says in words what a write waits for.
var waits = map[events.WaitReason]string{
	events.WaitNothing:       "everything is recorded",
	events.WaitAnswer:        "a write is in flight",
	events.WaitStart:         "the adapter was not started",
	events.WaitWorker:        "due; others are written first",
	events.WaitServerGate:    "the server's gate is closed",
	events.WaitPressureGate:  "the server asked several namespaces to wait",
	events.WaitNamespaceGate: "the namespace's gate is closed",
	events.WaitCreateGate:    "the namespace is being deleted",
	events.WaitOneAtATime:    "the namespace is suspect, and has a write in flight",
	events.WaitBackoff:       "the server refused it for now",
	events.WaitPublish:       "the count has doubled; written after the publish interval",
	events.WaitRefresh:       "counted; written at the next refresh, or once the count doubles",
	events.WaitFinish:        "counted; written once it stays quiet or the count doubles",
	events.WaitRefused:       "the server refused it",
}

// Why says why something is not written now.
func (p *page) Why(w events.Wait) string {
	text := cmp.Or(waits[w.For], string(w.For))
	gated := w.For == events.WaitServerGate || w.For == events.WaitPressureGate ||
		w.For == events.WaitNamespaceGate || w.For == events.WaitCreateGate
	switch {
	case !w.Since.IsZero():
		return text + ", for " + short(p.Time.Sub(w.Since))
	case gated && w.Until.IsZero():
		return text + "; a probe is in flight"
	}
	return text
}

// state is what a gate does, in a word.
type state struct{ Class, Word string }

// GateState describes a gate. One whose time has come is closed until the write that it
// lets through has a good answer.
func (p *page) GateState(g events.Gate) state {
	switch {
	case !g.Closed:
		return state{"good", "open"}
	case g.Probing:
		return state{"bad", "closed, a probe is in flight"}
	case !g.OpensAt.After(p.Time):
		return state{"bad", "closed, a probe is due"}
	}
	return state{"bad", "closed"}
}
