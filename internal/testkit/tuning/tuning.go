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

// set returns an option that applies change to the configuration. The Snapshot of a broadcaster
// does not list this option.
func set(change func(*options.Config)) options.Events { return options.ForEvents(change, "") }

// Publishing sets when a count is written because it has doubled since the last write of the
// series. The parameter after is the minimum time since the last write of the series. At most as
// many such writes as the parameter burst are sent at once, and then one write in each interval of
// the parameter every. A zero value selects the default. If after is negative, no count is written
// because it has doubled.
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

// RetryFor sets how long writes of a series with pending occurrences are retried after the last
// occurrence of the series. The default is an hour.
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
