// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package legacy records core/v1 Events: client-go's tools/record with its
// correlator, behind a queue and a writer that lose nothing silently. It also has
// the bridges between recorders of the old and of the new shape.
//
//	                        ┌▶ watchers, logs: a queue and a goroutine each
//	Recorder ──▶ Broadcaster┤
//	                        └▶ per sink: queues ──▶ workers: correlate ──▶ write ──▶ Sink
//
// Events are combined, counted and filtered by client-go's own
// record.EventCorrelator, so the server sees what it would have seen from
// client-go, object by object and byte by byte, but for one thing: an aggregate
// event keeps annotations, action, related object and reporting fields, which
// client-go leaves out.
//
// # Usage
//
// A component migrates by changing the import of k8s.io/client-go/tools/record
// to this package: every name is here, and [NewBroadcaster] returns a
// record.EventBroadcaster.
//
//	broadcaster := record.NewBroadcaster()
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "my-controller"})
//	recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "to %d replicas", 3)
//
// New code records with package events or adapter. Where it meets code that knows
// the old recorder only, such as client-go's leader election, [AsLegacy] gives it
// one over the new; [FromLegacy] is the other direction.
//
//	lock.LockConfig.EventRecorder = legacy.AsLegacy(recorder)
//
// # What differs from client-go
//
//   - Shutdown writes what is queued, within [WithDrainTimeout].
//   - Events are sent as protobuf unless the client's configuration names another
//     encoding. client-go sends JSON. A 2xx without the Event is not an answer.
//   - A failed write is retried until the event is an hour old, not twelve times;
//     [WithSleepDuration] has no effect, since back-off is the writer's.
//   - A queue that is full drops by a rule, and counts; nothing blocks the caller.
//   - A panic of a sink, a watcher or a function of [CorrelatorOptions] is a line
//     of the log. client-go ends the process after that of a watcher.
//   - Names of Events have strictly increasing times, so that two of them are
//     never equal, and "already exists" means one's own earlier attempt.
//   - Every broadcaster says in [Broadcaster.Stats] what became of each call.
//
// # Guarantees
//
//   - Order: the occurrences of one object are correlated and written one after
//     the other, in the order in which they were recorded; different objects do
//     not wait for each other. With a KeyFunc of one's own, which may count several
//     objects as one Event, this holds for namespaces in place of objects.
//   - Blocking: recording never blocks and never starts a goroutine.
//   - Loss: every drop is counted by reason in [Broadcaster.Stats], logged where
//     somebody can do something about it, and told to [WithDropHandler].
//   - Retry: a failed write is tried again until the event is an hour old.
//     Back-off is shared by the events of a namespace, or by all when the server
//     is at fault. A namespace whose writes hang or fail holds up no other. What the
//     server refuses is dropped; each later occurrence is tried.
//   - Shutdown: client-go's throws away what is queued; here it is written, for at
//     most [WithDrainTimeout]. [Broadcaster.Drain] takes a context instead and
//     tells what was lost. After the end of [WithContext]'s context occurrences are
//     still written, until one of the two is called or the drain timeout has passed;
//     occurrences after that are dropped, and the log says so. If nobody calls one,
//     goroutines are gone after twice that timeout and a second. No goroutine runs
//     before the first StartRecordingToSink or watcher, and none after Drain or
//     Shutdown has returned, but those that a sink or handler does not give back,
//     which Drain reports.
//   - Concurrency: everything is safe for concurrent use. Functions in
//     [CorrelatorOptions] are called by one goroutine of a sink at a time.
//   - Memory: bounded. 16384 occurrences wait for a sink, and 1000 for a watcher.
//     Beyond that a Warning pushes out the oldest waiting Normal, and every other
//     newcomer is dropped. What the correlator keeps is bounded as in client-go.
//
// # Testing
//
// Code that takes the old recorder gets [AsLegacy] of a recorder of package
// [github.com/eventseries/eventseries/events/eventstest], which has no channel
// that fills up as [FakeRecorder]'s does. That package's Clientset stores core/v1
// Events too, under the API server's rules.
package legacy
