// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sinks provides destinations for the Events of a broadcaster, and decorators that combine
// them. Each of them is an [events.Sink].
//
//	                              ┌──▶ EventsV1, CoreV1   the API server, one request per write
//	Broadcaster ──▶ Tee, Filter ──┴──▶ JSONLines          a stream
//
// # Usage
//
// Pass a sink to [events.NewBroadcaster]. [Tee] and [Filter] take sinks and return one:
//
//	warnings := func(event *eventsv1.Event) bool { return event.Type == corev1.EventTypeWarning }
//	sink := sinks.Tee(
//		sinks.EventsV1(clientset.EventsV1()),         // for kubectl describe
//		sinks.Filter(sinks.JSONLines(log), warnings), // a copy, for the log pipeline
//	)
//
// A sink of your own is a type with two methods; see [events.Sink].
//
// # Guarantees
//
//   - Order: a sink receives the writes of one series in order, because a broadcaster has at most
//     one write of a series in flight. [Tee] keeps that order for each of its sinks.
//   - Blocking: EventsV1 and CoreV1 wait for the client's own rate limiter, and send exactly one
//     request per call, which ends with the context of the call. JSONLines waits for its writer.
//     Recorders never wait for a sink.
//   - Loss: a sink does not retry. The broadcaster retries a write if its error allows it. With a
//     Tee, it retries only the first sink that does not filter the Event; [TeeSink.Failed] counts
//     the writes that other sinks have missed. An Event that [Filter] removes is
//     Dropped[DropFiltered], unless another sink of a Tee takes it.
//   - Shutdown: no sink starts a goroutine, has a buffer or needs to be closed. Close the writer of
//     JSONLines after Drain or Shutdown of the broadcaster. Tee and Filter pass Flush on to each of
//     their sinks that is an [events.Flusher].
//   - Concurrency: every sink is safe for concurrent use, if the functions of the caller are. The
//     writer of JSONLines need not be, because there is one call of Write at a time.
//   - Ownership: no sink modifies an Event, or retains it after a call.
//   - Identity: CoreV1 and EventsV1 write the same object. A series that was begun with one of them
//     can be continued with the other.
//
// # Testing
//
// Package [github.com/eventseries/eventseries/events/eventstest] has NewSink, a sink in memory that
// applies the rules of the API server and can be made to fail, and TestSink, which checks that a
// sink of your own keeps the contract of [events.Sink].
package sinks
