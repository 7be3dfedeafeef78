// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// settable is a clock that can be set to another time. As with every computer, its
// timers do not mind.
type settable struct {
	clock.RealClock
	ahead atomic.Int64
}

func (c *settable) Now() time.Time { return c.RealClock.Now().Add(time.Duration(c.ahead.Load())) }

func (c *settable) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

func (c *settable) jump(d time.Duration) { c.ahead.Add(int64(d)) }

// A clock that is set forward by an hour makes what waits an hour old, which is
// when it is given up. One that is set back stops nothing: not what waits for a
// server, and not what waits for RBAC.
//
// Caught: a gate that believes in a time an hour ahead.
func TestClockJumps(t *testing.T) {
	clk := &settable{}
	s := open(t, plot{
		title:   "clock set forward and back by 1 h: all well, server killed, RBAC revoked",
		adapter: []adapter.Option{events.WithClock(clk)},
		drops:   []events.DropReason{events.TooOld},
	})
	s.Run(3 * time.Second)
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		clk.jump(d)
		s.Run(5 * time.Second)
		s.recovers()
	}

	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		s.must(s.plane.KillServer())
		s.Run(5 * time.Second)
		clk.jump(d)
		s.must(s.plane.StartServer())
		s.recovers()
	}

	s.deny(s.everywhere(), harness.EventsV1)
	s.recovers()
	clk.jump(-time.Hour)
	s.deny(s.everywhere(), harness.CoreV1)
	s.Run(3 * time.Second)
	s.allow(s.everywhere(), harness.EventsV1)
	s.recoversWithin(accessIsBelieved + resumption)
	s.settle()
}
