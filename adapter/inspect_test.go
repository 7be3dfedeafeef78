// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

// Caught: a broadcaster that is left out; a Status or Stats that is not the adapter's.
func TestInspect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, rec := start(t, c, adapter.WithSelector("reason!=Other"))
		emit(rec, 3, "default", "web")
		synctest.Wait()
		c.ServeEventsV1(false)
		c.Fail(unavailable)
		a2, rec2 := start(t, c)
		synctest.Wait()
		emit(rec2, 2, "default", "old")
		time.Sleep(time.Second)
		got := a.Snapshot(10)
		if diff := cmp.Diff(a.Stats(), got.Stats); diff != "" {
			t.Errorf("Stats (-want +got):\n%s", diff)
		}
		if len(got.Frequent) != 1 || got.Frequent[0].Observed != 3 || got.Mode != adapter.Auto {
			t.Errorf("%+v", got)
		}
		old := a2.Snapshot(10)
		if diff := cmp.Diff(a2.Stats(), old.Stats); diff != "" {
			t.Errorf("Stats (-want +got):\n%s", diff)
		}
		if len(old.Waiting) != 1 || old.Waiting[0].Pending != 2 || old.API != adapter.Legacy ||
			old.Waiting[0].WaitsFor != events.WaitNamespace {
			t.Errorf("%+v", old)
		}
		c.Fail(nil)
	})
}

// The options of all packages are shown as they are written in code, and the variables that win over them.
func TestSnapshotOptions(t *testing.T) {
	t.Setenv(adapter.Environment, "core")
	got := adapter.New(t.Context(), eventstest.NewClientset(), quiet, adapter.WithSelector("type=Warning"),
		events.WithMaxInFlight(7), legacy.WithCorrelatorOptions(legacy.CorrelatorOptions{}), adapter.WithMode(adapter.Legacy),
		adapter.WithSink(func(s events.Sink) events.Sink { return s })).Snapshot(0).Options
	want := []string{
		"WithSelector(type=Warning)", "WithMaxInFlight(7)", "WithCorrelatorOptions()", "WithMode(legacy)", "WithSink()",
		"EVENTSERIES_API=core",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
