// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events/eventstest"
)

// TestSupport is the decision table for what discovery says at the start, line by line.
func TestSupport(t *testing.T) {
	tests := []struct {
		name    string
		opts    []adapter.Option
		prepare func(*cluster)
		support discovery.Support
		api     adapter.API
	}{
		{"served", nil, func(*cluster) {}, discovery.Served, adapter.EventsV1},
		{"401", nil, failDiscovery(apierrors.NewUnauthorized("expired")), discovery.Unknown, adapter.EventsV1},
		{
			"403", nil, failDiscovery(apierrors.NewForbidden(schema.GroupResource{}, "", errors.New("RBAC"))),
			discovery.Unknown, adapter.EventsV1,
		},
		{
			"500", nil, failDiscovery(apierrors.NewInternalError(errors.New("etcd"))),
			discovery.Unknown, adapter.EventsV1,
		},
		{"503", nil, failDiscovery(apierrors.NewServiceUnavailable("starting")), discovery.Unknown, adapter.EventsV1},
		{"timeout", nil, failDiscovery(context.DeadlineExceeded), discovery.Unknown, adapter.EventsV1},
		{
			"never answered", nil, func(c *cluster) { c.latency.Store(int64(time.Hour)) },
			discovery.Unknown, adapter.EventsV1,
		},
		{"not served", nil, notServed, discovery.NotServed, adapter.Legacy},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				tt.prepare(c)
				a, rec := start(t, c, tt.opts...)
				time.Sleep(time.Second)
				emit(rec, 1, "default", "web")
				flush(t, a)
				got := a.Snapshot(0)
				if got.Support != tt.support || got.API != tt.api {
					t.Errorf("Support = %v, API = %q, want %v, %q", got.Support, got.API, tt.support, tt.api)
				}
				if tt.api == adapter.EventsV1 {
					checkWrites(t, c, 1, 0)
				} else {
					checkWrites(t, c, 0, 1)
				}
				if e := only(t, c); e.EventTime.IsZero() != (tt.api == adapter.Legacy) {
					t.Errorf("eventTime = %v through %q", e.EventTime, tt.api)
				}
				checkAccounts(t, a, 1, 0, nil)
			})
		})
	}
}

func failDiscovery(err error) func(*cluster) { return func(c *cluster) { c.FailDiscovery(err) } }

func notServed(c *cluster) { c.ServeEventsV1(false) }

// A failed question is asked again, is said once, and does not replace an answer that was given.
func TestProbeUnanswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
		log, logged := withLog()
		a, _ := start(t, c, logged)
		time.Sleep(3*time.Minute + time.Second)
		if got := a.Snapshot(0); got.Support != discovery.Unknown || !strings.Contains(got.LastError, "starting") {
			t.Errorf("Snapshot() = %+v, want unknown, because of the 503", got)
		}
		log.CheckOnce(t, "Cannot tell whether events.k8s.io/v1 is served")

		c.FailDiscovery(nil)
		c.ServeEventsV1(false)
		time.Sleep(time.Minute)
		checkAPI(t, a, adapter.Legacy)
		since := a.Snapshot(0).Since

		c.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
		time.Sleep(6 * time.Minute)
		got := a.Snapshot(0)
		if got.Support != discovery.NotServed || got.LastError == "" || !got.Since.Equal(since) {
			t.Errorf("Snapshot() = %+v, want not served since %v, and the error", got, since)
		}
		checkAPI(t, a, adapter.Legacy)
	})
}

// TestProbeInterval: a cluster that serves the API is asked once, one that does not every five minutes.
func TestProbeInterval(t *testing.T) {
	tests := []struct {
		name   string
		opts   []adapter.Option
		served bool
		want   int64 // probes within an hour and a second
	}{
		{"served", nil, true, 1},
		{"not served", nil, false, 1 + 12},
		{"pinned", []adapter.Option{adapter.WithMode(adapter.EventsV1)}, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.ServeEventsV1(tt.served)
				start(t, c, tt.opts...)
				time.Sleep(time.Hour + time.Second)
				if got := c.probes.Load(); got != tt.want {
					t.Errorf("%d probes in an hour, want %d", got, tt.want)
				}
			})
		})
	}
}

// Writes that are told the API is not there share one probe, and ask again after 30 seconds at the earliest.
func TestProbeAfterUnsupportedWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		log, logged := withLog()
		a, rec := start(t, c, logged)
		time.Sleep(time.Minute)
		if got := c.probes.Load(); got != 1 {
			t.Fatalf("%d probes at the start, want 1", got)
		}

		// Discovery goes on to say "served": API servers of two versions, or a proxy.
		notThere := func(_ context.Context, r eventstest.Request) error {
			if r.Group == v1 {
				return &apierrors.StatusError{ErrStatus: apierrors.NewNotFound(schema.GroupResource{}, "").ErrStatus}
			}
			return nil
		}
		c.latency.Store(int64(time.Second))
		c.Fail(notThere)
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			emit(rec, 1, "in-"+name, name)
		}
		time.Sleep(29 * time.Second)
		if got := c.probes.Load(); got != 2 {
			t.Errorf("%d probes after writes were told the API is not there, want 1 more", got)
		}
		time.Sleep(2 * time.Minute)
		if got := c.probes.Load(); got < 3 || got > 6 {
			t.Errorf("%d probes, want one every 30 s", got)
		}
		lines := log.Lines("Discovery lists events.k8s.io/v1, but")
		if len(lines) == 0 || len(lines) > 5 {
			t.Errorf("%d lines about it, want one per probe:\n%s", len(lines), strings.Join(lines, "\n"))
		}
		checkAPI(t, a, adapter.EventsV1)
		checkAccounts(t, a, 0, 6, nil)

		c.Fail(nil)
		flush(t, a)
		checkAccounts(t, a, 6, 0, nil)
	})
}

// A write that is told the API is not there goes through core/v1 at once when discovery agrees.
func TestUnsupportedWriteSwitches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		log, logged := withLog()
		a, rec := start(t, c, logged)
		time.Sleep(time.Minute)
		c.ServeEventsV1(false)
		before := time.Now()
		emit(rec, 1, "default", "web")
		flush(t, a)
		if waited := time.Since(before); waited != 0 {
			t.Errorf("the event was stored after %v, want at once", waited)
		}
		checkWrites(t, c, 1, 1)
		checkAPI(t, a, adapter.Legacy)
		log.CheckOnce(t, "The API server does not serve events.k8s.io/v1")
		if got := c.probes.Load(); got != 2 {
			t.Errorf("%d probes, want 2: the start's and the write's", got)
		}
	})
}

// When nobody can tell whether the API is there, a write that is told it is not waits.
func TestUnsupportedWriteUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		c.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
		log, logged := withLog()
		a, rec := start(t, c, logged)
		emit(rec, 1, "default", "web")
		time.Sleep(20 * time.Second)
		checkAccounts(t, a, 0, 1, nil)
		c.FailDiscovery(nil)
		flush(t, a)
		checkAccounts(t, a, 1, 0, nil)
		if got := c.Writes().CoreV1.Creates; got != 1 {
			t.Errorf("%d creates through core/v1, want 1", got)
		}
		if lines := log.Lines("Use package adapter"); len(lines) > 0 {
			t.Errorf("advice to use the adapter from the adapter: %q", lines)
		}
	})
}
