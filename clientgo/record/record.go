// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package record has every name of k8s.io/client-go/tools/record, with package legacy of this SDK behind
// it. A component that uses tools/record, and is to keep its recorders, changes one import line:
//
//   - "k8s.io/client-go/tools/record"
//   - "github.com/eventseries/eventseries/clientgo/record"
//
// It then writes the same core/v1 Events, correlated by client-go's own correlator, and loses none at
// its end. To move to the new Event API use eventsmigrate.
package record

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/legacy"
)

// BroadcasterOption is an option of package legacy.
type BroadcasterOption = legacy.Option

// EventRecorderAdapter is a recorder of events.k8s.io that records to a recorder of the old shape.
type EventRecorderAdapter = legacy.EventRecorderAdapter

// The types of client-go, which are documented there. Values pass freely between code that imports
// this package and code that imports client-go's.
type (
	// EventBroadcaster is client-go's; see [FromBroadcaster].
	EventBroadcaster = record.EventBroadcaster
	// EventRecorder is the old recorder.
	EventRecorder = record.EventRecorder
	// EventRecorderLogger is the old recorder with a logger of its own.
	EventRecorderLogger = record.EventRecorderLogger
	// EventSink stores core/v1 events.
	EventSink = record.EventSink
	// FakeRecorder sends strings to a channel.
	FakeRecorder = record.FakeRecorder

	// CorrelatorOptions tune the correlator.
	CorrelatorOptions = record.CorrelatorOptions
	// EventCorrelator aggregates, counts and filters.
	EventCorrelator = record.EventCorrelator
	// EventCorrelateResult is its answer.
	EventCorrelateResult = record.EventCorrelateResult
	// EventAggregator combines events that differ by message.
	EventAggregator = record.EventAggregator
	// EventAggregatorKeyFunc groups events for it.
	EventAggregatorKeyFunc = record.EventAggregatorKeyFunc
	// EventAggregatorMessageFunc words what it combined.
	EventAggregatorMessageFunc = record.EventAggregatorMessageFunc
	// EventFilterFunc tells what to skip.
	EventFilterFunc = record.EventFilterFunc
	// EventSourceObjectSpamFilter limits the events of a source about an object.
	EventSourceObjectSpamFilter = record.EventSourceObjectSpamFilter
	// EventSpamKeyFunc groups events for it.
	EventSpamKeyFunc = record.EventSpamKeyFunc
)

// NewBroadcaster returns a broadcaster without sinks and without goroutines. It records as one of
// package legacy does.
func NewBroadcaster(opts ...BroadcasterOption) EventBroadcaster {
	return FromBroadcaster(legacy.NewBroadcaster(opts...))
}

// FromBroadcaster returns b as client-go's EventBroadcaster, for code that takes one. b has what that
// interface lacks: accounts, Flush and Drain.
func FromBroadcaster(b *legacy.Broadcaster) EventBroadcaster { return broadcaster{b} }

// broadcaster adds the method of client-go's interface that a broadcaster of the SDK has under another name.
type broadcaster struct{ *legacy.Broadcaster }

// NewRecorder returns a *Recorder of package legacy.
func (b broadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) EventRecorderLogger {
	return b.Recorder(scheme, source)
}

// WithContext sets the context that announces the end of the component, and carries the logger.
func WithContext(ctx context.Context) BroadcasterOption { return legacy.WithContext(ctx) }

// WithCorrelatorOptions configures client-go's aggregation, counting and spam filter.
func WithCorrelatorOptions(options CorrelatorOptions) BroadcasterOption {
	return legacy.WithCorrelatorOptions(options)
}

// WithSleepDuration has no effect. In client-go it is the pause between two attempts for one event,
// 10 s by default. Here all events of a namespace, or of the server, share a back-off of 250 ms to
// 30 s, or as the server asks.
func WithSleepDuration(time.Duration) BroadcasterOption {
	return options.ForLegacy(func(*options.Config) {}, "")
}

// NewEventRecorderAdapter returns a recorder of events.k8s.io that records to recorder.
func NewEventRecorderAdapter(recorder EventRecorderLogger) *EventRecorderAdapter {
	return legacy.FromLegacy(recorder)
}

// NewBroadcasterForTests returns a broadcaster; see [WithSleepDuration] for what
// becomes of the duration.
func NewBroadcasterForTests(sleepDuration time.Duration) EventBroadcaster {
	return NewBroadcaster(WithSleepDuration(sleepDuration))
}

// NewBroadcasterWithCorrelatorOptions returns a broadcaster whose correlators are
// tuned by options.
func NewBroadcasterWithCorrelatorOptions(options CorrelatorOptions) EventBroadcaster {
	return NewBroadcaster(WithCorrelatorOptions(options))
}

// NewFakeRecorder returns a fake with a channel of bufferSize, which blocks its
// caller when the channel is full.
func NewFakeRecorder(bufferSize int) *FakeRecorder { return record.NewFakeRecorder(bufferSize) }

// NewEventCorrelator returns client-go's correlator with its defaults.
func NewEventCorrelator(clk clock.PassiveClock) *EventCorrelator {
	return record.NewEventCorrelator(clk)
}

// NewEventCorrelatorWithOptions returns client-go's correlator tuned by options.
func NewEventCorrelatorWithOptions(options CorrelatorOptions) *EventCorrelator {
	return record.NewEventCorrelatorWithOptions(options)
}

// NewEventAggregator returns client-go's aggregator.
func NewEventAggregator(lruCacheSize int, keyFunc EventAggregatorKeyFunc, messageFunc EventAggregatorMessageFunc,
	maxEvents, maxIntervalInSeconds int, clk clock.PassiveClock,
) *EventAggregator {
	return record.NewEventAggregator(lruCacheSize, keyFunc, messageFunc, maxEvents, maxIntervalInSeconds, clk)
}

// NewEventSourceObjectSpamFilter returns client-go's spam filter.
func NewEventSourceObjectSpamFilter(lruCacheSize, burst int, qps float32, clk clock.PassiveClock,
	spamKeyFunc EventSpamKeyFunc,
) *EventSourceObjectSpamFilter {
	return record.NewEventSourceObjectSpamFilter(lruCacheSize, burst, qps, clk, spamKeyFunc)
}

// EventAggregatorByReasonFunc groups events that differ by message only.
func EventAggregatorByReasonFunc(event *corev1.Event) (aggregateKey, localKey string) {
	return record.EventAggregatorByReasonFunc(event)
}

// EventAggregatorByReasonMessageFunc says that similar events were combined.
func EventAggregatorByReasonMessageFunc(event *corev1.Event) string {
	return record.EventAggregatorByReasonMessageFunc(event)
}
