// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package otelevents sends Events to an OpenTelemetry pipeline, and says in Events which
// trace they belong to. Import it by its name:
//
//	import otelevents "github.com/eventseries/eventseries/contrib/otel"
//
// # Usage
//
// A [Sink] emits one log record for each write of a series. It goes beside the API server,
// or stands alone in programs without one:
//
//	exported, err := otelevents.NewSink(provider) // of go.opentelemetry.io/otel/sdk/log
//	if err != nil {
//		return err
//	}
//	recorder := adapter.New(ctx, client,
//		adapter.WithSink(func(api events.Sink) events.Sink { return sinks.Tee(api, exported) }),
//		adapter.WithEventsOptions(events.WithContextAnnotations(otelevents.TraceContext)))
//	…
//	recorder.Shutdown()    // also flushes the provider
//	provider.Shutdown(ctx) // after it, never before
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
//   - Blocking: no call waits for the provider but Flush. Records wait in a queue of 4096.
//     While that is full, the sink answers with an error: alone, it is tried again until
//     there is room and counts go on meanwhile; in a sinks.Tee, TeeSink.Failed counts it.
//   - Loss: what the provider loses, the sink does not know. A batch processor whose queue
//     is full drops the oldest record.
//   - Panics: one of the provider loses one record, which [Sink.Lost] counts.
//   - Shutdown: the goroutine of the sink exists while records wait, and ends by itself.
package otelevents
