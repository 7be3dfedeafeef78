// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events/eventstest"
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

// The one try through core/v1 says nothing when it is not answered.
func TestUnknownAccessAndNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.permissions(discovery.PermissionUnknown, discovery.PermissionUnknown)
		c.deny("shop", v1)
		c.Fail(func(_ context.Context, r eventstest.Request) error {
			if r.Group == core {
				return context.DeadlineExceeded
			}
			return nil
		})
		a, rec := start(t, c)
		emit(rec, 1, "shop", "web")
		time.Sleep(10 * time.Second)
		if got := a.Status().Namespaces["shop"].API; got != adapter.EventsV1 {
			t.Errorf("API = %q after a try that was not answered, want v1", got)
		}
		c.deny("shop")
		time.Sleep(time.Minute)
		checkAccounts(t, a, 1, 0, nil)
		if n := c.Writes().EventsV1.Creates; n < 2 {
			t.Errorf("%d creates through v1, want it tried again", n)
		}
	})
}
