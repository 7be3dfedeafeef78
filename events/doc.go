// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package events records what happens to Kubernetes objects as Events of
// events.k8s.io/v1. It takes the place of k8s.io/client-go/tools/events: a
// component migrates by changing that import.
//
// client-go queues events, and loses them when a queue is full, when the process
// stops or when a write fails. This package keeps series and reconciles them: an
// occurrence is folded into its series in memory, a series whose recorded state
// is behind its observed state is queued once, and a few writes at a time
// bring the server up to date. Coalescing, order, bounded memory and retry follow from
// that.
//
//	Eventf ──▶ Recorder ──▶ series ──(needs a write)──▶ writer ──▶ Sink ──▶ API server
//	           reference,   sharded,                     a window   Create
//	           repair       bounded                      of writes  Patch
//	              │            ▲                           │
//	              ▼            └───────── answer ◀─────────┘
//	           watchers: StartEventWatcher, StartLogging
//
// # Usage
//
//	broadcaster := events.NewBroadcaster(sinks.EventsV1(client.EventsV1()))
//	if err := broadcaster.Start(ctx); err != nil {
//		return err // every option that makes no sense
//	}
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.Recorder(scheme.Scheme, "example.com/my-controller")
//	recorder.Eventf(pod, volume, corev1.EventTypeWarning, "FailedMount", "Mounting", "after %v", took)
//
// One broadcaster serves a whole process: recorders cost little and share its
// series. Give it a client of its own (QPS 50, burst 100, as kubelet has), so
// that events and the component's work do not wait for each other. A program that
// ends when its work is done, such as a Job, needs no Start: see
// [Broadcaster.Flush]. Package sinks has more sinks, package adapter also serves
// clusters that do not let a component use events.k8s.io/v1, package legacy is
// for core/v1.
//
// # What is written
//
// Occurrences are isomorphic, and one series, when they agree in type, action,
// reason, reporting controller and instance, and in the regarding and related
// objects (KEP-383). Versions of objects and the note do not matter; [WithNotePolicy]
// can change the latter.
//
//	first occurrence                       Create, without a series
//	second                                 Patch: count 2
//	later                                  counted in memory, and written
//	  once the count has doubled             10 s after the last write, while such writes are few
//	  if anything is unwritten               30 min after it            (WithRefreshInterval)
//	  when the series is over                6 min of silence           (WithFinishInterval)
//	  by Flush and Drain                     at once
//
// A million occurrences cost about twenty requests. What the API server would
// refuse (an empty action, a note over 1024 bytes) is repaired and counted, not
// sent in vain; see [Repair].
//
// # Guarantees
//
//   - Order: at most one write of a series is in flight, its Create precedes every
//     Patch, and the count on the server never decreases. Different series are
//     written in no particular order.
//   - Blocking: recording never blocks on I/O, starts no goroutine and keeps
//     nothing of its arguments. Under [NotesFirst] and without watchers a repeat is
//     not formatted and allocates nothing.
//   - Loss: nothing is lost silently. In every snapshot of [Stats] each occurrence
//     is recorded, pending or dropped for a reason. [WithDropHandler] reports drops
//     as they happen. "Recorded" means that the server has answered. A write whose
//     answer was lost is repeated in a way that cannot count twice.
//   - Retry: an unreachable or overloaded server is retried for an hour
//     after the last occurrence, with one exponential back-off per server and namespace. What
//     the server refuses is dropped, and one later occurrence is tried after one,
//     two, four and then every eight minutes. So a hot loop with an event that is
//     never accepted costs at most ten requests an hour, and what goes on occurring
//     is recorded within ten minutes after a refusal has ended.
//   - Isolation: namespaces whose writes hang or fail do not hold up any other,
//     whatever their number. Up to 64 of their writes are under way outside the window of at most
//     64 that follows the server.
//   - Shutdown: there is no goroutine before Start or the first watcher, except while
//     Flush runs, and none after Drain or Shutdown has returned, except in sinks and
//     handlers that do not return, which are reported. After the end of Start's context
//     occurrences are still written, until Drain or Shutdown is called. So Start(ctx),
//     work until ctx ends and a deferred Shutdown lose nothing that the server, and the
//     rate limit of the client, take in that time: one request for each series with
//     something pending. If neither is called within [WithDrainTimeout], the broadcaster
//     drains by itself, and its goroutines are gone after twice that time and a second.
//     Once a drain has begun, occurrences count as Dropped[DropStopped]. [AbandonedError]
//     says how much could not be written.
//   - Concurrency: everything is safe for concurrent use. No code of the caller
//     (accessors, formatting, sinks, handlers, loggers) runs under a lock.
//   - Memory: bounded by [WithMaxSeries], annotations included, whatever the caller
//     records and the server does. In a full cache new series are dropped. A Warning
//     may evict a Normal one.
//   - Panics: those of the caller's code are contained and logged. An occurrence that
//     cannot be read is Dropped[DropInvalid], a sink that panics has not answered, and a
//     handler that panics misses that call. Only a stack overflow ends the process,
//     since Go cannot recover from it: an arg whose String method formats the arg
//     itself, or a map or slice that contains itself.
//
// # Testing
//
// Package [github.com/eventseries/eventseries/events/eventstest] has a recorder
// for unit tests, an in-memory [Sink] and a clientset with the API server's own
// rules and scripted faults, and TestSink for tests of a Sink. Everything here runs
// in a testing/synctest bubble, where the half hours of the table above take no time.
package events
