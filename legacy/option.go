// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"

	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/options"
)

// Option configures a [Broadcaster]. Options of package events are Options here, too: those for
// the window, timeouts, labels, handlers, logger and clock have an effect. No option is needed.
// An invalid value is logged, and replaced by the default or left out. So [NewBroadcaster] cannot
// fail, and stays compatible with client-go's.
type Option interface{ options.Legacy }

// WithContext sets the context that announces the end of the component, as that of Start of
// package events does. The logger is that of ctx, unless [events.WithLogger] sets one. The
// default context never ends.
func WithContext(ctx context.Context) Option {
	return options.ForLegacy(func(c *options.Config) {
		if ctx != nil {
			c.Context = ctx
		}
	}, "")
}

// WithCorrelatorOptions configures client-go's aggregation, counting and spam filter.
// A zero field means client-go's default; a nil Clock means the broadcaster's clock.
// One goroutine of a sink at a time calls the functions in options. They must not call
// Flush, Drain or Shutdown. If one panics, the event counts as Dropped[DropInvalid]. With
// a KeyFunc the events of a namespace are written one after the other, because it may
// count several objects as one Event.
func WithCorrelatorOptions(correlator record.CorrelatorOptions) Option {
	return options.ForLegacy(func(c *options.Config) { c.CorrelatorOptions = correlator }, "WithCorrelatorOptions")
}
