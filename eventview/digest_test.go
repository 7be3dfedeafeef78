// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
)

func about(kind, name, typ, reason string, first, last float64, count int64, note string) eventview.Event {
	e := *read(name+reason, first, last, count)
	e.Type, e.Reason, e.NewestNote = typ, reason, note
	e.Regarding = corev1.ObjectReference{Kind: kind, Namespace: "default", Name: name}
	return e
}

func sample() []eventview.Event {
	all := []eventview.Event{
		about("Pod", "web", "Normal", "Pulled", 59, 59, 1, "image is present"),
		about("Pod", "web", "Warning", "BackOff", -2, 48, 70, "the container\ncrashed\u202e"),
	}
	for i := range 30 {
		name := fmt.Sprintf("db-%d", i)
		all = append(all, about("Pod", name, "Warning", "FailedScheduling", 0, 50+float64(i)/10, 100, "no node fits"))
	}
	return append(all, about("", "x", "Odd", strings.Repeat("y", 300), 1, 1, 1, strings.Repeat("ü", 500)))
}

func TestDigest(t *testing.T) {
	want := `Warning FailedScheduling x3000 of 30 Pods in 52m, last 7m6s ago: Pod default/db-29: no node fits
Warning BackOff x70 in 50m, last 12m ago: Pod default/web: the container crashed
Normal Pulled x1, last 60s ago: Pod default/web: image is present
`
	full := eventview.Digest(sample(), 10_000, at(60))
	if !strings.HasPrefix(full, want) {
		t.Errorf("Digest() (-want +got):\n%s", cmp.Diff(want, full))
	}
	if strings.Contains(full, "left out") || strings.Count(full, "\n") != 4 {
		t.Errorf("%q, want four lines", full)
	}
	small := eventview.Digest(sample(), 280, at(60))
	want = strings.Join(strings.SplitAfter(want, "\n")[:2], "") +
		"left out: 2 Events in 2 groups, 2 occurrences, 0 of them Warnings\n"
	if diff := cmp.Diff(want, small); diff != "" {
		t.Errorf("of 280 bytes (-want +got):\n%s", diff)
	}
	several := []eventview.Event{
		about("Ingress", "a", "Warning", "Sync", 0, 2, 1, strings.Repeat("a", 90)),
		about("Ingress", "b", "Warning", "Sync", 0, 3, 1, strings.Repeat("b", 90)),
		about("Pod", "c", "Warning", "Failed", 0, 1, 1, strings.Repeat("c", 90)),
	}
	text := eventview.Digest(several, 250, at(60))
	if !strings.Contains(text, " of 2 Ingresses ") ||
		!strings.HasSuffix(text, "\nleft out: 1 Event in 1 group, 1 occurrence, 1 of them a Warning\n") {
		t.Errorf("with one Event left out: %q", text)
	}
	for size := range 700 {
		text := eventview.Digest(sample(), size, at(60))
		if len(text) > size || !utf8.ValidString(text) || text != "" && !strings.HasSuffix(text, "\n") {
			t.Fatalf("of %d bytes: %q", size, text)
		}
	}
}

func TestGroupBy(t *testing.T) {
	owner := func(o eventview.Object) (eventview.Object, bool) {
		if strings.HasPrefix(o.Name, "db-") {
			return eventview.Object{Kind: "ReplicaSet", Namespace: "default", Name: "db"}, true
		}
		if o.Kind == "ReplicaSet" {
			return eventview.Object{Kind: "Deployment", Namespace: "default", Name: "db"}, true
		}
		return o, o.Name == "x" // its own owner
	}
	type group struct {
		Key             string
		Events          int
		Count, Warnings int64
	}
	var got []group
	for _, g := range eventview.GroupBy(sample(), eventview.ByOwner(owner)) {
		got = append(got, group{g.Key.String(), len(g.Events), g.Count, g.Warnings})
	}
	want := []group{
		{"default/Pod/web", 2, 71, 70}, // its newest Event is newer
		{"default/Deployment/db", 30, 3000, 3000},
		{"default//x", 1, 1, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("by owner (-want +got):\n%s", diff)
	}
	byReason := eventview.GroupBy(sample(), eventview.ByReason)
	if g := byReason[0]; g.Key != "FailedScheduling" || !g.First.Equal(at(0)) || !g.Last.Equal(at(52.9)) {
		t.Errorf("first by reason: %s, %v to %v", g.Key, g.First, g.Last)
	}
	if g := eventview.GroupBy(sample(), eventview.ByObject)[0]; g.Events[0].Reason != "BackOff" {
		t.Errorf("the first Event of %v is %s, want the Warning", g.Key, g.Events[0].Reason)
	}
	timeless := []eventview.Event{{First: at(1), Last: at(2)}, {}, {First: at(3), Last: at(4)}}
	if g := eventview.GroupBy(timeless, eventview.ByReason)[0]; !g.First.Equal(at(1)) || !g.Last.Equal(at(4)) {
		t.Errorf("beside an Event without a time: %v to %v", g.First, g.Last)
	}
}

// With the same type and time the higher rate comes first.
func TestCompareRate(t *testing.T) {
	slow, fast := about("Pod", "a", "Normal", "R", 0, 10, 5, ""), about("Pod", "a", "Normal", "R", 5, 10, 5, "")
	if eventview.Compare(slow, fast) <= 0 || eventview.Compare(fast, slow) >= 0 {
		t.Error("want the faster one first")
	}
}

// An Event may have no time, a time that no clock has, or a time from a clock that is ahead. A
// digest must not state such a time as a fact, because people and agents believe it.
func TestDigestOfOddTimes(t *testing.T) {
	for name, test := range map[string]struct {
		first, last time.Time
		want        string
	}{
		"no time":              {want: "Warning BackOff x2: Pod default/web: it crashed\n"},
		"the zero of Unix":     {first: time.Unix(0, 0), last: time.Unix(0, 0), want: "Warning BackOff x2 in 0s, last 56y ago: Pod default/web: it crashed\n"},
		"the year 9999":        {first: at(0), last: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), want: "Warning BackOff x2: Pod default/web: it crashed\n"},
		"five seconds ahead":   {first: at(0), last: at(60).Add(5 * time.Second), want: "Warning BackOff x2 in 60m, last 0s ago: Pod default/web: it crashed\n"},
		"an hour ahead":        {first: at(100), last: at(120), want: "Warning BackOff x2 in 20m, last 60m ahead of this clock: Pod default/web: it crashed\n"},
		"the end at the start": {first: at(30), last: at(20), want: "Warning BackOff x2 in 0s, last 40m ago: Pod default/web: it crashed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			e := about("Pod", "web", "Warning", "BackOff", 0, 0, 2, "it crashed")
			e.First = test.first
			e.Last = test.last
			if diff := cmp.Diff(test.want, eventview.Digest([]eventview.Event{e}, 1000, at(60))); diff != "" {
				t.Errorf("Digest() (-want +got):\n%s", diff)
			}
		})
	}
}
