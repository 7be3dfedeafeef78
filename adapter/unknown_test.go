// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
)

// Where reviews are not answered and core/v1 was taken to, its end leads back to events.k8s.io/v1.
func TestUnknownAccessTriesBothWays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.permissions(discovery.PermissionUnknown, discovery.PermissionUnknown)
		c.deny("shop", v1)
		a, rec := start(t, c)
		emit(rec, 1, "shop", "web")
		flush(t, a)
		c.deny("shop", core)
		emit(rec, 1, "shop", "web")
		flush(t, a)
		checkAccounts(t, a, 2, 0, nil)
		c.deny("shop", v1, core)
		emit(rec, 1, "shop", "web")
		time.Sleep(10 * time.Minute)
		checkAccounts(t, a, 2, 1, nil)
		c.deny("shop", v1)
		time.Sleep(2 * time.Minute)
		checkAccounts(t, a, 3, 0, nil)
	})
}

// A kube-apiserver that starts refuses everything, also reviews, until it has read who may do what: a restart sends for
// nobody. If it stays so, somebody is needed.
func TestRefusalsOfAStartingServer(t *testing.T) {
	const complaint = "RBAC forbids Events in this namespace"
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.permissions(discovery.PermissionUnknown, discovery.PermissionUnknown)
		log, logged := withLog()
		a, rec := start(t, c, logged)
		for range 3 { // restarts
			c.deny("shop", v1, core)
			emit(rec, 1, "shop", "web")
			time.Sleep(20 * time.Second)
			c.deny("shop")
			flush(t, a)
			time.Sleep(10 * time.Minute)
		}
		if lines := log.Lines(complaint); len(lines) > 0 {
			t.Errorf("after restarts: %q", lines)
		}
		c.deny("shop", v1, core)
		emit(rec, 1, "shop", "web")
		time.Sleep(5 * time.Minute)
		if lines := log.Lines(complaint); len(lines) != 1 || !strings.Contains(lines[0], "RoleBinding") {
			t.Errorf("%d complaints after 5 minutes of refusals, want 1 with a remedy: %q", len(lines), lines)
		}
	})
}

// Caught: a question that does not count because the write it was asked for ran out of time.
func TestDiscoveryOutlastsTheWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		_, rec := start(t, c, events.WithWriteTimeout(time.Second))
		time.Sleep(time.Second)
		c.latency.Store(int64(time.Minute))
		c.ServeEventsV1(false)
		before := c.probes.Load()
		for i := range 50 {
			emit(rec, 1, fmt.Sprint("ns-", i), "web")
		}
		time.Sleep(5 * time.Minute)
		if n := c.probes.Load() - before; n < 2 || n > 11 {
			t.Errorf("discovery was asked %d times in five minutes, want once every 30 seconds", n)
		}
	})
}

// A caller that gives up has not asked: the next one does, and need not wait for 30 seconds.
//
// Caught: a question that was cancelled and counts as asked.
func TestCancelledDiscoveryIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		c.latency.Store(int64(time.Minute))
		a := adapter.New(t.Context(), c.client(), quiet)
		defer a.Shutdown()
		emit(a.Recorder(controller), 1, "shop", "web")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := a.Flush(ctx); err == nil {
			t.Fatal("flushed without an answer")
		}
		c.latency.Store(0)
		ctx, cancel = context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := a.Flush(ctx); err != nil {
			t.Error(err)
		}
	})
}
