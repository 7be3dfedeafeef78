// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
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
	namespace := func(api adapter.API, eventsV1, coreV1 discovery.Permission) map[string]adapter.NamespaceStatus {
		return map[string]adapter.NamespaceStatus{
			"default": {API: api, Access: discovery.Access{EventsV1: eventsV1, CoreV1: coreV1}},
		}
	}
	for name, tt := range map[string]struct {
		snapshot adapter.Snapshot
		want     values
	}{
		"all is well": {
			adapter.Snapshot{API: adapter.EventsV1, Support: discovery.Served},
			values{"api_info": 1, "api_info api=events.k8s.io/v1": 1, "api_info support=served": 1},
		},
		"nothing allowed": {
			adapter.Snapshot{API: adapter.CoreV1, Support: discovery.NotServed, Namespaces: namespace(adapter.CoreV1, no, no)},
			values{
				"api_info": 1, "api_info api=core/v1": 1, "api_info support=not served": 1, "namespaces_without_access": 1,
			},
		},
		"nothing known": {
			adapter.Snapshot{API: adapter.Legacy, Namespaces: namespace(adapter.EventsV1, unknown, unknown)},
			values{"api_info": 1, "api_info api=legacy": 1, "api_info support=unknown": 1, "namespaces_without_access": 1},
		},
		"a webhook refuses": {
			adapter.Snapshot{API: adapter.EventsV1, Namespaces: namespace(adapter.EventsV1, yes, no)},
			values{"api_info": 1, "api_info api=events.k8s.io/v1": 1, "api_info support=unknown": 1},
		},
		"written through core/v1": {
			adapter.Snapshot{API: adapter.EventsV1, Namespaces: namespace(adapter.CoreV1, no, yes)},
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

// The age of what is pending grows until it is written.
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
		b.NewRecorder(scheme.Scheme, controller).Eventf(pod, nil, "Normal", "Started", "Start", "started")
		time.Sleep(20 * time.Minute)
		check(1200)
		flush(t, b)
		check(0)
	})
}
