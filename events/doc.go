// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package events records what happens to Kubernetes objects as Events of events.k8s.io/v1. It takes
// the place of k8s.io/client-go/tools/events. Its recorders implement the interface EventRecorder
// of that package, so calls of Eventf stay as they are. Most components use package adapter, which
// records in the same way, and also where RBAC or an old cluster allows only core/v1.
//
// Three nouns have the same meaning on all pages:
//
//   - An occurrence is one call of Eventf.
//   - A series is the occurrences that are counted together: they have the same type, reason and
//     action, the same reporting controller (the name of the recorder) and instance (the process),
//     and the same two objects: the regarding object, which the Event is about, and the related
//     object, if there is one.
//   - An Event is the object in the API server in which a series is stored.
//
// client-go puts Events into a queue. It loses them when the queue is full, when the process stops, or
// when a write fails. This package keeps series in memory and reconciles them, as a controller
// reconciles objects:
//
//	Eventf ──▶ Recorder ──▶ series ──(needs a write)──▶ writer ──▶ Sink ──▶ API server
//	           reference,   in memory,                   a window   Create
//	           checks       bounded                      of writes  Patch
//	              │            ▲                           │
//	              ▼            └───────── answer ◀─────────┘
//	           watchers: StartEventWatcher, StartLogging
//
// Eventf counts the occurrence in its series. If the server has an older count than the series, the
// series is queued once, however many occurrences come meanwhile. A few writes at a time bring the
// server up to date. So repeats cost few writes, the writes of a series keep their order, memory is
// bounded, and a write that fails can be repeated with the newest count. A watcher is a function
// that the component registers, and that gets each occurrence. Each watcher has a queue of its own,
// so a slow watcher delays neither Eventf nor the writes.
//
// # Usage
//
// A program makes one broadcaster, starts it, records with its recorders, and shuts it down at the
// end:
//
//	broadcaster := events.NewBroadcaster(sinks.EventsV1(client.EventsV1()))
//	if err := broadcaster.Start(ctx); err != nil {
//		return err // an option is invalid
//	}
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.Recorder(scheme.Scheme, "example.com/my-controller")
//	recorder.Eventf(pod, volume, corev1.EventTypeWarning, "FailedMount", "Mounting", "after %v", took)
//
// The API server then has one Event. Package eventstest prints it like this:
//
//	Warning FailedMount (Mounting) Pod default/web with PersistentVolume disk-1 x1: "after 3s"
//
// The arguments are the object that the Event is about, a related object or nil, the type, the reason,
// the action, and the note with its arguments. A thousand calls that differ only in their notes are
// one series:
//
//	for attempt := range 1000 {
//		recorder.Eventf(pod, volume, corev1.EventTypeWarning, "FailedMount", "Mounting", "attempt %d", attempt)
//	}
//
// By default their Event has the note of the first occurrence. If the program makes only these calls,
// the API server has the following Event, which is shown here without its action and its objects:
//
//	Warning FailedMount: attempt 0 (x1000)
//
// [WithNotePolicy] can store other notes, such as the newest one.
//
// One broadcaster is enough for a process, because recorders cost little and share its series. Give
// the broadcaster a client of its own, so that Events and the component's other requests do not wait
// for each other. Set QPS to 50 and Burst to 100 in the rest.Config of this client, as kubelet does
// for Events. The client needs RBAC for create and patch of events in the API group events.k8s.io.
//
// A program that ends when its work is done, such as a Job, needs no Start. Before it exits, it calls
// Flush, which writes all counts. Flush returns when each occurrence is recorded or dropped, or when
// ctx ends if that is earlier:
//
//	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
//	defer cancel()
//	if err := broadcaster.Flush(ctx); err != nil {
//		log.Fatal(err)
//	}
//
// Drain does the same as Shutdown, but takes a context with the time limit from the caller, and
// returns losses as an error. The error tells how many occurrences could not be written:
//
//	err := broadcaster.Drain(ctx)
//	var abandoned *events.AbandonedError
//	if errors.As(err, &abandoned) {
//		fmt.Println("abandoned:", abandoned.Occurrences, "occurrences, series:", abandoned.Series)
//	}
//
// If the server hangs and three occurrences of one series are pending, this prints:
//
//	abandoned: 3 occurrences, series: 1
//
// Stats tells what became of each occurrence. This is the account of 102 occurrences, one of which was
// about no object and one of which came after Shutdown:
//
//	observed: 102
//	recorded: 100
//	pending: 0
//	invalid: 1
//	stopped: 1
//
// Package sinks has more destinations for Events, and package legacy records core/v1 Events.
//
// # What is counted in one Event
//
// Two occurrences are in the same series if they have the same type, action, reason, reporting
// controller and instance, object and related object (KEP-383 calls them isomorphic). The notes and
// the resourceVersions of the objects may differ.
//
// # When it is written
//
//	an occurrence, or a time               request
//	the first occurrence                   Create, immediately, with the field series empty
//	the second                             Patch with the count 2, immediately
//	a later one                            none, unless one of the next rows applies
//	the count has doubled                  Patch, at least 10 s after the last write
//	a count is newer than on the server    Patch, 30 min after the last write (WithRefreshInterval)
//	6 min without an occurrence            Patch with the final count (WithFinishInterval)
//	Flush, Drain and Shutdown              Patch immediately
//
// Immediately means as soon as the writer has room; no timer delays the request. A million
// occurrences of one series cost about twenty requests. So that a thousand busy series do not cost
// more than the client may send, a broadcaster writes at most 50 doubled counts in a burst, and
// then one a second. A doubled count beyond this limit is not written then. The series is written
// when its count has doubled again, or earlier if one of the last three rows of the table applies.
//
// Some Events would be refused by the API server, such as one with an empty action or with a note
// over 1024 bytes. The package changes them so that the server accepts them, and counts that as a
// [Repair].
//
// # Guarantees
//
//   - Order: at most one write of a series is in flight. Its Create precedes every Patch, and the
//     count on the server never decreases. Different series are written in no particular order.
//   - Blocking: recording never waits for I/O, starts no goroutine and does not retain its
//     arguments. Under [NotesFirst], the default, and without watchers, the note of a repeat is not
//     formatted, and a repeat allocates nothing. Start returns without I/O. Flush, Drain and
//     Shutdown wait for the server: Flush and Drain at most until their context ends, Shutdown at
//     most until the drain timeout is over. If a goroutine has not returned by then, the call waits
//     for it one more second.
//   - Loss: in every snapshot of [Stats] each occurrence is recorded, pending, or dropped for a
//     reason. [WithDropHandler] reports drops as they happen. Recorded means that the server has
//     answered that it has stored a count that includes the occurrence. If the answer to a write was
//     lost, the write is repeated in a way that cannot count an occurrence twice.
//   - Retry: while the server cannot be reached or is overloaded, a write is retried until the last
//     occurrence is an hour old. The server has an exponential back-off, and each namespace has one of
//     its own. If the server rejects an Event, its occurrences are dropped, and one later occurrence
//     is tried after one, two, four and then every eight minutes. So a hot loop with an Event that is
//     never accepted costs at most ten requests an hour, and an Event that goes on occurring is
//     recorded within ten minutes after the server has begun to accept it.
//   - Isolation: a namespace whose writes hang or fail does not hold up another one, however many such
//     namespaces there are. At most 64 writes are under way at a time, fewer if the server has too
//     much to do, and at most 64 more in namespaces whose writes hang or fail.
//   - Goroutines: there are none before Start or the first watcher, except while Flush runs, and none
//     after Drain or Shutdown has returned, except in sinks and handlers that do not return, which are
//     reported.
//   - Shutdown: after the end of Start's context, occurrences are still counted and written until
//     Drain or Shutdown is called. Suppose that a program calls Start(ctx), defers Shutdown, and works
//     until ctx ends. It loses only what the server and the rate limit of the client do not take
//     within the drain timeout; each pending series needs one request. If neither method is called
//     within [WithDrainTimeout], the broadcaster drains by itself, and its goroutines are gone after
//     twice that time and a second: it waits one drain timeout for the call, drains for at most
//     another one, and then waits at most one second for cancelled requests to return. Once a drain
//     has begun, new occurrences count as Dropped[DropStopped]. [AbandonedError] tells how many
//     occurrences could not be written.
//   - Concurrency: everything is safe for concurrent use. No code of the caller runs under a lock:
//     methods of the objects, formatting of notes, sinks, handlers and loggers.
//   - Memory: [WithMaxSeries] bounds it, whatever the caller records and the server does.
//     Annotations are included. If the cache is full, a new Warning evicts a series. It evicts the
//     series that has been quiet for longest, among those that have no pending occurrences. If every
//     series has pending occurrences, it evicts the oldest Normal that is not being written, and the
//     pending occurrences of that series are dropped. A new Normal evicts only a series that has no
//     pending occurrences, and has been quiet for at least a minute. If no series can be evicted,
//     the new occurrence is dropped.
//   - Panics: a panic in the caller's code is contained and logged. An occurrence that cannot be read
//     is Dropped[DropInvalid], a sink that panics has not answered, and a handler that panics misses
//     that call. Only a stack overflow ends the process, since Go cannot recover from it. It occurs
//     if an argument of a note contains itself, or if its String method formats the receiver, as in
//     fmt.Sprint(x).
//
// # Testing
//
// Package [github.com/eventseries/eventseries/events/eventstest] has a recorder for unit tests, a
// [Sink] in memory and a clientset that apply the rules of an API server and can be made to fail,
// and TestSink, which tests a sink of your own. A broadcaster can run in a testing/synctest bubble.
// There time is simulated, so the test does not really wait for the 30 minutes of the table above.
package events
