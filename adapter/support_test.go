// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
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
