// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tuning has options for measurements and tests. No component has a reason to set them, so
// they are not public.
package tuning

import (
	"cmp"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/options"
)

// set returns an option that is not listed among the options of a broadcaster.
func set(change func(*options.Config)) options.Events { return options.ForEvents(change, "") }

// Publishing sets when a count that has doubled is written: after is the time since the last write
// of its series. At first burst such writes may be made, and one more in each interval every. A
// zero value stands for the default, and a negative after switches these writes off.
func Publishing(after time.Duration, burst int, every time.Duration) options.Events {
	return set(func(c *options.Config) {
		c.Intervals.Publish = cmp.Or(after, c.Intervals.Publish)
		c.PublishBurst = cmp.Or(burst, c.PublishBurst)
		c.PublishEvery = cmp.Or(every, c.PublishEvery)
	})
}

// MaxInFlight sets the greatest size of the window of concurrent writes, which is 64 by default.
func MaxInFlight(n int) options.Events {
	return set(func(c *options.Config) { c.MaxInFlight = n })
}

// RetryFor sets the time after its last occurrence for which a series with pending occurrences is
// retried, which is an hour by default.
func RetryFor(d time.Duration) options.Events {
	return set(func(c *options.Config) { c.Intervals.RetryFor = d })
}

// WriteTimeout sets the deadline of one attempt to write, which is 30 seconds by default.
func WriteTimeout(d time.Duration) options.Events {
	return set(func(c *options.Config) { c.WriteTimeout = d })
}

// OccurrenceHandler sets a function that is called with each occurrence, in the goroutine that
// records it.
func OccurrenceHandler(handler func(*eventsv1.Event)) options.Events {
	return set(func(c *options.Config) { c.OnOccurrence = handler })
}
