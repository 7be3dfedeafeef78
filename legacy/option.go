// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"

	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/options"
)

// Option configures a [Broadcaster]. No option is needed.
//
// The options of package events are Options here, too. Only the options for the drain timeout, the
// drop handler, labels, the reporting instance, the scheme, the logger and the clock have an
// effect.
//
// An invalid value is logged and has no effect. Therefore [NewBroadcaster] cannot fail, like the
// function with this name in client-go.
type Option interface{ options.Legacy }

// WithContext sets the context of the component. Ending ctx has the same effect as ending the
// context passed to [events.Broadcaster.Start]. The logger in ctx is used, unless
// [events.WithLogger] sets another one. The default is a context that never ends.
func WithContext(ctx context.Context) Option {
	return options.ForLegacy(func(c *options.Config) {
		if ctx != nil {
			c.Context = ctx
		}
	}, "")
}

// WithCorrelatorOptions configures the aggregation, the counting and the spam filter of client-go's
// correlator. A zero field selects client-go's default, except that a nil Clock selects the clock
// of the broadcaster.
//
// For each sink, one goroutine at a time calls the functions in the parameter correlator. These
// functions must not call Flush, Drain or Shutdown. If one of them panics, the occurrence is
// dropped as Dropped[DropInvalid].
//
// With a KeyFunc, the Events of a namespace are written one at a time, because the function may
// count several objects in one Event.
func WithCorrelatorOptions(correlator record.CorrelatorOptions) Option {
	return options.ForLegacy(func(c *options.Config) { c.CorrelatorOptions = correlator }, "WithCorrelatorOptions")
}
