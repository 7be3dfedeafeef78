// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
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

// Caught: a time in the zone of the server; a future time that is shown as past; a zero time that
// is shown.
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

// pageAt returns an empty page that was made at a time.
func pageAt(t time.Time) *page {
	return newPage(adapter.Snapshot{Snapshot: events.Snapshot{Time: t}, Mode: adapter.ModeAuto}, "")
}

// Each reason for which a series waits has a text.
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

// htmlOf returns the page of a snapshot as HTML.
func htmlOf(t *testing.T, s adapter.Snapshot) string {
	t.Helper()
	var body bytes.Buffer
	if err := asHTML(&body, newPage(s, "")); err != nil {
		t.Fatal(err)
	}
	return body.String()
}

// Each state of a gate, each cause of the API in use and each finding has a text.
//
// Caught: a gate that is shown as open although its back-off has only just passed, because it opens
// with the next good answer; a namespace that is counted as refused although it is written through
// the other API.
func TestPageSays(t *testing.T) {
	gate := func(g events.Gate) adapter.Snapshot {
		return adapter.Snapshot{Snapshot: events.Snapshot{Gates: []events.Gate{g}}}
	}
	stats := func(s events.Stats) adapter.Snapshot { return adapter.Snapshot{Snapshot: events.Snapshot{Stats: s}} }
	refused := adapter.NamespaceStatus{API: adapter.ModeEventsV1, Access: discovery.Access{EventsV1: discovery.Denied}}
	other := adapter.NamespaceStatus{API: adapter.ModeCoreV1, Access: discovery.Access{EventsV1: discovery.Denied, CoreV1: discovery.Allowed}}
	unselected := stats(events.Stats{Observed: 3, Dropped: map[events.DropReason]int64{events.DropUnselected: 3}})
	unselected.Selector = "type=Warning"
	for want, s := range map[string]adapter.Snapshot{
		`chip good">open</span>`:                        gate(events.Gate{}),
		`chip bad">closed</span>`:                       gate(events.Gate{Closed: true, OpensAt: noon.Add(time.Second)}),
		`chip bad">closed, a probe is due</span>`:       gate(events.Gate{Closed: true, OpensAt: noon}),
		`chip bad">closed, a probe is in flight</span>`: gate(events.Gate{Closed: true, OpensAt: noon, Probing: true}),
		"1 closed":                                 gate(events.Gate{Closed: true}),
		"because it is pinned by":                  {Mode: adapter.ModeCoreV1},
		"because discovery lists":                  {Mode: adapter.ModeAuto, Support: discovery.Served},
		"because discovery does not list":          {Mode: adapter.ModeAuto, Support: discovery.NotServed},
		"because discovery does not answer, and":   {Mode: adapter.ModeAuto, LastError: "EOF"},
		"because discovery was not asked yet, and": {Mode: adapter.ModeAuto},
		"nothing is refused":                       {},
		"RBAC holds up no Event; see 1 namespace":  {Namespaces: map[string]adapter.NamespaceStatus{"a": other}},
		"refused in 1 namespace":                   {Namespaces: map[string]adapter.NamespaceStatus{"a": other, "b": refused}},
		"<bdi>403</bdi> <bdi>EOF</bdi>":            {Namespaces: map[string]adapter.NamespaceStatus{"a": {LastError: "403", ReviewError: "EOF"}}},
		"7, the oldest 20m ago":                    stats(events.Stats{Observed: 7, Pending: 7, OldestPending: noon.Add(-20 * time.Minute)}),
		"3 occurrences by type=Warning":            unselected,
		"do not add up, which is a bug of the SDK": stats(events.Stats{Observed: 1}),
	} {
		s.API, s.Time = adapter.ModeLegacy, noon
		if html := htmlOf(t, s); !strings.Contains(html, want) || !strings.Contains(html, "core/v1, correlated as client-go does</strong>") {
			t.Errorf("%+v: the page does not say %q:\n%s", s, want, html)
		}
	}
}

// A bar begins with recorded occurrences and ends with dropped ones.
//
// Caught: parts that overlap; a part that is too small to be seen; numbers that are too large for a
// browser.
func TestBar(t *testing.T) {
	for _, row := range []struct {
		recorded, pending, dropped int64
		want                       string
	}{
		{4e9, 3e9, 1e9, `<rect class="recorded" width="0.5".*"pending" x="0.125" width="0.375".*"dropped" width="0.125"`},
		{9e9, 1, 0, `<rect class="recorded" width="0.99.*"pending" x="0" width="0.008".*"dropped" width="0"`},
		{0, 0, 0, `<rect class="recorded" width="0".*"pending" x="0" width="0".*"dropped" width="0"`},
	} {
		html := htmlOf(t, adapter.Snapshot{Snapshot: events.Snapshot{Time: noon, Stats: events.Stats{
			Observed: row.recorded + row.pending + row.dropped, Recorded: row.recorded, Pending: row.pending,
			Dropped: map[events.DropReason]int64{events.DropUnselected: row.dropped},
		}}})
		for name, n := range map[string]int64{
			"observed": row.recorded + row.pending + row.dropped, "recorded": row.recorded, "pending": row.pending,
			"dropped": row.dropped,
		} {
			if !strings.Contains(html, fmt.Sprintf(`<data id="%s" value="%d">`, name, n)) {
				t.Errorf("the page does not show that %s is %d", name, n)
			}
		}
		if !regexp.MustCompile(`viewBox="0 0 1 1".*` + row.want).MatchString(html) {
			t.Errorf("no bar %s in\n%s", row.want, html)
		}
	}
}

// Caught: a list of namespaces, or a YAML text, without a limit; a list that leaves out others than
// the newest.
func TestNamespacesAreBounded(t *testing.T) {
	s := adapter.Snapshot{
		Snapshot:   events.Snapshot{Time: noon},
		API:        adapter.ModeEventsV1,
		Namespaces: map[string]adapter.NamespaceStatus{},
	}
	for i := range 4096 {
		name := fmt.Sprintf("ns-%04d", i)
		s.Namespaces[name] = adapter.NamespaceStatus{
			API: adapter.ModeEventsV1, Access: discovery.Access{Namespace: name, User: "system:serviceaccount:a:b"},
			Since: noon.Add(-time.Duration(i) * time.Second), LastError: "no",
		}
	}
	p := newPage(s, "")
	if _, oldest := p.Namespaces["ns-4095"]; len(p.Namespaces) != 50 || p.MoreNamespaces != 4046 || !oldest {
		t.Errorf("%d are shown, %d are not, the oldest is %v", len(p.Namespaces), p.MoreNamespaces, oldest)
	}
	for n, want := range map[int]string{1: "Not shown: 1 more namespace.", 4046: "Not shown: 4,046 more namespaces."} {
		var body bytes.Buffer
		p.MoreNamespaces = n
		if err := asHTML(&body, p); err != nil || !strings.Contains(body.String(), want) {
			t.Errorf("the page lacks %q, %v", want, err)
		}
	}
	if n := strings.Count(p.MissingRBAC, "kind: RoleBinding\n"); n != 50 || p.RefusedIn != 4096 {
		t.Errorf("%d roles are bound, want 50; refused in %d", n, p.RefusedIn)
	}
}
