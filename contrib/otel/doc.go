// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package otelevents sends Events to an OpenTelemetry pipeline, and says in Events which
// trace they belong to.
//
//	Eventf ──▶ adapter ──▶ Tee ──┬──▶ API server
//	                             └──▶ Sink ──▶ LoggerProvider ──(batches)──▶ collector
//
// # Usage
//
// A [Sink] emits one log record for each write of a series. It goes beside the API server,
// or stands alone in programs without one:
//
//	a, err := adapter.NewForConfig(ctx, config,
//		adapter.WithSink(func(api events.Sink) events.Sink { return sinks.Tee(api, exported) }),
//		events.WithContextAnnotations(otelevents.TraceContext))
//
// The adapter ends first, and its end flushes the provider. The caller then shuts the
// provider down. README.md has settings that survive an outage of the collector.
//
// # What a record has
//
//	timestamp              the last occurrence
//	severity               Info or Warn; its text is the type of the Event
//	body                   the note; the newest one under events.NotesLatest
//	trace id, span id      of the annotation "traceparent", if there is one
//	eventseries.delta      the occurrences that this write adds to those written before
//	k8s.event.count        the occurrences of the series so far
//	k8s.event.…            name, reason, action, start_time
//	k8s.namespace.name     of the regarding object
//	k8s.object.…           kind, name, uid, api_version, resource_version, fieldpath
//	eventseries.related.…  kind, name, namespace, if there is a related object
//	eventseries.…          reporting_controller, reporting_instance
//
// The names are those of the collector's Kubernetes event receivers, but for those that
// they lack. Empty values are left out. k8s.event.uid is missing, because the API server
// chooses it.
//
// # Guarantees
//
//   - Counts: the sum of all deltas of an Event is its count. Its name (k8s.event.name and
//     k8s.namespace.name) and count are unique to a record. A pipeline that delivers a
//     record twice can be corrected by them, and one that loses a record by the counts:
//     the highest one is the number of occurrences.
//   - Order: the records of a series are emitted in order.
//   - Blocking: records wait for the provider in a queue of 4096. A write waits for room
//     there for half a second, until one has waited in vain; then the sink answers with an
//     error, until the provider goes on. Alone, it is tried again and counts go on
//     meanwhile; in a sinks.Tee, TeeSink.Failed counts it. Eventf never waits.
//   - Loss: what the provider loses, the sink does not know. A batch processor whose queue
//     is full drops the oldest record.
//   - Concurrency: a Sink is safe for concurrent use.
//   - Panics: one of the provider loses one record, which [Sink.Lost] counts.
//   - Shutdown: the goroutine of the sink exists while records wait, and ends by itself.
//
// # Testing
//
// A provider of go.opentelemetry.io/otel/sdk/log over a SimpleProcessor, with an exporter
// that keeps its records, has them all after the adapter's Flush.
package otelevents
