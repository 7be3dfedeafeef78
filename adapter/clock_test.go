// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
)

// settable is a clock that can be set to another time. Its timers do not mind.
type settable struct {
	clock.RealClock
	ahead atomic.Int64
}

func (c *settable) Now() time.Time { return c.RealClock.Now().Add(time.Duration(c.ahead.Load())) }

func (c *settable) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// What was asked an hour from now is asked again: RBAC that is granted, and an API
// that is switched off, are not overlooked for that hour.
//
// Caught: recently without the 0 <= age.
func TestClockSetBack(t *testing.T) {
	for name, change := range map[string]func(*cluster){
		"access": func(c *cluster) { c.deny("shop", core) }, "discovery": func(c *cluster) { c.ServeEventsV1(false) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, clk := newCluster(), &settable{}
				c.deny("shop", map[string]string{"access": v1, "discovery": "none"}[name])
				a, rec := start(t, c, events.WithClock(clk))
				emit(rec, 1, "shop", "web")
				flush(t, a)
				synctest.Wait()
				clk.ahead.Store(-int64(time.Hour))
				change(c)
				emit(rec, 1, "shop", "web")
				time.Sleep(2 * time.Minute)
				checkAccounts(t, a, 2, 0, nil)
			})
		})
	}
}
