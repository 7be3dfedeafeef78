// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clientgo/recordevents"
	"github.com/eventseries/eventseries/clusters"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/legacy"
)

var accounts = []string{"occurrences_total", "recorded_total", "pending", "dropped_total"}

// accountsOf returns the values that a scrape must have for Stats.
func accountsOf(s events.Stats) values {
	want := values{
		"occurrences_total": float64(s.Observed), "recorded_total": float64(s.Recorded), "pending": float64(s.Pending),
	}
	for cause, n := range s.Dropped {
		want["dropped_total cause="+string(cause)] = float64(n)
		want["dropped_total"] += float64(n)
	}
	return want.of(accounts...)
}

// Every source can be scraped at any time, and a scrape has the numbers of Stats.
//
// Caught: a collector that waits for Start; a metric that is missing until something was recorded.
func TestScrapeThroughTheLifeOfASource(t *testing.T) {
	for name, newSubject := range subjects {
		t.Run(name, func(t *testing.T) {
			s := newSubject(eventstest.NewClientset())
			registry := register(t, s.collector)
			check := func(when string) values {
				t.Helper()
				got := scrape(t, registry)
				want := accountsOf(s.Stats())
				for key := range got {
					if key := strings.Fields(key); key[0] == "occurrences_total" && len(key) > 1 {
						delete(got, strings.Join(key, " "))
					}
				}
				if diff := cmp.Diff(want, got.of(accounts...)); diff != "" {
					t.Errorf("%s, the scrape is not Stats (-want +got):\n%s", when, diff)
				}
				return got
			}
			if _, found := check("unused")["dropped_total cause=Rejected"]; !found {
				t.Error("a cause is missing until it occurs, so an alert misses its first occurrence")
			}
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			s.eventf(corev1.EventTypeWarning, "Failed")
			s.eventf(corev1.EventTypeNormal, "Started")
			fixture.Flush(t, s)
			if got := check("flushed"); got["recorded_total"] != 2 || got["requests_total code=201"] != 2 {
				t.Errorf("recorded %v with %v requests, want 2 with 2", got["recorded_total"], got["requests_total"])
			}
			fixture.End(t, s)
			s.eventf(corev1.EventTypeNormal, "Late")
			if got := check("drained")["dropped_total cause=Stopped"]; got != 1 {
				t.Errorf("%v occurrences are dropped as Stopped, want 1", got)
			}
		})
	}
}

// Caught: a nil pointer in the interface, which panics at the first scrape, in a handler.
func TestNilSourcePanicsAtOnce(t *testing.T) {
	for name, source := range map[string]eventsprom.Source[adapter.Snapshot]{
		"nil":         nil,
		"nil pointer": (*adapter.Adapter)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, "NewCollector needs an adapter or a broadcaster") {
					t.Errorf("the panic says %q", got)
				}
			}()
			eventsprom.NewCollector(source)
		})
	}
}

// Labels of a wrapped registry tell the adapters of one process apart. Without them the second registration is an error.
func TestTwoCollectorsInOneRegistry(t *testing.T) {
	newCollector := func() prometheus.Collector {
		return eventsprom.NewCollector(events.NewBroadcaster(eventstest.NewSink()))
	}
	registry := register(t)
	for _, name := range []string{"a", "b"} {
		labeled := prometheus.WrapRegistererWith(prometheus.Labels{"recorder": name}, registry)
		if err := labeled.Register(newCollector()); err != nil {
			t.Error(err)
		}
		if err := labeled.Register(newCollector()); err == nil {
			t.Errorf("%s is registered twice", name)
		}
	}
	got := scrape(t, registry)
	for _, name := range []string{"a", "b"} {
		if _, ok := got["series recorder="+name]; !ok {
			t.Errorf("%s is missing: %v", name, got)
		}
	}
	if err := registry.Register(newCollector()); err == nil {
		t.Error("a collector without labels is registered beside those with labels")
	}
}

// Package legacy does not repair reasons. A reason that cannot be a label value does not fail a
// scrape.
//
// Caught: a panic in NewConstMetric; two reasons that become the same label value; a reason of a
// megabyte.
func TestHostileReasons(t *testing.T) {
	s := subjects["legacy.Broadcaster"](eventstest.NewClientset())
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	defer fixture.End(t, s)
	registry := register(t, s.collector)
	hostile := []string{"\xff", "\xfe", "", strings.Repeat("x", 1<<20), strings.Repeat("é", 1000), "\"} 1\nup 0", "a\x00b"}
	for _, reason := range hostile {
		s.eventf(corev1.EventTypeNormal, reason)
	}
	got := scrape(t, registry)
	if n := got["occurrences_total"]; n != float64(len(hostile)) {
		t.Errorf("%v occurrences, want %d", n, len(hostile))
	}
	for key := range got {
		if len(key) > 200 {
			t.Errorf("a label of %d bytes", len(key))
		}
	}
}

// moving is a source that records an occurrence after each snapshot.
type moving struct {
	*events.Broadcaster
	eventf func(eventtype, reason string)
}

func (m moving) Snapshot(n int) events.Snapshot {
	defer m.eventf(corev1.EventTypeNormal, "Moved")
	return m.Broadcaster.Snapshot(n)
}

// All numbers of a scrape are of one moment.
//
// Caught: a scrape with pending from Stats and occurrences from Counts.
func TestScrapeIsOneSnapshot(t *testing.T) {
	s := subjects["events.Broadcaster"](nil)
	v := scrape(t, register(t, eventsprom.NewCollector(moving{s.source.(*events.Broadcaster), s.eventf})))
	if v["occurrences_total"] != v["recorded_total"]+v["pending"]+v["dropped_total"] {
		t.Errorf("%v are not conserved", v.of(accounts...))
	}
}

var (
	_ eventsprom.Source[adapter.Snapshot] = (*adapter.Adapter)(nil)
	_ eventsprom.Source[adapter.Snapshot] = (*recordevents.Broadcaster)(nil)
	_ eventsprom.Source[adapter.Snapshot] = (*clusters.Set)(nil)
	_ eventsprom.Source[events.Snapshot]  = (*events.Broadcaster)(nil)
	_ eventsprom.Source[events.Snapshot]  = (*legacy.Broadcaster)(nil)
)

// still is a source with the snapshot of a test.
type still struct{ snapshot adapter.Snapshot }

func (s *still) Snapshot(int) adapter.Snapshot { return s.snapshot }

func (s *still) OnRequest(func(events.Request)) func() { return func() {} }

// A namespace is without access if RBAC refuses the API that its Events go through.
//
// Caught: a namespace counted that is written through core/v1, or that a webhook refuses.
func TestStatus(t *testing.T) {
	const yes, no, unknown = discovery.Allowed, discovery.Denied, discovery.PermissionUnknown
	namespace := func(api adapter.Mode, eventsV1, coreV1 discovery.Permission) map[string]adapter.NamespaceStatus {
		return map[string]adapter.NamespaceStatus{
			"default": {API: api, Access: discovery.Access{EventsV1: eventsV1, CoreV1: coreV1}},
		}
	}
	for name, tt := range map[string]struct {
		snapshot adapter.Snapshot
		want     values
	}{
		"all is well": {
			adapter.Snapshot{API: adapter.ModeEventsV1, Support: discovery.Served},
			values{"api_info": 1, "api_info api=events.k8s.io/v1": 1, "api_info support=served": 1},
		},
		"nothing allowed": {
			adapter.Snapshot{API: adapter.ModeCoreV1, Support: discovery.NotServed, Namespaces: namespace(adapter.ModeCoreV1, no, no)},
			values{
				"api_info": 1, "api_info api=core/v1": 1, "api_info support=not served": 1, "namespaces_without_access": 1,
			},
		},
		"nothing known": {
			adapter.Snapshot{API: adapter.ModeLegacy, Namespaces: namespace(adapter.ModeEventsV1, unknown, unknown)},
			values{"api_info": 1, "api_info api=legacy": 1, "api_info support=unknown": 1, "namespaces_without_access": 1},
		},
		"a webhook refuses": {
			adapter.Snapshot{API: adapter.ModeEventsV1, Namespaces: namespace(adapter.ModeEventsV1, yes, no)},
			values{"api_info": 1, "api_info api=events.k8s.io/v1": 1, "api_info support=unknown": 1},
		},
		"written through core/v1": {
			adapter.Snapshot{API: adapter.ModeEventsV1, Namespaces: namespace(adapter.ModeCoreV1, no, yes)},
			values{"api_info": 1, "api_info api=events.k8s.io/v1": 1, "api_info support=unknown": 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			registry := register(t, eventsprom.NewCollector(&still{tt.snapshot}))
			got := scrape(t, registry).of("api_info", "namespaces_without_access")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The age of a pending occurrence grows until it is written.
func TestOldestPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), events.WithLogger(klog.Logger{}))
		registry := register(t, eventsprom.NewCollector(b))
		check := func(want float64) {
			t.Helper()
			if got := scrape(t, registry)["oldest_pending_seconds"]; got < want || got > want+1 {
				t.Errorf("%v seconds, want %v", got, want)
			}
		}
		check(0)
		b.Recorder(scheme.Scheme, controller).Eventf(pod, nil, "Normal", "Started", "Start", "started")
		time.Sleep(20 * time.Minute)
		check(1200)
		fixture.Flush(t, b)
		check(0)
	})
}

// scripted is a source with the requests of a test.
type scripted struct{ handle func(events.Request) }

func (*scripted) Snapshot(int) events.Snapshot { return events.Snapshot{} }
func (s *scripted) OnRequest(handle func(events.Request)) func() {
	s.handle = handle
	return func() {}
}

// The labels of requests have few values, whatever a webhook or a sink answers.
//
// Caught: a label for each status that a webhook makes up; an empty label, which Prometheus takes
// for none.
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

var update = flag.Bool("update", false, "rewrite testdata/metrics.txt")

const golden = "testdata/metrics.txt"

// Users depend on the names, types, labels and help texts of all metrics. They follow Prometheus'
// conventions. docs/operations.md has the same table.
func TestMetricsAreAsPromised(t *testing.T) {
	a := adapter.New(context.Background(), eventstest.NewClientset(), events.WithLogger(klog.Logger{}))
	registry := register(t, eventsprom.NewCollector(a))
	a.Recorder(controller).Eventf(pod, nil, corev1.EventTypeNormal, "Started", "", "no action: repaired")
	fixture.Flush(t, a)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("promlint: %v %v", problems, err)
	}
	var b strings.Builder
	for _, family := range families {
		var labels []string
		for _, label := range family.Metric[0].Label {
			labels = append(labels, label.GetName())
		}
		fmt.Fprintf(&b, "%s %s {%s} %s\n", family.GetName(), strings.ToLower(family.GetType().String()),
			strings.Join(labels, ","), family.GetHelp())
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("go test -update rewrites %s (-want +got):\n%s", golden, diff)
	}
}

// A repeat allocates nothing, even if its broadcaster is scraped between any two repeats.
func TestRepeatAllocatesNothingWhenScraped(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	s := subjects["events.Broadcaster"](nil)
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	defer fixture.End(t, s)
	repeat := func() { s.eventf("Normal", "Pulled") }
	repeat()
	repeat()
	registry := register(t, s.collector)
	for range 10 {
		scrape(t, registry)
		fixture.Flush(t, s)
		if got := testing.AllocsPerRun(1000, repeat); got != 0 {
			t.Errorf("a repeat allocates %v times", got)
		}
	}
}
