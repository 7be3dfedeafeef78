// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
)

// scripted is a source with the requests of a test.
type scripted struct{ handle func(events.Request) }

func (*scripted) Snapshot(int) events.Snapshot { return events.Snapshot{} }
func (s *scripted) OnRequest(handle func(events.Request)) func() {
	s.handle = handle
	return func() {}
}

// The labels of requests have few values, whatever a webhook or a sink answers.
//
// Caught: a status that a webhook makes up as a label; an empty label, which is none.
func TestRequestLabels(t *testing.T) {
	s := &scripted{}
	registry := register(t, eventsprom.NewCollector(s))
	for _, request := range []events.Request{
		{Operation: "create", API: "events.k8s.io/v1", Code: 201},
		{Operation: "patch", API: "v1", Code: 200},
		{Operation: "patch", API: "", Code: 0},
		{Operation: "apply", API: "events.k8s.io/v2", Code: 600},
		{Operation: "\xff", API: "\xff", Code: -1},
	} {
		s.handle(request)
	}
	want := values{
		"requests_total":                      5,
		"requests_total operation=create":     1,
		"requests_total operation=patch":      2,
		"requests_total operation=other":      2,
		"requests_total api=events.k8s.io/v1": 1,
		"requests_total api=core/v1":          1,
		"requests_total api=none":             1,
		"requests_total api=other":            2,
		"requests_total code=201":             1,
		"requests_total code=200":             1,
		"requests_total code=none":            1,
		"requests_total code=other":           2,
	}
	if diff := cmp.Diff(want, scrape(t, registry).of("requests_total")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Durations are a classic and a native histogram in one, which is never reset.
func TestRequestDurations(t *testing.T) {
	s := &scripted{}
	registry := register(t, eventsprom.NewCollector(s))
	for i := range 10_000 {
		s.handle(events.Request{Operation: "create", API: "v1", Code: 201, Duration: time.Duration(i*i) * time.Microsecond})
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != "eventseries_request_duration_seconds" {
			continue
		}
		h := family.Metric[0].GetHistogram()
		if h.GetSampleCount() != 10_000 || len(h.Bucket) != 12 || h.Schema == nil || len(h.PositiveSpan) == 0 {
			t.Errorf("%d observations, %d classic buckets, %d native spans", h.GetSampleCount(), len(h.Bucket), len(h.PositiveSpan))
		}
		if n := len(h.PositiveDelta); n > 100 {
			t.Errorf("%d native buckets, want at most 100", n)
		}
		return
	}
	t.Error("no durations")
}
