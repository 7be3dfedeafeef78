// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sinks has the places events can be written to, and the decorators
// that combine them. Each is an [events.Sink], safe for concurrent use.
//
//	EventsV1, CoreV1      the API server, one request per write
//	Log, JSONLines        a logger, a stream
//	Tee, Filter, Discard  combine, select, ignore
//
// # Guarantees
//
//   - EventsV1 and CoreV1 make exactly one request per call and wait for the
//     client's own rate limiter; retrying is the broadcaster's part. Give the
//     SDK a client of its own (kubelet's QPS of 50 and burst of 100 are a good
//     start), so that events do not delay the component's real work.
//   - Through CoreV1 the same object is written as through EventsV1; a series
//     begun with one can be continued with the other.
//   - No sink keeps an event, changes one, or starts a goroutine.
package sinks
