// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package recordevents has a broadcaster with the methods of k8s.io/client-go/tools/record, whose
// recorders have the methods of tools/events. It records through package adapter, so the Events go
// through events.k8s.io/v1 if the cluster serves that API.
//
//	NewBroadcaster ──▶ NewRecorder ──▶ Eventf of events.k8s.io ──┐
//	     │                                                       ├──▶ adapter ──▶ API server
//	     └────▶ StartRecordingToSink: the client behind a sink ──┘
//
// # Usage
//
// Use it in a component that was written for tools/record and whose calls have been migrated. The
// code that makes the broadcaster stays, except that NewBroadcaster, WithContext and
// EventBroadcaster come from this package:
//
//	broadcaster := recordevents.NewBroadcaster(recordevents.WithContext(ctx))
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "my-controller"})
//	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// The tool eventsmigrate migrates a component in this way. A component that keeps its calls imports
// clientgo/record instead. New code uses package adapter.
//
// # Guarantees
//
// The guarantees of package adapter about order, blocking, loss and shutdown hold here, too. Before
// StartRecordingToSink only watchers and logging have goroutines. Everything is safe for concurrent
// use.
//
// # Testing
//
// If code holds its broadcaster in a field of type [EventBroadcaster], a test can put another
// implementation into the field. Test code that takes a recorder with package
// [github.com/eventseries/eventseries/events/eventstest].
package recordevents
