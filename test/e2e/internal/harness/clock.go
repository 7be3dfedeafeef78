// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"time"

	"k8s.io/utils/clock"
)

// rate is how much faster a fastClock runs.
const rate = 20

// Fast makes a minute last three seconds, for what the SDK does by the minute.
var Fast = fastClock{began: time.Now()}

// fastClock is a clock.WithTicker in a hurry.
type fastClock struct {
	clock.RealClock
	began time.Time
}

// Now is in the future, which the API server does not mind.
func (c fastClock) Now() time.Time { return c.began.Add(time.Since(c.began) * rate) }

func (c fastClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

func (c fastClock) After(d time.Duration) <-chan time.Time { return c.RealClock.After(d / rate) }

func (c fastClock) NewTimer(d time.Duration) clock.Timer {
	return fastTimer{c.RealClock.NewTimer(d / rate)}
}

func (c fastClock) Sleep(d time.Duration) { c.RealClock.Sleep(d / rate) }

func (c fastClock) Tick(d time.Duration) <-chan time.Time { return c.RealClock.Tick(d / rate) }

func (c fastClock) NewTicker(d time.Duration) clock.Ticker { return c.RealClock.NewTicker(d / rate) }

type fastTimer struct{ clock.Timer }

func (t fastTimer) Reset(d time.Duration) bool { return t.Timer.Reset(d / rate) }
