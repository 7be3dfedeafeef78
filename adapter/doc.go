// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package adapter records Events through whichever API the cluster serves and
// RBAC allows, and follows both while the component runs. It is what most
// components want:
//
//	a := adapter.New(ctx, client)
//	if err := a.Start(ctx); err != nil { … }
//	defer a.Shutdown()
//	recorder := a.NewRecorder("example.com/my-controller")
//	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// A controller-runtime manager starts its adapter, and drains it after its
// controllers:
//
//	recorder := adapter.RecorderFor(mgr, "my-controller")
//
// There is one cache of series and two ways to write them. Both API groups share
// one storage, so a switch converts nothing: the next write of a series goes
// through the other API, to the same object.
//
//	                        ┌──▶ sinks.EventsV1 ──▶ events.k8s.io/v1 ─┐
//	Recorder ──▶ series ──▶ route (per write)                         ├──▶ one object
//	         │              └──▶ sinks.CoreV1 ────▶ core/v1 ──────────┘
//	         └─▶ legacy (only while events.k8s.io/v1 is not served)
//
// # Which API
//
//	served               events.k8s.io/v1
//	nobody can tell      events.k8s.io/v1: every supported cluster has it, the first write tells
//	not served (a 404)   core/v1, through client-go's correlator unless WithFallback(FallbackSeries);
//	                     asked again every WithReprobeInterval
//
// In a namespace where RBAC refuses events.k8s.io/v1 and allows core/v1, that
// namespace alone is written through core/v1, and one line of the log has the
// RBAC that is missing. Where both are refused, events are kept and retried. What
// RBAC allows and is refused three times in a row all the same, by an admission
// plugin, is dropped as Rejected. Access is learnt from refused writes, never
// asked in advance.
//
// # Guarantees
//
//   - New does no I/O and starts no goroutine; one failed discovery call decides
//     nothing.
//   - A switch loses nothing and makes no duplicate.
//   - Drain and Shutdown end every goroutine, as in package events.
//   - The environment variable EVENTSERIES_API (auto, v1, core or legacy) wins
//     over [WithMode], so that an operator can roll back without a build.
package adapter
