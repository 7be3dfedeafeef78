// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
)

// checkAPI compares what takes new occurrences.
func checkAPI(t *testing.T, a *adapter.Adapter, want adapter.API) {
	t.Helper()
	if got := a.Snapshot(0).API; got != want {
		t.Errorf("Snapshot().API = %q, want %q", got, want)
	}
}

// RBAC takes events.k8s.io away in one namespace, in the middle of a series, and grants it again.
func TestLiveSwitchByRBAC(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		log, logged := withLog()
		a, rec := start(t, c, logged)
		emit(rec, 3, "shop", "web")
		emit(rec, 3, "other", "api")
		flush(t, a)
		if n := c.reviews.Load(); n != 0 {
			t.Errorf("%d access reviews without a refused write, want 0", n)
		}
		before := c.Writes()

		c.deny("shop", v1)
		changed := time.Now()
		emit(rec, 4, "shop", "web")
		flush(t, a)
		if waited := time.Since(changed); waited != 0 {
			t.Errorf("the refused write was stored after %v, want at once", waited)
		}
		if got := c.Writes(); got.CoreV1.Patches == 0 || got.CoreV1.Creates > 0 ||
			got.EventsV1.Patches != before.EventsV1.Patches+1 {
			t.Errorf("RBAC refuses v1 in the namespace: %+v, before: %+v, want one patch refused by v1, "+
				"all taken by core/v1", got, before)
		}
		before = c.Writes()
		emit(rec, 4, "other", "api")
		flush(t, a)
		if got := c.Writes(); got.CoreV1 != before.CoreV1 {
			t.Errorf("a write in another namespace: %+v, before: %+v, want none through core/v1", got, before)
		}
		checkAPI(t, a, adapter.EventsV1)
		if got := a.Snapshot(0).Namespaces["shop"]; got.API != adapter.CoreV1 || got.Access.EventsV1 != discovery.Denied {
			t.Errorf("Status of the namespace: %+v, want core/v1, events.k8s.io/v1 denied", got)
		}
		if n := len(a.Snapshot(0).Namespaces); n != 1 {
			t.Errorf("%d namespaces in Status, want only the one that was refused", n)
		}
		if n := c.reviews.Load(); n != 3 {
			t.Errorf("%d access reviews, want 3: one question about one namespace", n)
		}

		c.deny("shop")
		time.Sleep(time.Minute)
		before = c.Writes()
		emit(rec, 2, "shop", "web")
		flush(t, a)
		if got := c.Writes(); got.CoreV1 != before.CoreV1 {
			t.Errorf("granted again: %+v, before: %+v, want no write through core/v1", got, before)
		}
		if left := a.Snapshot(0).Namespaces; len(left) != 0 {
			t.Errorf("Snapshot().Namespaces = %+v after RBAC was granted, want none", left)
		}

		all := c.Events()
		if len(all) != 2 {
			t.Fatalf("%d Events, want one per series", len(all))
		}
		checkCount(t, &all[0], 7)
		checkCount(t, &all[1], 9)
		checkAccounts(t, a, 16, 0, nil)
		log.CheckOnce(t, "RBAC forbids events.k8s.io/v1 in this namespace")
		log.CheckOnce(t, "Events of this namespace go through events.k8s.io/v1 again")
	})
}

// What legacy could not write yet when the API comes back is not lost.
func TestLiveSwitchBackKeepsLegacyBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		a, rec := start(t, c)
		synctest.Wait()
		checkAPI(t, a, adapter.Legacy)
		c.Fail(unavailable)
		emit(rec, 2, "default", "old")
		c.ServeEventsV1(true)
		time.Sleep(5*time.Minute + time.Second)
		synctest.Wait()
		checkAPI(t, a, adapter.EventsV1)
		checkAccounts(t, a, 0, 2, nil)
		emit(rec, 1, "default", "new")
		for _, n := range []int{1, 2} {
			var waiting []string
			for _, s := range a.Snapshot(n).Waiting {
				waiting = append(waiting, s.Regarding.Name)
			}
			if want := []string{"old", "new"}[:n]; !cmp.Equal(waiting, want) {
				t.Errorf("Snapshot(%d).Waiting: %v, want %v, the longest wait first", n, waiting, want)
			}
		}
		c.Fail(nil)
		emit(rec, 2, "default", "new")
		flush(t, a)
		checkAccounts(t, a, 5, 0, nil)
	})
}
