// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/legacy"
)

// TestMode: WithMode pins the API whatever discovery and RBAC say, and EVENTSERIES_API wins over it. A server that has the API
// is asked once, one that has not every five minutes. What the operator gets wrong is one line of the log, and ends nothing.
func TestMode(t *testing.T) {
	for _, tt := range []struct {
		name   string
		mode   adapter.Mode
		env    string
		served bool
		want   adapter.Mode
		probes int64 // within an hour and a second
	}{
		{"default, served", adapter.ModeAuto, "", true, adapter.ModeEventsV1, 1},
		{"default, not served", adapter.ModeAuto, "", false, adapter.ModeLegacy, 13},
		{"CoreV1", adapter.ModeCoreV1, "", true, adapter.ModeCoreV1, 0},
		{"CoreV1, not served", adapter.ModeCoreV1, "", false, adapter.ModeCoreV1, 0},
		{"Legacy", adapter.ModeLegacy, "", true, adapter.ModeLegacy, 0},
		{"the operator says v1", adapter.ModeCoreV1, "v1", true, adapter.ModeEventsV1, 0},
		{"the operator says core", adapter.ModeEventsV1, "core", true, adapter.ModeCoreV1, 0},
		{"the operator says legacy", adapter.ModeEventsV1, "legacy", true, adapter.ModeLegacy, 0},
		{"the operator says auto", adapter.ModeCoreV1, "auto", true, adapter.ModeEventsV1, 1},
		{"the operator says nonsense", adapter.ModeCoreV1, "V1", true, adapter.ModeCoreV1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(adapter.Environment, tt.env)
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.ServeEventsV1(tt.served)
				log, logged := withLog()
				a, rec := start(t, c, adapter.WithMode(tt.mode), logged)
				if tt.env == "V1" {
					log.CheckOnce(t, "An environment variable is ignored: correct it in the component's environment")
				}
				synctest.Wait()
				checkAPI(t, a, tt.want)
				emit(rec, 1, "default", "web")
				fixture.Flush(t, a)
				viaV1 := map[adapter.Mode]int64{adapter.ModeEventsV1: 1}[tt.want]
				checkWrites(t, c, viaV1, 1-viaV1)
				if e := only(t, c); e.EventTime.IsZero() != (tt.want == adapter.ModeLegacy) {
					t.Errorf("eventTime = %v through %q", e.EventTime, tt.want)
				}
				time.Sleep(time.Hour + time.Second)
				if got := c.Probes.Load(); got != tt.probes {
					t.Errorf("%d probes in an hour, want %d", got, tt.probes)
				}
			})
		})
	}
}

// Start reports all that the options got wrong, and what is right instead. So does a flush before it.
func TestInvalidOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, logged := withLog()
		a := adapter.New(context.Background(), newCluster(), logged,
			adapter.WithMode("v2"), adapter.WithSelector("reasn=BackOff"), events.WithMaxSeries(-1))
		defer a.Shutdown()
		emit(a.Recorder(controller), 1, "default", "web")
		for _, err := range []error{a.Flush(t.Context()), a.Start(context.Background())} {
			for _, want := range []string{
				`WithMode: mode "v2", want auto, v1`, `WithSelector: selector "reasn=BackOff": no field`, "events: WithMaxSeries(-1)",
			} {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q in it", err, want)
				}
			}
		}
		a.StartRecordingToSink(nil)
		log.CheckOnce(t, "Events are not written")
	})
}

// Options of package events apply in every mode.
func TestClockAndOptionsInEveryMode(t *testing.T) {
	for _, mode := range []adapter.Mode{adapter.ModeEventsV1, adapter.ModeLegacy} {
		fixture.InBubble(t, string(mode), func(t *testing.T) {
			then := time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
			var mu sync.Mutex
			var dropped []events.DropReason
			c := newCluster()
			c.Fail(func(context.Context, eventstest.Request) error {
				return apierrors.NewInvalid(schema.GroupKind{Kind: "Event"}, "web", nil)
			})
			note := func(d events.Drop) {
				mu.Lock()
				defer mu.Unlock()
				dropped = append(dropped, d.Reason)
			}
			a, rec := start(t, c, adapter.WithMode(mode),
				events.WithClock(testingclock.NewFakeClock(then)), events.WithScheme(runtime.NewScheme()),
				events.WithDropHandler(note),
				events.WithDropHandler(note))
			if got := a.Snapshot(0).Since; !got.Equal(then) {
				t.Errorf("Snapshot().Since = %v, want the clock's %v", got, then)
			}
			pod := fixture.Pod("default", "web")
			emit(rec, 1, "default", "web") // no kind, and the scheme does not know it
			pod.Kind, pod.APIVersion = "Pod", "v1"
			rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "bye")
			fixture.Flush(t, a)
			a.Shutdown()
			if diff := cmp.Diff([]events.DropReason{events.DropInvalid, events.DropRejected}, dropped); diff != "" {
				t.Errorf("the drop handler heard of (-want +got):\n%s", diff)
			}
		})
	}
}

// Before Start a flush writes as the mode and the cluster say, and starts nothing: the bubble would find it. Start asks nobody
// again what the flush has learnt.
func TestUnstartedFlush(t *testing.T) {
	everywhere := []eventstest.Access{{Namespace: "default"}, {Group: v1, Namespace: "default"}}
	for name, r := range map[string]struct {
		mode    adapter.Mode
		prepare func(*cluster)
		written []eventstest.Access
		probes  int64
	}{
		"v1":                {adapter.ModeAuto, func(*cluster) {}, everywhere[1:], 1},
		"an old cluster":    {adapter.ModeAuto, func(c *cluster) { c.ServeEventsV1(false) }, everywhere, 12},
		"no RBAC for v1":    {adapter.ModeAuto, func(c *cluster) { c.deny("default", v1) }, everywhere, 1},
		"pinned to core/v1": {adapter.ModeCoreV1, func(*cluster) {}, everywhere[:1], 0},
		"pinned to legacy":  {adapter.ModeLegacy, func(*cluster) {}, everywhere[:1], 0},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			c := newCluster()
			r.prepare(c)
			a := adapter.New(t.Context(), c.Client(), quiet, adapter.WithMode(r.mode))
			defer a.Shutdown()
			emit(a.Recorder(controller), 3, "default", "web")
			fixture.Flush(t, a)
			e := only(t, c)
			checkCount(t, &e, 3)
			if diff := cmp.Diff(r.written, c.Written()); diff != "" {
				t.Errorf("written to (-want +got):\n%s", diff)
			}
			time.Sleep(time.Second)
			if err := a.Start(t.Context()); err != nil {
				t.Error(err)
			}
			time.Sleep(59 * time.Minute)
			if n := c.Probes.Load(); n != r.probes {
				t.Errorf("discovery was asked %d times, want %d", n, r.probes)
			}
		})
	}
}

// A line at the start says that the environment has a selector, for those who look for an Event that it does not select.
func TestLogOfTheEnvironmentsSelector(t *testing.T) {
	for value, want := range map[string]int{"type=Warning": 1, "": 0, "reasn=BackOff": 0} {
		t.Setenv(adapter.EnvironmentSelector, value)
		log, logged := withLog()
		adapter.New(t.Context(), newCluster().Client(), logged).Shutdown()
		lines := log.Lines("info: An environment variable drops Events")
		if len(lines) != want || want > 0 && !strings.Contains(lines[0], `selector="type=Warning"`) {
			t.Errorf("%q: %q, want %d lines", value, lines, want)
		}
	}
}

// An option that a broadcaster would ignore does not compile: its type is not that broadcaster's.
func TestOptionsFitTheirBroadcasters(t *testing.T) {
	type option struct {
		name     string
		typeOf   reflect.Type
		accepted []string
	}
	eventsOption := reflect.TypeFor[events.Option]()
	legacyOption := reflect.TypeFor[legacy.Option]()
	adapterOption := reflect.TypeFor[adapter.Option]()
	for _, row := range []option{
		{"events", eventsOption, []string{"events", "legacy", "adapter"}},
		{"legacy", legacyOption, []string{"legacy", "adapter"}},
		{"adapter", adapterOption, []string{"adapter"}},
		{"func(any)", reflect.TypeFor[func(any)](), nil},
	} {
		var accepted []string
		for _, door := range []option{
			{name: "events", typeOf: eventsOption},
			{name: "legacy", typeOf: legacyOption},
			{name: "adapter", typeOf: adapterOption},
		} {
			if row.typeOf.Implements(door.typeOf) {
				accepted = append(accepted, door.name)
			}
		}
		if diff := cmp.Diff(row.accepted, accepted); diff != "" {
			t.Errorf("who takes an option of %s (-want +got):\n%s", row.name, diff)
		}
	}
}
