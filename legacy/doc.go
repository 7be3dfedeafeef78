// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package legacy records core/v1 Events. It answers as client-go's tools/record does: what
// is written is up to client-go's own record.EventCorrelator. All else is the engine of
// package events, which loses nothing silently. The package also converts recorders between
// the old and the new interface.
//
//	                        ┌▶ watchers, logs: a queue and a goroutine each
//	Recorder ──▶ Broadcaster┤
//	                        └▶ per sink: queues ──▶ writer: correlate ──▶ write ──▶ Sink
//
// The server gets what it gets from client-go, with two exceptions: an Event has a name of
// the form of package events, and an aggregate event keeps annotations, action, related
// object and reporting fields, which client-go leaves out.
//
// # Usage
//
// A component that uses k8s.io/client-go/tools/record changes its import to clientgo/record of
// this module, which has every name of it. With this package it gets the same broadcaster,
// with its accounts and its Drain:
//
//	broadcaster := legacy.NewBroadcaster()
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.Recorder(scheme.Scheme, corev1.EventSource{Component: "my-controller"})
//	recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "to %d replicas", 3)
//
// New code records with package events or adapter. Some code takes only the old
// recorder, such as client-go's leader election. [AsLegacy] converts a new recorder to
// an old one, and [FromLegacy] converts an old one to a new one.
//
//	lock.LockConfig.EventRecorder = legacy.AsLegacy(recorder)
//
// # What differs from client-go
//
//   - Shutdown writes what is queued, within [events.WithDrainTimeout].
//   - Events are sent as protobuf unless the client's configuration names another
//     encoding. client-go sends JSON. A 2xx without the Event is retried.
//   - A failed write is retried until the event is an hour old, not twelve times;
//     WithSleepDuration of clientgo/record has no effect, because the writer has its own back-off.
//   - A full queue drops occurrences and counts them. It never blocks the caller.
//   - A panic of a sink, a watcher or a function of record.CorrelatorOptions is logged.
//     client-go ends the process if a watcher panics.
//   - No two Events have the same name. "Already exists" then means that an earlier
//     attempt was stored.
//   - A method of [Recorder] drops an occurrence of a namespace that cannot exist, and
//     leaves out annotations that the server would refuse.
//   - The channel of a watch that StartRecordingToSink or a watcher returns only closes.
//
// # Guarantees
//
// All of package events. Besides:
//
//   - Order: the occurrences of one object are correlated and written in the order
//     in which they were recorded. With a custom KeyFunc the order is per namespace,
//     because it may count several objects as one Event. A patch has no resourceVersion, as
//     client-go's has none. So one that arrives after its client gave it up lowers the count
//     to an older one, until the next occurrence.
//   - Loss: every drop is counted by reason in [Broadcaster.Stats].
//   - Blocking: recording never blocks and never starts a goroutine.
//   - Concurrency: everything is safe for concurrent use.
//   - Shutdown: before the first StartRecordingToSink or watcher goroutines run only
//     while Flush does.
//   - Memory: bounded. 16384 occurrences wait for a sink, and 1000 for a watcher.
//     A quarter of the queue is for Warnings alone. What finds no room is dropped. The
//     correlator's memory is bounded as in client-go.
//
// # Testing
//
// To test code that takes the old recorder, pass it [AsLegacy] of a recorder of package
// [github.com/eventseries/eventseries/events/eventstest]. Unlike [FakeRecorder] it has
// no channel that can fill up. That package's Clientset stores core/v1 Events, too,
// and applies the API server's rules.
package legacy
