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

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// webhook refuses to create what has a name with prefix, and counts.
func (c *cluster) webhook(prefix string) *atomic.Int64 {
	var refused atomic.Int64
	c.PrependReactor("create", "events", func(action clienttesting.Action) (bool, runtime.Object, error) {
		e, err := meta.Accessor(action.(clienttesting.CreateAction).GetObject())
		if err != nil || !strings.HasPrefix(e.GetName(), prefix) {
			return false, nil, nil
		}
		refused.Add(1)
		return true, nil, errRefused
	})
	return &refused
}

// A webhook that refuses one kind of events for good loses that kind and no other, at a few requests each, and RBAC
// is asked about once a minute.
func TestAdmissionRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		refused := c.webhook("bad")
		log, logged := withLog()
		a, rec := start(t, c, logged)
		for i := range 10 {
			emit(rec, 1, "shop", fmt.Sprint("good-", i))
			emit(rec, 1, "shop", fmt.Sprint("bad-", i))
		}
		time.Sleep(time.Second)
		if lines := log.Lines("Event refused, trying again"); len(lines) != 1 || !strings.Contains(lines[0], "by a webhook") {
			t.Errorf("after a second %q, want one line with the webhook's words", lines)
		}
		time.Sleep(99 * time.Second)
		log.CheckOnce(t, "Event refused, trying again")
		if got := refused.Load(); got < 30 || got > 80 {
			t.Errorf("%d requests for 10 events that are refused, want 3 to 8 each", got)
		}
		if got := c.reviews.Load(); got > 2*asks {
			t.Errorf("%d access reviews within two minutes, want at most %d", got, 2*asks)
		}
		checkAccounts(t, a, 10, 0, map[events.DropReason]int64{events.Rejected: 10})
		if got := a.Snapshot(0).Namespaces["shop"]; got.LastError == "" || got.Remedy() != "" {
			t.Errorf("Status of the namespace: %+v, want the refusal and no remedy: RBAC is not what is wrong", got)
		}
		if got := a.Snapshot(0).Remedy(); got != "" {
			t.Errorf("Remedy() = %q, want none", got)
		}
	})
}

// A 403 that passes loses nothing: a webhook or a quota that is not yet ready, RBAC that is on its way to this server.
//
// Caught: three refusals within a second as the last word.
func TestARefusalThatPassesLosesNothing(t *testing.T) {
	for _, lasts := range []time.Duration{2 * time.Second, 50 * time.Second} {
		t.Run(lasts.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				ready := time.Now().Add(lasts)
				c.Fail(func(_ context.Context, r eventstest.Request) error {
					if r.Resource == "events" && time.Now().Before(ready) {
						return errRefused
					}
					return nil
				})
				a, rec := start(t, c)
				for i := range 20 {
					emit(rec, 2, "shop", fmt.Sprint("web-", i))
				}
				time.Sleep(2*lasts + time.Minute)
				checkAccounts(t, a, 40, 0, nil)
			})
		})
	}
}

// RBAC that is revoked after a webhook's first refusal does not make the others the last word, although the review of
// that minute said that RBAC allows the write: "allowed" must be newer than the first refusal.
//
// Caught: a review that is believed for longer than a series must be refused to be given up.
func TestRevokedAfterARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.webhook("web")
		a, rec := start(t, c)
		emit(rec, 1, "shop", "web")
		time.Sleep(time.Second)
		c.deny("shop", v1, core)
		time.Sleep(10 * time.Minute)
		checkAccounts(t, a, 0, 1, nil)
		if got := a.Snapshot(0).Namespaces["shop"]; got.Access.EventsV1 != discovery.Denied || got.Remedy() == "" {
			t.Errorf("Status of the namespace: %+v, want it denied, with a remedy", got)
		}
	})
}
