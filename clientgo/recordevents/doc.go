// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package recordevents has the broadcaster of k8s.io/client-go/tools/record with the recorders of
// tools/events. It records through package adapter.
//
//	NewBroadcaster ──▶ NewRecorder ──▶ Eventf of events.k8s.io ──┐
//	     │                                                       ├──▶ adapter ──▶ API server
//	     └────▶ StartRecordingToSink: the client behind a sink ──┘
//
// # Usage
//
// A component whose calls are to move to the new Event API keeps its wiring. Its NewBroadcaster,
// WithContext and EventBroadcaster are those of this package, and its recorders have the new type:
//
//	broadcaster := recordevents.NewBroadcaster(recordevents.WithContext(ctx))
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "my-controller"})
//	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// eventsmigrate rewrites the calls. A component that keeps its calls, too, imports clientgo/record. New
// code has package adapter.
//
// # Guarantees
//
// All of package adapter, for order, blocking, loss and shutdown. Before StartRecordingToSink there is
// no goroutine, unless a watcher or a log has one. Everything is safe for concurrent use.
//
// # Testing
//
// A field of type [EventBroadcaster] takes another one in a test. Code that takes a recorder is tested
// with package [github.com/eventseries/eventseries/events/eventstest].
package recordevents
