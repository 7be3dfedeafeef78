// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package record defines every name of k8s.io/client-go/tools/record, and records with package
// legacy of this SDK. A component that uses tools/record and keeps its recorders changes only one
// import line. Replace the first line with the second:
//
//   - "k8s.io/client-go/tools/record"
//   - "github.com/eventseries/eventseries/clientgo/record"
//
// The component then writes the same core/v1 Events as before, because client-go's own correlator
// still decides what is written. In addition, failed writes are tried again, and Shutdown writes
// the pending Events.
//
// To move a component to the API events.k8s.io/v1, migrate its calls with eventsmigrate.
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

// EventRecorderAdapter is a recorder with the methods of tools/events that passes each call on to a
// recorder with the methods of tools/record.
type EventRecorderAdapter = legacy.EventRecorderAdapter

// These types are aliases of the types in client-go, which documents them. So a value can be passed
// between code that imports this package and code that imports client-go's package.
type (
	// EventBroadcaster makes recorders and writes their Events. [FromBroadcaster] converts a
	// broadcaster of the SDK to one.
	EventBroadcaster = record.EventBroadcaster
	// EventRecorder records Events.
	EventRecorder = record.EventRecorder
	// EventRecorderLogger is an EventRecorder that can be given a logger.
	EventRecorderLogger = record.EventRecorderLogger
	// EventSink stores core/v1 Events.
	EventSink = record.EventSink
	// FakeRecorder sends the Events that a test records to a channel, as text. It blocks when its
	// channel is full.
	FakeRecorder = record.FakeRecorder

	// CorrelatorOptions configure an EventCorrelator.
	CorrelatorOptions = record.CorrelatorOptions
	// EventCorrelator decides for each occurrence whether it becomes a new Event, raises the count
	// of an earlier one, or is skipped.
	EventCorrelator = record.EventCorrelator
	// EventCorrelateResult is the decision of an EventCorrelator.
	EventCorrelateResult = record.EventCorrelateResult
	// EventAggregator combines many Events that differ only in their messages into one.
	EventAggregator = record.EventAggregator
	// EventAggregatorKeyFunc returns the keys by which an EventAggregator groups Events.
	EventAggregatorKeyFunc = record.EventAggregatorKeyFunc
	// EventAggregatorMessageFunc returns the message of a combined Event.
	EventAggregatorMessageFunc = record.EventAggregatorMessageFunc
	// EventFilterFunc reports whether an Event is skipped.
	EventFilterFunc = record.EventFilterFunc
	// EventSourceObjectSpamFilter limits the rate of Events from one source about one object.
	EventSourceObjectSpamFilter = record.EventSourceObjectSpamFilter
	// EventSpamKeyFunc returns the key by which an EventSourceObjectSpamFilter groups Events.
	EventSpamKeyFunc = record.EventSpamKeyFunc
)

// NewBroadcaster returns a broadcaster without sinks. It starts no goroutine. See
// [legacy.NewBroadcaster].
func NewBroadcaster(opts ...BroadcasterOption) EventBroadcaster {
	return FromBroadcaster(legacy.NewBroadcaster(opts...))
}

// FromBroadcaster wraps b in client-go's EventBroadcaster, for code that takes one. Keep b for the
// features that the interface does not have, such as Stats, Flush and Drain.
func FromBroadcaster(b *legacy.Broadcaster) EventBroadcaster { return broadcaster{b} }

// broadcaster adds the method NewRecorder, which client-go's interface requires. In package legacy
// this method is called Recorder.
type broadcaster struct{ *legacy.Broadcaster }

// NewRecorder returns a *Recorder of package legacy.
func (b broadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) EventRecorderLogger {
	return b.Recorder(scheme, source)
}

// WithContext sets the context of a broadcaster. The broadcaster uses the logger in ctx. When ctx
// ends, the component is about to stop. Therefore the broadcaster writes pending Events at once,
// and shuts down after the drain timeout unless Shutdown is called before. See
// [legacy.WithContext].
func WithContext(ctx context.Context) BroadcasterOption { return legacy.WithContext(ctx) }

// WithCorrelatorOptions configures the correlator of a broadcaster: its aggregation, its counting
// and its spam filter.
func WithCorrelatorOptions(options CorrelatorOptions) BroadcasterOption {
	return legacy.WithCorrelatorOptions(options)
}

// WithSleepDuration has no effect. In client-go it sets the pause between two attempts to write one
// Event, which is 10 seconds by default. In this package a pause applies to all Events of a
// namespace or of the server. A pause takes 250 milliseconds to 30 seconds, or as long as the
// server asks for.
func WithSleepDuration(time.Duration) BroadcasterOption {
	return options.ForLegacy(func(*options.Config) {}, "")
}

// NewEventRecorderAdapter returns a recorder with the methods of tools/events that passes each call
// on to recorder.
func NewEventRecorderAdapter(recorder EventRecorderLogger) *EventRecorderAdapter {
	return legacy.FromLegacy(recorder)
}

// NewBroadcasterForTests returns a broadcaster as NewBroadcaster does. The duration has no effect;
// see [WithSleepDuration].
func NewBroadcasterForTests(sleepDuration time.Duration) EventBroadcaster {
	return NewBroadcaster(WithSleepDuration(sleepDuration))
}

// NewBroadcasterWithCorrelatorOptions returns a broadcaster whose correlators have the given
// options.
func NewBroadcasterWithCorrelatorOptions(options CorrelatorOptions) EventBroadcaster {
	return NewBroadcaster(WithCorrelatorOptions(options))
}

// NewFakeRecorder returns client-go's fake, with a channel for bufferSize Events.
func NewFakeRecorder(bufferSize int) *FakeRecorder { return record.NewFakeRecorder(bufferSize) }

// NewEventCorrelator returns client-go's correlator with its defaults.
func NewEventCorrelator(clk clock.PassiveClock) *EventCorrelator {
	return record.NewEventCorrelator(clk)
}

// NewEventCorrelatorWithOptions returns client-go's correlator with the given options.
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

// EventAggregatorByReasonFunc is client-go's default EventAggregatorKeyFunc. It groups Events that
// differ only in their messages.
func EventAggregatorByReasonFunc(event *corev1.Event) (aggregateKey, localKey string) {
	return record.EventAggregatorByReasonFunc(event)
}

// EventAggregatorByReasonMessageFunc is client-go's default EventAggregatorMessageFunc. Its message
// says that similar Events were combined.
func EventAggregatorByReasonMessageFunc(event *corev1.Event) string {
	return record.EventAggregatorByReasonMessageFunc(event)
}
