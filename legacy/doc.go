// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package legacy records Events of core/v1, as client-go's tools/record does. client-go's own
// record.EventCorrelator decides what is written: which occurrences are counted in one Event, and
// which ones its spam filter drops. Retries, shutdown, counters and log are the ones of package
// events. The package also converts recorders between the old interface of client-go,
// record.EventRecorder, and the new one, events.EventRecorder.
//
//	                        ┌▶ watchers, logs: a queue and a goroutine each
//	Recorder ──▶ Broadcaster┤
//	                        └▶ per sink: queues ──▶ writer: correlate ──▶ write ──▶ Sink
//
// The API server gets the Events that it gets from client-go, with two exceptions. The name of an
// Event has the form that package events uses. An Event that aggregates similar ones keeps
// annotations, action, related object and reporting fields, which client-go leaves out.
//
// # Usage
//
// Most components do not need this package. A component that uses k8s.io/client-go/tools/record
// changes its import to package clientgo/record of this module, which has every name of
// tools/record. New code records with package events or adapter.
//
// Use this package in code that writes core/v1 Events and wants the counters and the Drain of this
// SDK:
//
//	broadcaster := legacy.NewBroadcaster()
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.Recorder(scheme.Scheme, corev1.EventSource{Component: "my-controller"})
//	recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "to %d replicas", 3)
//
// Some libraries take only a recorder of the old interface, such as client-go's leader election.
// [AsLegacy] converts a recorder of the new interface to the old interface, and [FromLegacy]
// converts in the other direction:
//
//	lock.LockConfig.EventRecorder = legacy.AsLegacy(recorder)
//
// # What differs from client-go
//
//   - Shutdown writes the queued Events, for at most the time of [events.WithDrainTimeout].
//   - Requests are encoded as protobuf unless the configuration of the client names another
//     encoding. client-go sends JSON. A 2xx answer without the Event is retried.
//   - A failed write is retried until the occurrence is an hour old. client-go gives up after
//     twelve attempts. WithSleepDuration of clientgo/record has no effect, because the writer has
//     its own back-off.
//   - If a queue is full, occurrences are dropped and counted. The caller never blocks.
//   - A panic of a sink, of a watcher or of a function in record.CorrelatorOptions is logged. With
//     client-go a panic of a watcher ends the process.
//   - No two Events have the same name. So the answer "already exists" means that an earlier
//     attempt was stored.
//   - The methods of [Recorder] drop an occurrence whose namespace is not a valid name of a
//     namespace, and leave out annotations that the server would refuse.
//   - The watches that StartRecordingToSink and the functions for watchers return send no Events.
//     Their channels are closed when they end.
//
// # Guarantees
//
// The guarantees of package events apply. For this package they mean:
//
//   - Order: the occurrences of one object are correlated and written in the order in which they
//     were recorded. With a custom KeyFunc the same holds for the occurrences in one namespace,
//     because a KeyFunc may count several objects in one Event. As in client-go, a patch has no
//     resourceVersion. So a patch that reaches the server after the client has given up the request
//     can replace the count with a lower one, until the next occurrence.
//   - Loss: every drop is counted by its reason in [Broadcaster.Stats].
//   - Blocking: recording never blocks and never starts a goroutine.
//   - Concurrency: everything is safe for concurrent use.
//   - Shutdown: before the first StartRecordingToSink or watcher there are no goroutines, except
//     while Flush runs.
//   - Memory: it is bounded. At most 16384 occurrences wait for the sinks, and a quarter of these
//     places is for Warnings alone. At most 1000 Events wait for a watcher. Occurrences for which
//     there is no place are dropped. The memory of the correlator is bounded as in client-go.
//
// # Testing
//
// To test code that takes an old recorder, pass it [AsLegacy] of a recorder of package
// [github.com/eventseries/eventseries/events/eventstest]. Unlike client-go's record.FakeRecorder,
// this recorder has no channel that can fill up. The Clientset of package eventstest stores core/v1
// Events, too, and applies the rules of the API server.
package legacy
