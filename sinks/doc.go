// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sinks has the destinations of Events, and the decorators that combine
// them. Each is an [events.Sink].
//
//	                              ┌──▶ EventsV1, CoreV1   the API server, one request per write
//	Broadcaster ──▶ Tee, Filter ──┴──▶ JSONLines          a stream
//
// # Usage
//
// A sink goes to [events.NewBroadcaster]. Decorators take sinks and are sinks:
//
//	warnings := func(event *eventsv1.Event) bool { return event.Type == corev1.EventTypeWarning }
//	sink := sinks.Tee(
//		sinks.EventsV1(clientset.EventsV1()),         // for kubectl describe
//		sinks.Filter(sinks.JSONLines(log), warnings), // a copy, for the log pipeline
//	)
//
// Any other sink is a type with two methods, see [events.Sink].
//
// # Guarantees
//
//   - Order: a broadcaster has at most one write of a series in flight, so a sink
//     gets those of one series in order. [Tee] passes them to each of its sinks in
//     that order.
//   - Blocking: EventsV1 and CoreV1 send exactly one request per call, which ends
//     with the call's context, and wait for the client's own rate limiter.
//     JSONLines waits for its writer. Recorders wait for none of it.
//   - Loss: a sink does not retry. The broadcaster does, depending on the error. It
//     retries only the first sink of a Tee that takes the event. [TeeSink.Failed]
//     counts what the others miss. What [Filter] leaves out is Dropped[DropFiltered],
//     unless another sink of a Tee takes it.
//   - Shutdown: no sink starts a goroutine, buffers or has to be closed. The caller
//     closes the writer of JSONLines after the broadcaster's Drain. Tee and Filter
//     flush sinks that are an [events.Flusher].
//   - Concurrency: everything is safe for concurrent use, if the caller's writer
//     and functions are. JSONLines makes one call of Write at a time.
//   - Ownership: no sink keeps an event or changes one.
//   - Identity: CoreV1 and EventsV1 write the same object. A series begun with one
//     can be continued with the other.
//
// # Testing
//
// Package [github.com/eventseries/eventseries/events/eventstest] has NewSink, which
// stores Events under the API server's rules and fails on demand, and TestSink,
// which tests whether another sink keeps the contract.
package sinks
