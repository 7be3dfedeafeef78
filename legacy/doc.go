// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package legacy records core/v1 Events: client-go's tools/record with its
// correlator, behind a queue and a writer that lose nothing silently.
//
//	                        ┌▶ watchers, logs: a queue and a goroutine each
//	Recorder ──▶ Broadcaster┤
//	                        └▶ per sink: lanes ──▶ workers: correlate ──▶ write ──▶ Sink
//
// A component migrates by changing the import of k8s.io/client-go/tools/record
// to this package: every name is here, and [NewBroadcaster] returns a
// record.EventBroadcaster.
//
// Events are combined, counted and filtered by client-go's own
// record.EventCorrelator, so the server sees what it would have seen from
// client-go, object by object and byte by byte, but for one thing: an aggregate
// event keeps annotations, action, related object and reporting fields, which
// client-go leaves out.
//
// New code records with package events, and old-shaped callers go through
// [AsLegacy]. [FromLegacy] is the other direction.
//
// # Guarantees
//
//   - Recording never blocks and never starts a goroutine.
//   - Order: the occurrences of one object are correlated and written one after
//     the other, in the order in which they were recorded; different objects do
//     not wait for each other.
//   - A failed write is tried again until the event is an hour old. Back-off is
//     shared by the events of a namespace, or by all when the server is at fault.
//   - Memory is bounded: 16384 occurrences wait for a sink, and 1000 for a
//     watcher. Beyond that a Warning pushes out the oldest waiting Normal, and
//     every other newcomer is dropped.
//   - Every drop is counted by reason in [Broadcaster.Stats], logged where
//     somebody can do something about it, and told to [WithDropHandler].
//   - No goroutine runs before the first StartRecordingToSink or watcher, and
//     none after [Broadcaster.Drain] or [Broadcaster.Shutdown] has returned, but
//     those that a sink or handler does not give back, which Drain reports.
//
// # Shutdown
//
// client-go's Shutdown throws away what is queued. Here it is written, for at
// most [WithDrainTimeout]; call Drain with a context of your own to know what was
// lost. With [WithContext] neither call is needed.
package legacy
