// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package otelevents sends Events to an OpenTelemetry pipeline as log records. It also stores the
// current trace in Events, so that the records belong to that trace.
//
//	Eventf ──▶ adapter ──▶ Tee ──┬──▶ API server
//	                             └──▶ Sink ──▶ LoggerProvider ──(batches)──▶ collector
//
// # Usage
//
// A [Sink] emits one log record for each write of a series. Combine it with the API server as
// below, or use it alone in a program without an API server:
//
//	a, err := adapter.NewForConfig(ctx, config,
//		adapter.WithSink(func(api events.Sink) events.Sink { return sinks.Tee(api, exported) }),
//		events.WithContextAnnotations(otelevents.TraceContext))
//
// At the end of the program, shut down the adapter first, which flushes the provider, and then the
// provider. README.md has settings with which records survive an outage of the collector.
//
// # What a record has
//
//	timestamp              the time of the last occurrence
//	severity               Info or Warn; its text is the type of the Event
//	body                   the note; with events.NotesLatest, the newest note
//	trace id, span id      from the annotation "traceparent" of the Event, otherwise from
//	                       "tracing.k8s.io/traceparent", if there is one
//	eventseries.link.…     trace_id, span_id: the trace that has changed the regarding object,
//	                       for an Event without a trace of its own; see [TraceLink]
//	eventseries.delta      the occurrences that this write adds to earlier writes
//	k8s.event.count        all occurrences of the series so far
//	k8s.event.…            name, reason, action, start_time
//	k8s.namespace.name     the namespace of the regarding object
//	k8s.object.…           kind, name, uid, api_version, resource_version, fieldpath
//	eventseries.related.…  kind, name, namespace, if there is a related object
//	eventseries.…          reporting_controller, reporting_instance
//
// The collector's own receivers of Kubernetes Events use the same names, except the names that
// begin with eventseries, for which they have no attribute. Empty values are left out.
// k8s.event.uid is missing, because the API server chooses the UID when it stores the Event.
//
// # Guarantees
//
//   - Counts: the sum of all deltas of an Event is its count. The name of the Event
//     (k8s.namespace.name and k8s.event.name) and its count identify a record, so duplicates that a
//     pipeline delivers can be removed. If a pipeline loses records, the highest count is still the
//     number of occurrences.
//   - Order: the records of a series are emitted in order.
//   - Blocking: the sink puts records into a queue of 4096, and a goroutine emits them. Eventf
//     never waits for the provider. If the provider blocks and the queue is full, a write waits
//     half a second for room. When one write has waited in vain, all writes fail at once until the
//     provider takes another record. If the Sink is used alone, the broadcaster retries such a
//     write and goes on counting; in a sinks.Tee, the write is lost and TeeSink.Failed counts it.
//   - Loss: the sink does not learn which records the provider loses. For example, a batch
//     processor whose queue is full drops its oldest record.
//   - Concurrency: a Sink is safe for concurrent use.
//   - Panics: a panic of the provider loses one record, which [Sink.Lost] counts.
//   - Shutdown: the goroutine of the sink runs only while records are in the queue, and ends by
//     itself.
//
// # Testing
//
// Make a provider of go.opentelemetry.io/otel/sdk/log with a SimpleProcessor and an exporter that
// stores its records. After Flush of the adapter, the exporter has all of them.
package otelevents
