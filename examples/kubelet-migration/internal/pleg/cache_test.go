// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

var errInspect = errors.New("cannot inspect")

// asked is the outcome of a GetNewerThan in the background.
type asked struct {
	done   bool
	status *cri.PodStatus
	err    error
}

func askNewerThan(ctx context.Context, c *Cache, uid types.UID, t time.Time) *asked {
	a := new(asked)
	go func() {
		a.status, a.err = c.GetNewerThan(ctx, uid, t)
		a.done = true
	}()
	synctest.Wait()
	return a
}

func TestUnknownPodHasAnEmptyStatus(t *testing.T) {
	status, err := NewCache().Get("p")
	if err != nil || status == nil || status.UID != "p" || len(status.Containers) != 0 {
		t.Errorf("Get = %+v, %v, want an empty status of p", status, err)
	}
}

func TestGetNewerThan(t *testing.T) {
	asOf := func(after time.Duration) func(*Cache, time.Time) {
		return func(c *Cache, t time.Time) { c.UpdateTime(t.Add(after)) }
	}
	set := func(uid types.UID, after time.Duration) func(*Cache, time.Time) {
		return func(c *Cache, t time.Time) { c.Set(uid, &cri.PodStatus{UID: uid}, nil, t.Add(after)) }
	}
	for _, test := range []struct {
		name string
		do   func(c *Cache, t time.Time)
		want bool // it returns
	}{
		{"nothing", func(*Cache, time.Time) {}, false},
		{"older status", set("p", -1), false},
		{"equally old status", set("p", 0), false},
		{"newer status", set("p", 1), true},
		{"newer status of another pod", set("q", 1), false},
		{"deletion", func(c *Cache, _ time.Time) { c.Delete("p") }, false},
		{"older listing", asOf(-1), false},
		{"equally old listing", asOf(0), false},
		{"newer listing", asOf(1), true},
	} {
		t.Run("waits for: "+test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c, now := NewCache(), time.Now()
				a := askNewerThan(ctx, c, "p", now)
				if a.done {
					t.Fatal("it did not wait")
				}
				test.do(c, now)
				synctest.Wait()
				if a.done != test.want {
					t.Errorf("returned: %v, want %v", a.done, test.want)
				}
			})
		})
		t.Run("is there: "+test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c, now := NewCache(), time.Now()
				test.do(c, now)
				if a := askNewerThan(ctx, c, "p", now); a.done != test.want {
					t.Errorf("returned at once: %v, want %v", a.done, test.want)
				}
			})
		})
	}
}

func TestGetNewerThanReturnsTheErrorOfTheInspection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, now := NewCache(), time.Now()
		a := askNewerThan(t.Context(), c, "p", now)
		c.Set("p", nil, errInspect, now.Add(1))
		synctest.Wait()
		if !a.done || !errors.Is(a.err, errInspect) {
			t.Errorf("outcome %+v, want %v", *a, errInspect)
		}
	})
}

func TestGetNewerThanEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, now := NewCache(), time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		a, other := askNewerThan(ctx, c, "p", now), askNewerThan(t.Context(), c, "p", now)
		cancel()
		synctest.Wait()
		if !a.done || !errors.Is(a.err, context.Canceled) {
			t.Errorf("outcome %+v, want a canceled context", *a)
		}
		if other.done || len(c.waiting["p"]) != 1 {
			t.Errorf("somebody else's wait: %+v, waiting: %d, want that one", *other, len(c.waiting["p"]))
		}
		c.UpdateTime(now.Add(1))
		synctest.Wait()
		if !other.done || len(c.waiting) != 0 {
			t.Errorf("the other: %+v, still waiting: %d", *other, len(c.waiting))
		}
	})
}

func TestOlderStatusChangesNothing(t *testing.T) {
	c, now := NewCache(), time.Now()
	newer := &cri.PodStatus{UID: "p", At: now}
	if !c.Set("p", newer, nil, now) || c.Set("p", &cri.PodStatus{}, errInspect, now.Add(-1)) {
		t.Error("Set must take the newer one and refuse the older one")
	}
	if got, err := c.Get("p"); got != newer || err != nil {
		t.Errorf("Get = %v, %v, want the newer one", got, err)
	}
}
