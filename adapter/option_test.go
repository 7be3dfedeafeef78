// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
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
)

// TestMode: WithMode pins the API whatever discovery and RBAC say, and EVENTSERIES_API wins over it.
func TestMode(t *testing.T) {
	tests := []struct {
		name   string
		mode   adapter.API
		env    string
		served bool
		want   adapter.API
		probes int64
	}{
		{"default, served", adapter.Auto, "", true, adapter.EventsV1, 1},
		{"default, not served", adapter.Auto, "", false, adapter.Legacy, 1},
		{"EventsV1", adapter.EventsV1, "", true, adapter.EventsV1, 0},
		{"CoreV1", adapter.CoreV1, "", true, adapter.CoreV1, 0},
		{"CoreV1, not served", adapter.CoreV1, "", false, adapter.CoreV1, 0},
		{"Legacy", adapter.Legacy, "", true, adapter.Legacy, 0},
		{"the operator says v1", adapter.CoreV1, "v1", true, adapter.EventsV1, 0},
		{"the operator says core", adapter.EventsV1, "core", true, adapter.CoreV1, 0},
		{"the operator says legacy", adapter.EventsV1, "legacy", true, adapter.Legacy, 0},
		{"the operator says auto", adapter.CoreV1, "auto", true, adapter.EventsV1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(adapter.Environment, tt.env)
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.ServeEventsV1(tt.served)
				a, rec := start(t, c, adapter.WithMode(tt.mode))
				synctest.Wait()
				checkAPI(t, a, tt.want)
				emit(rec, 1, "default", "web")
				flush(t, a)
				e := only(t, c)
				if tt.want == adapter.EventsV1 {
					checkWrites(t, c, 1, 0)
				} else {
					checkWrites(t, c, 0, 1)
				}
				if e.EventTime.IsZero() != (tt.want == adapter.Legacy) {
					t.Errorf("eventTime = %v through %q", e.EventTime, tt.want)
				}
				if got := c.probes.Load(); got != tt.probes {
					t.Errorf("%d probes, want %d", got, tt.probes)
				}
			})
		})
	}
}

// A pinned API is not left: what it refuses is kept.
func TestModeIsNotLeft(t *testing.T) {
	tests := []struct {
		name    string
		mode    adapter.API
		prepare func(*cluster)
	}{
		{"EventsV1, not served", adapter.EventsV1, notServed},
		{"EventsV1, refused", adapter.EventsV1, func(c *cluster) { c.deny("default", v1) }},
		{"CoreV1, refused", adapter.CoreV1, func(c *cluster) { c.deny("default", core) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				tt.prepare(c)
				log, logged := withLog()
				a, rec := start(t, c, adapter.WithMode(tt.mode), logged)
				emit(rec, 1, "default", "web")
				time.Sleep(5 * time.Minute)
				checkAccounts(t, a, 0, 1, nil)
				checkAPI(t, a, tt.mode)
				w := c.Writes()
				if got := map[adapter.API]int64{
					adapter.EventsV1: w.CoreV1.Creates, adapter.CoreV1: w.EventsV1.Creates,
				}[tt.mode]; got != 0 {
					t.Errorf("%d requests through the other API, want 0", got)
				}
				if len(log.Lines("error: ")) != 1 {
					t.Errorf("lines of the log: %q, want 1 error", log.Lines(""))
				}
				c.ServeEventsV1(true)
				c.Authorize(nil)
				flush(t, a)
				checkAccounts(t, a, 1, 0, nil)
			})
		})
	}
}

// What the environment gets wrong is one line of the log, and ends nothing: the mode is the code's.
//
// Caught: an error of Start; a mode that nobody asked for.
func TestEnvironmentThatIsNoMode(t *testing.T) {
	for _, mode := range []adapter.API{adapter.Auto, adapter.CoreV1} {
		t.Run(string(mode), func(t *testing.T) {
			t.Setenv(adapter.Environment, "V1")
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				log, logged := withLog()
				a, rec := start(t, c, adapter.WithMode(mode), logged)
				log.CheckOnce(t, "An environment variable is ignored: correct it in the component's environment")
				emit(rec, 1, "shop", "web")
				flush(t, a)
				checkAccounts(t, a, 1, 0, nil)
				checkAPI(t, a, map[adapter.API]adapter.API{adapter.Auto: adapter.EventsV1, adapter.CoreV1: adapter.CoreV1}[mode])
			})
		})
	}
}

// Start reports all that the options got wrong, and what is right instead.
func TestInvalidOptions(t *testing.T) {
	tests := []struct {
		name string
		opts []adapter.Option
		want []string
	}{
		{"mode", []adapter.Option{adapter.WithMode("v2")}, []string{`WithMode: mode "v2", want auto, v1`}},
		{"selector", []adapter.Option{adapter.WithSelector("reasn=BackOff")}, []string{`WithSelector: selector "reasn=BackOff": no field`}},
		{
			"of events", []adapter.Option{events.WithMaxInFlight(-1)},
			[]string{"events: WithMaxInFlight(-1)"},
		},
		{
			"all at once",
			[]adapter.Option{
				adapter.WithMode("v2"), adapter.WithSelector("reasn=BackOff"),
			},
			[]string{"WithMode", "WithSelector"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log, logged := withLog()
				a := adapter.New(context.Background(), newCluster(), append(tt.opts, logged)...)
				defer a.Shutdown()
				err := a.Start(context.Background())
				for _, want := range tt.want {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("Start() = %v, want %q in it", err, want)
					}
				}
				a.StartRecordingToSink(nil)
				log.CheckOnce(t, "Events are not written")
				emit(a.NewRecorder(controller), 1, "default", "web") // and nothing worse
			})
		})
	}
}

// Zero values stand for the defaults.
func TestZeroOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		a, _ := start(t, c, events.WithClock(nil), adapter.WithScheme(nil))
		time.Sleep(4 * time.Minute)
		if got := c.probes.Load(); got != 1 {
			t.Errorf("%d probes in 4 minutes, want 1", got)
		}
		ref := newPod("default", "web")
		ref.APIVersion, ref.Kind = "v1", "Pod" // which nobody could look up
		a.NewRecorder(controller).Eventf(ref, nil, "Normal", "Killing", "Kill", "bye")
		flush(t, a)
		if got := only(t, c).Regarding.Kind; got != "Pod" {
			t.Errorf("kind %q, want Pod", got)
		}
	})
}

// Options of package events apply in every mode.
func TestClockAndOptionsInEveryMode(t *testing.T) {
	for _, mode := range []adapter.API{adapter.EventsV1, adapter.Legacy} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
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
					events.WithClock(testingclock.NewFakeClock(then)), adapter.WithScheme(runtime.NewScheme()),
					events.WithDropHandler(note),
					events.WithDropHandler(note))
				if got := a.Snapshot(0).Since; !got.Equal(then) {
					t.Errorf("Snapshot().Since = %v, want the clock's %v", got, then)
				}
				pod := newPod("default", "web")
				emit(rec, 1, "default", "web") // no kind, and the scheme does not know it
				pod.Kind, pod.APIVersion = "Pod", "v1"
				rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "bye")
				flush(t, a)
				a.Shutdown()
				if diff := cmp.Diff([]events.DropReason{events.Invalid, events.Rejected}, dropped); diff != "" {
					t.Errorf("the drop handler heard of (-want +got):\n%s", diff)
				}
			})
		})
	}
}
