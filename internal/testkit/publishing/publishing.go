// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package publishing changes when doubled counts are written, for measurements and tests.
package publishing

import (
	"cmp"
	"time"

	"github.com/eventseries/eventseries/internal/options"
)

// With changes how soon after the last write a count that has doubled is written, and how
// many of these writes there may be: a burst, and one more in each interval. Zero values
// stand for the defaults; a negative time turns it off.
func With(after time.Duration, burst int, every time.Duration) options.Events {
	return options.ForEvents(func(c *options.Config) {
		c.Intervals.Publish = cmp.Or(after, c.Intervals.Publish)
		c.PublishBurst = cmp.Or(burst, c.PublishBurst)
		c.PublishEvery = cmp.Or(every, c.PublishEvery)
	}, "")
}
