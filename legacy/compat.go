// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
)

// The other names of client-go's tools/record, so that a component migrates by
// changing one import line. They are client-go's own, documented there.
type (
	// BroadcasterOption is client-go's name for [Option].
	BroadcasterOption = Option
	// EventBroadcaster is what [*Broadcaster] implements.
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

// NewBroadcasterForTests returns a broadcaster; see [WithSleepDuration] for what
// becomes of the duration.
func NewBroadcasterForTests(sleepDuration time.Duration) *Broadcaster {
	return NewBroadcaster(WithSleepDuration(sleepDuration))
}

// NewBroadcasterWithCorrelatorOptions returns a broadcaster whose correlators are
// tuned by options.
func NewBroadcasterWithCorrelatorOptions(options CorrelatorOptions) *Broadcaster {
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
