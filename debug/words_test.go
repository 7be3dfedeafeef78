// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567", -1: "-1", -999: "-999",
		-1000: "-1,000", math.MaxInt64: "9,223,372,036,854,775,807",
	} {
		if got := count(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// Caught: a time in the zone of the server; a future that is past; a time that is none.
func TestAt(t *testing.T) {
	p := pageAt(noon)
	for at, want := range map[time.Time]string{
		noon: "now", noon.Add(-time.Second): "1s ago", noon.Add(90 * time.Second): "in 90s",
	} {
		if got := p.At(at); got.Relative != want {
			t.Errorf("%v is %q, want %q", at, got.Relative, want)
		}
	}
	zone := time.FixedZone("somewhere", 3*60*60)
	if diff := cmp.Diff(&moment{
		"2026-11-22T12:00:00Z", "2026-11-22 12:00:00 UTC", "now",
	}, p.At(noon.In(zone))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := p.At(time.Time{}); got != nil {
		t.Errorf("no time is %+v", got)
	}
}

// pageAt is a page of nothing.
func pageAt(t time.Time) *page {
	return newPage(adapter.Snapshot{Snapshot: events.Snapshot{Time: t}, Mode: adapter.Auto}, "", program{})
}

// Each reason to wait has its words.
func TestWhy(t *testing.T) {
	p := pageAt(noon)
	for want, s := range map[string]events.SeriesState{
		"everything is recorded":                           {},
		"a write is in flight":                             {WaitsFor: events.WaitAnswer},
		"a write is in flight, for 12s":                    {WaitsFor: events.WaitAnswer, WaitsSince: noon.Add(-12 * time.Second)},
		"due; others are written first; 3 attempts failed": {WaitsFor: events.WaitTurn, Attempts: 3},
		"the server does not answer, or asked to wait":     {WaitsFor: events.WaitServer},
		"Later": {WaitsFor: "Later"},
	} {
		if got := p.Why(s); got != want {
			t.Errorf("%+v is %q, want %q", s, got, want)
		}
	}
}

func TestGateState(t *testing.T) {
	p := pageAt(noon)
	for want, g := range map[string]events.Gate{
		"open":                         {},
		"closed":                       {Closed: true, OpensAt: noon.Add(time.Second)},
		"closed, a probe is due":       {Closed: true, OpensAt: noon},
		"closed, a probe is in flight": {Closed: true, OpensAt: noon, Probing: true},
	} {
		if got := p.StateOf(g).Word; got != want {
			t.Errorf("%+v is %q, want %q", g, got, want)
		}
	}
}

// Each cause of the API in use has its words.
func TestBecause(t *testing.T) {
	for want, s := range map[string]adapter.Snapshot{
		"it is pinned by":                  {Mode: adapter.CoreV1},
		"discovery lists":                  {Mode: adapter.Auto, Support: discovery.Served},
		"discovery does not list":          {Mode: adapter.Auto, Support: discovery.NotServed},
		"discovery does not answer, and":   {Mode: adapter.Auto, LastError: "EOF"},
		"discovery was not asked yet, and": {Mode: adapter.Auto},
	} {
		if got := newPage(s, "", program{}).Because(); !strings.HasPrefix(got, want) {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// Caught: a part that is not seen; parts that are longer than the bar.
func TestBar(t *testing.T) {
	p := &page{}
	for _, row := range []struct {
		observed, recorded, pending, dropped int64
		want                                 bar
	}{
		{0, 0, 0, 0, bar{}},
		{4, 1, 2, 1, bar{Recorded: 250, Pending: 500, PendingAt: 250, Dropped: 250, DroppedAt: 750}},
		{1e9, 1e9 - 1, 1, 0, bar{Recorded: 992, Pending: 8, PendingAt: 992, DroppedAt: 1000}},
		{1e9, 0, 1, 1e9 - 1, bar{Pending: 8, Dropped: 999, DroppedAt: 8}},
		{5, 5, 0, 0, bar{Recorded: 1000, PendingAt: 1000, DroppedAt: 1000}},
		{5, 0, 0, 5, bar{Dropped: 1000}},
	} {
		if diff := cmp.Diff(row.want, p.Bar(row.observed, row.recorded, row.pending, row.dropped)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", row, diff)
		}
	}
}

// Caught: a list of namespaces, or YAML, without an end; those that are left out are not the newest.
func TestNamespacesAreBounded(t *testing.T) {
	s := adapter.Snapshot{Namespaces: map[string]adapter.NamespaceStatus{}}
	for i := range 4096 {
		name := fmt.Sprintf("ns-%04d", i)
		s.Namespaces[name] = adapter.NamespaceStatus{
			API: adapter.EventsV1, Access: discovery.Access{Namespace: name, User: "system:serviceaccount:a:b"},
			Since: noon.Add(-time.Duration(i) * time.Second), LastError: strings.Repeat("no ", 10000),
		}
	}
	p := newPage(s, "", program{})
	if _, oldest := p.Namespaces["ns-4095"]; len(p.Namespaces) != 50 || p.MoreNamespaces != 4046 || !oldest {
		t.Errorf("%d are shown, %d are not, the oldest is %v", len(p.Namespaces), p.MoreNamespaces, oldest)
	}
	if n := len(p.Namespaces["ns-4095"].LastError); n > 600 {
		t.Errorf("an error of %d bytes is shown", n)
	}
	if n := strings.Count(p.MissingRBAC, "kind: RoleBinding\n"); n != 50 || p.RefusedIn != 4096 {
		t.Errorf("%d roles are bound, want 50; refused in %d", n, p.RefusedIn)
	}
}
