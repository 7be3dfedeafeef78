// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
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

// notShown are options without a value that a person can read, or whose values other settings show.
var notShown = []string{
	"WithClock", "WithLogger", "WithContext", "WithScheme", "WithSleepDuration", "WithLabels",
}

// Each option of the three packages is among the settings.
//
// Caught: an option that was added without a line in a function settings.
func TestInspectHasEveryOption(t *testing.T) {
	i := adapter.New(t.Context(), eventstest.NewClientset(), quiet).Snapshot(0)
	for pkg, settings := range map[string][]events.Setting{
		"adapter": i.Settings, "events": i.Settings, "legacy": i.Settings,
	} {
		api, err := os.ReadFile("../api/" + pkg + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		options := regexp.MustCompile(`func (With\w+)\(.*\) Option`).FindAllStringSubmatch(string(api), -1)
		if len(options) == 0 {
			t.Errorf("api/%s.txt has no options", pkg)
		}
		for _, option := range options {
			shown := slices.ContainsFunc(settings, func(s events.Setting) bool { return s.Option == option[1] })
			if !shown && !slices.Contains(notShown, option[1]) {
				t.Errorf("%s.%s is not among the settings", pkg, option[1])
			}
		}
	}
}

// Caught: a default that is not the default; an environment that is not shown.
func TestInspectSettings(t *testing.T) {
	differing := func(opts ...adapter.Option) map[string]string {
		all := map[string]string{}
		for _, s := range adapter.New(t.Context(), eventstest.NewClientset(), append(opts, quiet)...).Snapshot(0).Settings {
			if s.Value != s.Default {
				all[s.Option] = s.Value
			}
		}
		return all
	}
	if got := differing(); len(got) != 0 {
		t.Errorf("without options %v", got)
	}
	t.Setenv(adapter.Environment, "core")
	if diff := cmp.Diff(map[string]string{
		"WithMode": "core", "EVENTSERIES_API": "core", "WithSelector": "type=Warning",
	}, differing(adapter.WithSelector("type=Warning"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
