// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

var accounts = []string{"occurrences_total", "recorded_total", "pending", "dropped_total"}

// accountsOf returns what a scrape has to show of Stats.
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

// Every source can be scraped from its first to its last moment, and shows what Stats says.
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
			flush(t, s)
			if got := check("flushed"); got["recorded_total"] != 2 || got["requests_total code=201"] != 2 {
				t.Errorf("recorded %v with %v requests, want 2 with 2", got["recorded_total"], got["requests_total"])
			}
			drain(t, s)
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

// Constant labels tell the adapters of one process apart. Without them the second registration is an error, and
// so are names that a metric has already or that Prometheus does not allow.
func TestConstLabels(t *testing.T) {
	newCollector := func(opts ...eventsprom.Option) prometheus.Collector {
		return eventsprom.NewCollector(events.NewBroadcaster(eventstest.NewSink()), opts...)
	}
	of := func(name, value string) eventsprom.Option {
		return eventsprom.WithConstLabels(prometheus.Labels{name: value})
	}
	registry := register(t, newCollector(of("recorder", "a")), newCollector(of("recorder", "b")))
	if got := scrape(t, registry); len(got.of("series")) != 0 || got["series recorder=a"] != 0 {
		t.Errorf("%v", got.of("series"))
	}
	for name, opts := range map[string][]eventsprom.Option{
		"taken":          {of("recorder", "a")},
		"other names":    nil,
		"own label":      {of("reason", "a")},
		"invalid name":   {of("\xff", "a")},
		"reserved label": {of("__name__", "a")},
	} {
		if err := registry.Register(newCollector(opts...)); err == nil {
			t.Errorf("%s: registered", name)
		}
	}
}

// A storm of made-up reasons stays within what a Prometheus can take, and loses no count.
//
// Caught: a label set for each reason; an "other" that falls when a series is evicted.
func TestTenThousandReasons(t *testing.T) {
	const reasons, limit = 10_000, 1000
	for name, newSubject := range subjects {
		t.Run(name, func(t *testing.T) {
			s := newSubject(eventstest.NewClientset())
			registry := register(t, s.collector)
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			defer drain(t, s)
			before := values{}
			for i := range reasons {
				s.eventf(corev1.EventTypeNormal, fmt.Sprint("Reason", i))
				if i%1000 != 999 {
					continue
				}
				now := scrape(t, registry)
				for key, value := range before {
					if strings.Contains(key, "_total") && now[key] < value {
						t.Errorf("%s fell from %v to %v", key, value, now[key])
					}
				}
				before = now
			}
			sets := 0
			for key := range before {
				if strings.HasPrefix(key, "occurrences_total reason=") {
					sets++
				}
			}
			if sets > limit || before["occurrences_total"] != reasons || before["occurrences_total reason=other"] == 0 {
				t.Errorf("%d label sets of %v occurrences, want at most %d of %d, some of them other",
					sets, before["occurrences_total"], limit, reasons)
			}
		})
	}
}

// Package legacy repairs no reason. What no label can have does not fail a scrape.
//
// Caught: a panic in NewConstMetric; two reasons that become the same label value; a reason of a megabyte.
func TestHostileReasons(t *testing.T) {
	s := subjects["legacy.Broadcaster"](eventstest.NewClientset())
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	defer drain(t, s)
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

// moving is a source in which something is recorded after each look.
type moving struct {
	*events.Broadcaster
	eventf func(eventtype, reason string)
}

func (m moving) Snapshot(n int) events.Snapshot {
	defer m.eventf(corev1.EventTypeNormal, "Moved")
	return m.Broadcaster.Snapshot(n)
}

// All accounts of a scrape are of one moment.
//
// Caught: pending of Stats beside occurrences of Counts.
func TestScrapeIsOneSnapshot(t *testing.T) {
	s := subjects["events.Broadcaster"](nil)
	v := scrape(t, register(t, eventsprom.NewCollector(moving{s.source.(*events.Broadcaster), s.eventf})))
	if v["occurrences_total"] != v["recorded_total"]+v["pending"]+v["dropped_total"] {
		t.Errorf("%v are not conserved", v.of(accounts...))
	}
}

// Scrapes run side by side with each other and with recording.
func TestScrapeConcurrentSafe(t *testing.T) {
	for name, newSubject := range subjects {
		t.Run(name, func(t *testing.T) {
			s := newSubject(eventstest.NewClientset())
			registry := register(t, s.collector)
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for worker := range 4 {
				all.Go(func() {
					for i := range 50 {
						s.eventf(corev1.EventTypeNormal, fmt.Sprint("Reason", worker, i%7))
					}
				})
				all.Go(func() {
					for range 20 {
						v := scrape(t, registry)
						if v["occurrences_total"] != v["recorded_total"]+v["pending"]+v["dropped_total"] {
							t.Errorf("%v are not conserved", v.of(accounts...))
						}
					}
				})
			}
			all.Wait()
			drain(t, s)
		})
	}
}

var (
	_ eventsprom.Source[adapter.Snapshot] = (*adapter.Adapter)(nil)
	_ eventsprom.Source[adapter.Snapshot] = (*adapter.RecordBroadcaster)(nil)
	_ eventsprom.Source[adapter.Snapshot] = (*adapter.Clusters)(nil)
	_ eventsprom.Source[events.Snapshot]  = (*events.Broadcaster)(nil)
	_ eventsprom.Source[events.Snapshot]  = (*legacy.Broadcaster)(nil)
)
