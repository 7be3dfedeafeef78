// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"time"

	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
)

// Defaults of the options.
const (
	// defaultWorkers matches package events: enough to hide the round trip of a
	// busy component, few enough to leave its API budget to its own work.
	defaultWorkers = 4
	// defaultWriteTimeout is half of the API server's own request timeout: an
	// answer that takes longer does not come.
	defaultWriteTimeout = 30 * time.Second
	// defaultDrainTimeout leaves most of a pod's 30 s grace period to the rest
	// of the component.
	defaultDrainTimeout = 5 * time.Second
	// defaultQueueSize bounds the occurrences that wait for one sink, where a
	// large one counts once per KiB: that is 16 MiB, 16 times what client-go keeps.
	defaultQueueSize = 16384
)

// Option configures a [Broadcaster]. No option is needed. A value that makes no
// sense (nil, zero or less) stands for the default, because a constructor that
// cannot fail is what keeps [NewBroadcaster] compatible with client-go's.
type Option func(*config)

type config struct {
	ctx          context.Context
	correlator   record.CorrelatorOptions
	logger       *klog.Logger
	clock        clock.WithTicker
	workers      int
	writeTimeout time.Duration
	drainTimeout time.Duration
	dropHandler  func(events.Drop)
	queueSize    int
}

func newConfig(opts []Option) config {
	c := config{
		ctx:          context.Background(),
		clock:        clock.RealClock{},
		workers:      defaultWorkers,
		writeTimeout: defaultWriteTimeout,
		drainTimeout: defaultDrainTimeout,
		queueSize:    defaultQueueSize,
	}
	for _, opt := range opts {
		opt(&c)
	}
	if c.logger == nil {
		logger := klog.FromContext(c.ctx)
		c.logger = &logger
	}
	return c
}

// WithContext ties the broadcaster to ctx. After the end of ctx back-off is
// forgotten once, and occurrences are still taken and written, until Drain or
// Shutdown is called. If neither is within [WithDrainTimeout], the broadcaster
// calls Shutdown itself. ctx also carries the logger unless [WithLogger] sets one.
// The default never ends. Requests do not run under ctx, or its end would cut off
// the last events of the component.
func WithContext(ctx context.Context) Option {
	return func(c *config) {
		if ctx != nil {
			c.ctx = ctx
		}
	}
}

// WithCorrelatorOptions tunes aggregation, counting and the spam filter, which
// are client-go's own; the zero value of each field is client-go's default, of
// Clock the broadcaster's. The functions in options are called by one goroutine
// of a sink at a time and must not call Flush, Drain or Shutdown. If one panics,
// the event counts as Dropped[Invalid]. With a KeyFunc, which may count several
// objects as one Event, the events of a namespace are written one after the other.
func WithCorrelatorOptions(options record.CorrelatorOptions) Option {
	return func(c *config) { c.correlator = options }
}

// WithSleepDuration is accepted so that callers of client-go compile, and has
// no effect. There it is the pause between two tries of the same event, 10 s by
// default; here
// failed writes wait behind one back-off for all events of a namespace or of the
// server, from 250 ms to 30 s, or as long as the server asks for.
func WithSleepDuration(time.Duration) Option { return func(*config) {} }

// WithLogger sets the logger of the broadcaster and the first logger of its
// recorders. The default is the one in [WithContext]'s context, else klog's.
func WithLogger(logger klog.Logger) Option {
	return func(c *config) { c.logger = &logger }
}

// WithClock sets the clock that stamps events and times back-off; the default
// is the real one. Deadlines of requests are real time in any case.
func WithClock(clk clock.WithTicker) Option {
	return func(c *config) {
		if clk != nil {
			c.clock = clk
		}
	}
}

// WithWorkers sets how many events of one sink are written at a time, each of
// another object. The default is 4. Writes that take more than a second, and those of
// namespaces that hang or fail, do not count: up to 64 of them run beside the workers.
func WithWorkers(n int) Option {
	return func(c *config) {
		if n > 0 {
			c.workers = n
		}
	}
}

// WithWriteTimeout bounds one request, 30 s by default. A sink that is not a
// [k8s.io/client-go/kubernetes/typed/core/v1.EventSinkImpl] takes no context
// and keeps its own time.
func WithWriteTimeout(d time.Duration) Option {
	return func(c *config) {
		if d > 0 {
			c.writeTimeout = d
		}
	}
}

// WithDrainTimeout bounds Shutdown, and the time between the end of
// [WithContext]'s context and a Shutdown that nobody calls. The default is 5 s.
func WithDrainTimeout(d time.Duration) Option {
	return func(c *config) {
		if d > 0 {
			c.drainTimeout = d
		}
	}
}

// WithDropHandler has handle called for every occurrence that is dropped. Calls
// come from the goroutine that found out, a caller of a recorder included, at
// the same time and without locks. handle must not block for long and must not
// call Flush, Drain or Shutdown. A panic of it is logged. The default is none.
func WithDropHandler(handle func(events.Drop)) Option {
	return func(c *config) { c.dropHandler = handle }
}
