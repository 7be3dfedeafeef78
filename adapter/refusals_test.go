// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A webhook that refuses one kind of events loses that kind and no other, and asks about RBAC once a minute.
func TestAdmissionRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		var refused atomic.Int64
		c.PrependReactor("create", "events", func(action clienttesting.Action) (bool, runtime.Object, error) {
			e, ok := action.(clienttesting.CreateAction).GetObject().(*eventsv1.Event)
			if !ok || !strings.HasPrefix(e.Name, "bad") {
				return false, nil, nil
			}
			refused.Add(1)
			return true, nil, errRefused
		})
		// One worker, so that others succeed between the refusals: they prove that RBAC still allows it.
		a, rec := start(t, c, adapter.WithEventsOptions(events.WithWorkers(1)))
		for i := range 10 {
			emit(rec, 1, "shop", fmt.Sprint("good-", i))
			emit(rec, 1, "shop", fmt.Sprint("bad-", i))
			emit(rec, 1, "shop", fmt.Sprint("better-", i))
			time.Sleep(5 * time.Second)
		}
		if got := refused.Load(); got != 30 {
			t.Errorf("%d requests for 10 events that are refused, want 3 each", got)
		}
		if got := c.reviews.Load(); got > asks {
			t.Errorf("%d access reviews within a minute, want %d", got, asks)
		}
		checkAccounts(t, a, 20, 0, map[events.DropReason]int64{events.Rejected: 10})
		if got := a.Status().Namespaces["shop"]; got.LastError == nil || got.Remedy() != "" {
			t.Errorf("Status of the namespace: %+v, want the refusal and no remedy: RBAC is not what is wrong", got)
		}
		if got := a.Remedy(); got != "" {
			t.Errorf("Remedy() = %q, want none", got)
		}
	})
}

// Refusals by core/v1, which RBAC revoked, are none by events.k8s.io/v1, which it grants and one API server does not
// know yet.
func TestRefusalsAreCountedPerAPI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.deny("shop", v1)
		a, rec := start(t, c)
		emit(rec, 1, "shop", "web")
		flush(t, a)
		time.Sleep(time.Second)
		c.deny("shop", core)
		var late atomic.Bool
		c.Fail(func(_ context.Context, r eventstest.Request) error {
			if r.Group == v1 && !late.Swap(true) {
				return errRefused
			}
			return nil
		})
		emit(rec, 1, "shop", "web")
		time.Sleep(2 * time.Minute)
		if !late.Load() {
			t.Error("the write did not go back to v1")
		}
		checkAccounts(t, a, 2, 0, nil)
	})
}

// A finding that nothing is allowed ends a row of refusals although RBAC allowed it.
func TestRefusalsAreForgottenWhenKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		var refuse atomic.Int64
		c.Fail(func(_ context.Context, r eventstest.Request) error {
			if r.Resource == "events" && refuse.Add(-1) >= 0 {
				return errRefused
			}
			return nil
		})
		a, rec := start(t, c)
		refuse.Store(1)
		emit(rec, 1, "shop", "web") // from here on RBAC is known to allow it, for a minute
		flush(t, a)
		time.Sleep(time.Second)
		c.deny("shop", v1, core)
		emit(rec, 1, "shop", "db")
		time.Sleep(90 * time.Second)
		if got := a.Status().Namespaces["shop"].Access; got.EventsV1 != discovery.Denied {
			t.Fatalf("Access = %+v, want it denied by now", got)
		}
		c.Authorize(nil)
		granted := c.reviews.Load()
		for c.reviews.Load() == granted && a.Stats().Pending > 0 {
			refuse.Store(1) // until it is asked about again, and one more time
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
		checkAccounts(t, a, 2, 0, nil)
	})
}

// Only refusals in a row make an admission plugin's last word.
func TestRefusalsAreForgottenOnSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, rec := start(t, c)
		emit(rec, 1, "shop", "web")
		flush(t, a)
		for range 5 {
			refuse := 2
			c.Fail(func(_ context.Context, r eventstest.Request) error {
				if refuse--; refuse >= 0 {
					return errRefused
				}
				return nil
			})
			emit(rec, 1, "shop", "web")
			flush(t, a)
		}
		checkAccounts(t, a, 6, 0, nil)
	})
}
