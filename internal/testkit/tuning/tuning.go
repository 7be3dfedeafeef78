// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tuning provides options for measurements and tests. Components have no reason to set
// them, so they are not public.
package tuning

import (
	"cmp"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/options"
)

// set returns an option that is not listed among the options of a broadcaster.
func set(change func(*options.Config)) options.Events { return options.ForEvents(change, "") }

// Publishing sets when a count that has doubled is written. after is the minimum time since the
// last write of the series. These writes are limited to a burst of size burst, refilled by one
// write in each interval every. A zero value selects the default, and a negative after disables
// these writes.
func Publishing(after time.Duration, burst int, every time.Duration) options.Events {
	return set(func(c *options.Config) {
		c.Intervals.Publish = cmp.Or(after, c.Intervals.Publish)
		c.PublishBurst = cmp.Or(burst, c.PublishBurst)
		c.PublishEvery = cmp.Or(every, c.PublishEvery)
	})
}

// MaxInFlight sets the maximum number of concurrent writes, which is 64 by default.
func MaxInFlight(n int) options.Events {
	return set(func(c *options.Config) { c.MaxInFlight = n })
}

// RetryFor sets how long after its last occurrence a series with pending occurrences is retried.
// The default is an hour.
func RetryFor(d time.Duration) options.Events {
	return set(func(c *options.Config) { c.Intervals.RetryFor = d })
}

// WriteTimeout sets the timeout of a single write attempt, which is 30 seconds by default.
func WriteTimeout(d time.Duration) options.Events {
	return set(func(c *options.Config) { c.WriteTimeout = d })
}

// OccurrenceHandler sets a function that is called with each occurrence, in the goroutine that
// records it.
func OccurrenceHandler(handler func(*eventsv1.Event)) options.Events {
	return set(func(c *options.Config) { c.OnOccurrence = handler })
}
