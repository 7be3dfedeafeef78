// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"errors"
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

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0ms", 0: "0ms", 250 * time.Millisecond: "250ms", time.Second: "1s", 61500 * time.Millisecond: "1m 1s",
		time.Minute: "1m", 3*time.Hour + 59*time.Second: "3h", 25 * time.Hour: "1d 1h", 400 * 24 * time.Hour: "400d",
	} {
		if got := short(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

// Caught: a time in the zone of the server; a future that is past; a time that is none.
func TestAt(t *testing.T) {
	p := &page{Time: noon}
	for at, want := range map[time.Time]string{
		noon: "now", noon.Add(-time.Second): "1s ago", noon.Add(90 * time.Second): "in 1m 30s",
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

// Each reason to wait has its words.
func TestWhy(t *testing.T) {
	p := &page{Time: noon}
	for want, w := range map[string]events.Wait{
		"everything is recorded":                               {For: events.WaitNothing},
		"a write is in flight":                                 {For: events.WaitAnswer},
		"a write is in flight, for 12s":                        {For: events.WaitAnswer, Since: noon.Add(-12 * time.Second)},
		"the namespace's gate is closed":                       {For: events.WaitNamespaceGate, Until: noon},
		"the namespace's gate is closed; a probe is in flight": {For: events.WaitNamespaceGate},
		"the server's gate is closed":                          {For: events.WaitServerGate, Until: noon},
		"Later":                                                {For: "Later"},
	} {
		if got := p.Why(w); got != want {
			t.Errorf("%+v is %q, want %q", w, got, want)
		}
	}
}

func TestGateState(t *testing.T) {
	p := &page{Time: noon}
	for want, g := range map[string]events.Gate{
		"open":                         {},
		"closed":                       {Closed: true, OpensAt: noon.Add(time.Second)},
		"closed, a probe is due":       {Closed: true, OpensAt: noon},
		"closed, a probe is in flight": {Closed: true, OpensAt: noon, Probing: true},
	} {
		if got := p.GateState(g).Word; got != want {
			t.Errorf("%+v is %q, want %q", g, got, want)
		}
	}
}

// Each cause of the API in use has its words.
func TestWhyAPI(t *testing.T) {
	for want, i := range map[string]adapter.Inspection{
		"it is pinned by":                  {Mode: adapter.CoreV1},
		"discovery lists":                  {Mode: adapter.Auto, Status: adapter.Status{Support: discovery.Served}},
		"discovery does not list":          {Mode: adapter.Auto, Status: adapter.Status{Support: discovery.NotServed}},
		"discovery does not answer, and":   {Mode: adapter.Auto, Status: adapter.Status{LastError: errors.New("EOF")}},
		"discovery was not asked yet, and": {Mode: adapter.Auto},
	} {
		if got := why(&i); !strings.HasPrefix(got, want) {
			t.Errorf("%+v: %q, want %q", i.Status, got, want)
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

// Caught: a text that is cut within a character; one that hides something.
func TestClean(t *testing.T) {
	long := strings.Repeat("ä", 300)
	for text, want := range map[string]string{
		"":                       "",
		"web-1 is ready":         "web-1 is ready",
		"Ünïcödé 日本":             "Ünïcödé 日本",
		"a\nb\tc":                `a\nb\tc`,
		"\u202egnp":              `\u202egnp`,
		"\x00\x1b[0m":            `\x00\x1b[0m`,
		"\xff!":                  "\ufffd!",
		long:                     strings.Repeat("ä", 256) + "…",
		"x" + long:               "x" + strings.Repeat("ä", 255) + "…",
		strings.Repeat("y", 512): strings.Repeat("y", 512),
	} {
		if got := clean(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Caught: a list of namespaces, or YAML, without an end.
func TestDeniedIsBounded(t *testing.T) {
	s := adapter.Status{Namespaces: map[string]adapter.NamespaceStatus{}}
	for i := range 4096 {
		name := fmt.Sprintf("ns-%04d", i)
		s.Namespaces[name] = adapter.NamespaceStatus{
			API: adapter.EventsV1, Access: discovery.Access{Namespace: name, User: "system:serviceaccount:a:b"},
			Since: noon.Add(-time.Duration(i) * time.Second), LastError: errors.New(strings.Repeat("no ", 10000)),
		}
	}
	d := newDenied(&s)
	if len(d.Shown) != 50 || d.More != 4046 || d.Shown[0].Name != "ns-4095" {
		t.Errorf("%d are shown from %s on, %d are not", len(d.Shown), d.Shown[0].Name, d.More)
	}
	if n := strings.Count(d.Remedy, "kind: RoleBinding\n"); n != 50 {
		t.Errorf("the remedy binds %d roles, want 50", n)
	}
}

type badError struct{}

func (badError) Error() string { panic("no text") }

func TestTextOfErrors(t *testing.T) {
	for want, err := range map[string]error{"": nil, "EOF": errors.New("EOF"), "the error has no text": badError{}} {
		if got := textOf(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
