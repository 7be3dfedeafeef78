// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"errors"
	"time"

	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Option configures a [Broadcaster]. No option is needed. An invalid value (nil, zero
// or less) means the default. So [NewBroadcaster] cannot fail, and stays compatible
// with client-go's.
type Option func(*config)

type config struct {
	ctx        context.Context
	correlator record.CorrelatorOptions
	logger     *klog.Logger
	clock      clock.WithTicker
	labelsErr  error
	events     []events.Option
	maxWeight  int // of what waits
}

func newConfig(opts []Option) config {
	c := config{ctx: context.Background(), clock: clock.RealClock{}, maxWeight: maxWeight}
	for _, opt := range opts {
		opt(&c)
	}
	if c.logger == nil {
		logger := klog.FromContext(c.ctx)
		c.logger = &logger
	}
	contained := usercode.Logger(*c.logger)
	c.logger = &contained
	if c.labelsErr != nil {
		c.logger.Error(c.labelsErr, "Labels left out: the API server would refuse them; fix what err names",
			"advice", "repaired")
	}
	c.events = append(c.events, events.WithClock(c.clock), events.WithLogger(*c.logger))
	return c
}

// with passes an option on to the broadcaster of package events.
func with(opt events.Option) Option { return func(c *config) { c.events = append(c.events, opt) } }

// WithContext sets the context that announces the end of the component. When ctx ends,
// the broadcaster resets back-off once. It accepts and writes occurrences until Drain
// or Shutdown is called. If neither is called within [WithDrainTimeout], it calls
// Shutdown itself. The logger is that of ctx, unless [WithLogger] sets one. The default
// context never ends. Requests do not run under ctx, because its end would cancel the
// last events of the component.
func WithContext(ctx context.Context) Option {
	return func(c *config) {
		if ctx != nil {
			c.ctx = ctx
		}
	}
}

// WithCorrelatorOptions configures client-go's aggregation, counting and spam filter.
// A zero field means client-go's default; a nil Clock means the broadcaster's clock.
// One goroutine of a sink at a time calls the functions in options. They must not call
// Flush, Drain or Shutdown. If one panics, the event counts as Dropped[Invalid]. With
// a KeyFunc the events of a namespace are written one after the other, because it may
// count several objects as one Event.
func WithCorrelatorOptions(options record.CorrelatorOptions) Option {
	return func(c *config) { c.correlator = options }
}

// WithContextAnnotations sets a function that [Recorder.WithContext] calls to turn a
// context into annotations, as events.WithContextAnnotations does. They are stored when
// an event is created. A panic is logged, and there are no annotations then. The default
// is none, and Recorder.WithContext does nothing.
func WithContextAnnotations(annotate func(ctx context.Context) map[string]string) Option {
	return with(events.WithContextAnnotations(annotate))
}

// WithLabels adds labels to the metadata of every event, as events.WithLabels does. What
// the API server would refuse is left out and logged. By default there are none.
func WithLabels(labels map[string]string) Option {
	return func(c *config) {
		valid, err := eventlabels.Add("", labels)
		c.labelsErr = errors.Join(c.labelsErr, err)
		c.events = append(c.events, events.WithLabels(eventlabels.Parse(valid)))
	}
}

// WithSleepDuration has no effect. It exists so that callers of client-go compile. In
// client-go it is the pause between two attempts for one event, 10 s by default. Here
// all events of a namespace, or of the server, share one back-off. It is 250 ms to
// 30 s, or as long as the server asks for.
func WithSleepDuration(time.Duration) Option { return func(*config) {} }

// WithLogger sets the logger of the broadcaster and the first logger of its
// recorders. The default is the one in [WithContext]'s context, else klog's.
func WithLogger(logger klog.Logger) Option {
	return func(c *config) { c.logger = &logger }
}

// WithClock sets the clock for the times in events and for back-off. The default is
// the real clock. Deadlines of requests always use real time.
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
func WithWorkers(n int) Option { return with(events.WithWorkers(max(n, 0))) }

// WithWriteTimeout bounds one request, 30 s by default. A sink that is not a
// [k8s.io/client-go/kubernetes/typed/core/v1.EventSinkImpl] takes no context, so this
// bound does not apply to it.
func WithWriteTimeout(d time.Duration) Option { return with(events.WithWriteTimeout(max(d, 0))) }

// WithDrainTimeout bounds Shutdown. It is also the time from the end of [WithContext]'s
// context until the broadcaster calls Shutdown itself. The default is 5 s.
func WithDrainTimeout(d time.Duration) Option { return with(events.WithDrainTimeout(max(d, 0))) }

// WithDropHandler sets a function that is called for every occurrence that is dropped.
// The goroutine that drops it calls handle, without locks; that may be a caller of a
// recorder. Calls may be concurrent. handle must not block for long and must not call
// Flush, Drain or Shutdown. A panic of handle is logged. The default is none.
func WithDropHandler(handle func(events.Drop)) Option { return with(events.WithDropHandler(handle)) }
