// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tuning has options for measurements and tests. They change what no component has a reason
// to change.
package tuning

import (
	"cmp"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/options"
)

func set(change func(*options.Config)) options.Events { return options.ForEvents(change, "") }

// Publishing changes how soon after the last write a count that has doubled is written, and how
// many of these writes there may be: a burst, and one more in each interval. Zero values
// stand for the defaults; a negative time turns it off.
func Publishing(after time.Duration, burst int, every time.Duration) options.Events {
	return set(func(c *options.Config) {
		c.Intervals.Publish = cmp.Or(after, c.Intervals.Publish)
		c.PublishBurst = cmp.Or(burst, c.PublishBurst)
		c.PublishEvery = cmp.Or(every, c.PublishEvery)
	})
}

// MaxInFlight sets the highest number of writes that the window has, 64 by default.
func MaxInFlight(n int) options.Events {
	return set(func(c *options.Config) { c.MaxInFlight = n })
}

// RetryFor sets how long after the last occurrence an unwritten series is retried, an hour by default.
func RetryFor(d time.Duration) options.Events {
	return set(func(c *options.Config) { c.Intervals.RetryFor = d })
}

// WriteTimeout sets the deadline of one attempt, 30 seconds by default.
func WriteTimeout(d time.Duration) options.Events {
	return set(func(c *options.Config) { c.WriteTimeout = d })
}

// OccurrenceHandler sets a function that is called for each occurrence by the goroutine that records it.
func OccurrenceHandler(handler func(*eventsv1.Event)) options.Events {
	return set(func(c *options.Config) { c.OnOccurrence = handler })
}
