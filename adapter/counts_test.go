// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/sinks"
)

// Both broadcasters' accounts are one, and each request is reported with the API that it went through.
func TestCountsAndRequestsOfBothAPIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, rec := start(t, c)
		var mu sync.Mutex // workers call
		seen := map[events.Request]int{}
		stop := a.OnRequest(func(r events.Request) {
			mu.Lock()
			defer mu.Unlock()
			seen[r]++
		})
		emit(rec, 1, "default", "web") // of two, a worker may write one before the other
		flush(t, a)
		c.deny("shop", v1)
		emit(rec, 1, "shop", "db") // refused, and sent through the other API
		flush(t, a)
		time.Sleep(time.Minute) // discovery was just asked
		c.ServeEventsV1(false)
		emit(rec, 1, "default", "cache") // so is what is not served
		flush(t, a)
		emit(rec, 3, "default", "old") // client-go's correlator
		rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "")
		flush(t, a)
		stop()
		emit(rec, 1, "default", "late")
		flush(t, a)
		mu.Lock()
		defer mu.Unlock()
		want := map[events.Request]int{
			{Operation: "create", API: "events.k8s.io/v1", Code: 201, Attempt: 1}: 1,
			{Operation: "create", API: "events.k8s.io/v1", Code: 403, Attempt: 1}: 1,
			{Operation: "create", API: "events.k8s.io/v1", Code: 404, Attempt: 1}: 1,
			{Operation: "create", API: "v1", Code: 201, Attempt: 1}:               3,
			{Operation: "patch", API: "v1", Code: 200, Attempt: 1}:                2,
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
		got := map[events.Labels]int64{}
		for _, one := range a.Snapshot(0).Counts {
			checkConserved(t, events.Stats{
				Observed: one.Observed, Recorded: one.Recorded, Pending: one.Pending, Dropped: one.Dropped,
			})
			got[one.Labels] = one.Observed
		}
		labels := events.Labels{ReportingController: controller, RegardingKind: "Pod", Type: "Normal", Reason: "Killing"}
		invalid := labels
		invalid.RegardingKind = ""
		if diff := cmp.Diff(map[events.Labels]int64{labels: 7, invalid: 1}, got); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
	})
}

// What is put before the API sees every write of a series, in the order of the options, and nothing of the correlator.
func TestWithSink(t *testing.T) {
	for name, row := range map[string]struct {
		mode adapter.API
		want map[string]int
	}{
		"series":     {adapter.Auto, map[string]int{"inner": 1, "outer": 1}},
		"correlator": {adapter.Legacy, map[string]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen := map[string]int{}
				count := func(name string) adapter.Option {
					return adapter.WithSink(func(api events.Sink) events.Sink {
						return sinks.Filter(api, func(*eventsv1.Event) bool { seen[name]++; return name == "inner" || seen["inner"] == 0 })
					})
				}
				a, rec := start(t, newCluster(), adapter.WithMode(row.mode), count("inner"), count("outer"))
				emit(rec, 1, "default", "web")
				flush(t, a)
				if diff := cmp.Diff(row.want, maps.Clone(seen)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}
