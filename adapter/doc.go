// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package adapter records Events through whichever API the cluster serves and
// RBAC allows, and follows both while the component runs. It is what most
// components want, and the drop-in for client-go's EventBroadcasterAdapter.
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
// # Usage
//
//	broadcaster := adapter.New(ctx, client)
//	if err := broadcaster.Start(ctx); err != nil {
//		return err // what an option got wrong
//	}
//	defer broadcaster.Shutdown()
//	recorder := broadcaster.NewRecorder("example.com/my-controller")
//	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// One adapter serves a whole process. Give it a client of its own (QPS 50, burst
// 100, as kubelet has), so that events and the component's work do not wait for
// each other. A controller-runtime manager starts its adapter, with such a client,
// and drains it after its controllers:
//
//	recorder := adapter.RecorderFor(mgr, "my-controller")
//
// A component that uses client-go's adapter changes the import: every name that
// callers use is here. For leader election, which takes the old recorder only,
// there is [legacy.AsLegacy].
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
// RBAC allows and is refused three times and for a minute all the same, by a webhook
// or a policy, is dropped as Rejected, and what recurs is tried again as in package
// events; a webhook that gets ready in that time loses nothing. Access is learnt from
// refused writes, never asked in advance.
//
// The environment variable EVENTSERIES_API (auto, v1, core or legacy) wins over
// [WithMode], so that an operator can roll back without a build. Any other value
// is logged and ignored.
//
// # What it says
//
//   - [Adapter.Stats]: what became of each occurrence: recorded, pending, dropped
//     by reason.
//   - [Adapter.Status]: which API new events go through, and which namespaces
//     differ. [Adapter.Remedy] is the RBAC that is missing, for kubectl apply -f -.
//   - The log: one line when the API changes or RBAC refuses, and one when a
//     namespace is written as all others again.
//
// No method of these asks the server, so a health check or a scrape may call it.
//
// # Guarantees
//
//   - Order: as in package events, also when the API changes: a write that waits
//     goes through the new one, in its turn. While the legacy broadcaster takes
//     new occurrences, those of one object are written in their order.
//   - Blocking: New does no I/O, and Start does none in its caller's goroutine.
//     Recording never blocks, whatever the server answers.
//   - Isolation: as in package events; a namespace whose writes hang, fail or are
//     refused holds up no other.
//   - Loss: a switch loses nothing and makes no duplicate. One failed discovery
//     call decides nothing. Drops are counted by reason in [Adapter.Stats], in
//     which both broadcasters are added up.
//   - Shutdown: Drain and Shutdown end both broadcasters side by side, and every
//     goroutine, as in package events. After the end of Start's context what is
//     recorded is still written, until somebody calls Drain or Shutdown. If nobody
//     does within the longer drain timeout of both, the adapter does, and goroutines
//     are gone after twice that timeout and a second. None runs before Start or
//     StartStructuredLogging.
//   - Concurrency: everything is safe for concurrent use.
//   - Requests: one question to discovery at the start; another each
//     WithReprobeInterval while the API is not served, and each 30 seconds while
//     nobody can tell or a write is told that it is gone. Access reviews once a
//     minute and namespace at most, only where writes were refused. Where core/v1
//     takes what events.k8s.io/v1 refuses, one namespace asks whether that is still
//     so after 1, 2, 4, 8 and then every 10 minutes, and each of them every half
//     hour. RBAC for create and patch is enough.
//
// # Testing
//
// Package [github.com/eventseries/eventseries/events/eventstest] has what a
// component's tests need: NewRecorder for code that takes a recorder; NewClientset
// for the wiring, which ServeEventsV1(false) makes an old cluster, to which
// Authorize gives RBAC, and which tells through which API an Event came; and
// VerifyRBAC, which fails when a project's manifests do not let it record.
package adapter
