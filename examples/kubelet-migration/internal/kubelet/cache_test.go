// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// asked is the outcome of a GetNewerThan in the background.
type asked struct {
	done   bool
	status *PodStatus
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

func TestGetNewerThan(t *testing.T) {
	asOf := func(after time.Duration) func(*Cache, time.Time) {
		return func(c *Cache, t time.Time) { c.UpdateTime(t.Add(after)) }
	}
	set := func(uid types.UID, after time.Duration) func(*Cache, time.Time) {
		return func(c *Cache, t time.Time) { c.Set(uid, &PodStatus{UID: uid}, nil, t.Add(after)) }
	}
	for _, test := range []struct {
		name    string
		do      func(c *Cache, t time.Time)
		returns bool
	}{
		{"nothing", func(*Cache, time.Time) {}, false},
		{"older status", set("p", -1), false},
		{"equally old status", set("p", 0), false},
		{"newer status", set("p", 1), true},
		{"newer status of another pod", set("q", 1), false},
		{"deletion", func(c *Cache, _ time.Time) { c.Delete("p") }, false},
		{"equally old listing", asOf(0), false},
		{"newer listing", asOf(1), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c, now := NewCache(), time.Now()
				early := askNewerThan(ctx, c, "p", now)
				if early.done {
					t.Fatal("it did not wait")
				}
				test.do(c, now)
				late := askNewerThan(ctx, c, "p", now)
				if early.done != test.returns || late.done != test.returns {
					t.Errorf("returned: %v, asked later: %v, want %v", early.done, late.done, test.returns)
				}
				if test.returns && (early.status == nil || early.status.UID != "p" || early.err != nil) {
					t.Errorf("got %+v, want a status of p", early)
				}
			})
		})
	}
}
