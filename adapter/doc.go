// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package adapter records Events through whichever API the cluster serves and
// RBAC allows, and follows both while the component runs. It is what most
// components want. Package clientgo/events has client-go's EventBroadcasterAdapter over it.
//
// There is one cache of series and two ways to write them. Both API groups share
// one storage, so a switch converts nothing: the next write of a series goes
// through the other API, to the same object.
//
//	                        ┌──▶ sinks.EventsV1 ──▶ events.k8s.io/v1 ─┐
//	Recorder ──▶ series ──▶ route (per write)                         ├──▶ one object
//	         │              └──▶ sinks.CoreV1 ────▶ core/v1 ──────────┘
//	         └─▶ client-go's correlator (in ModeLegacy, and while events.k8s.io/v1 is not served)
//
// # Usage
//
//	a := adapter.New(ctx, client)
//	if err := a.Start(ctx); err != nil {
//		return err // what an option got wrong
//	}
//	defer a.Shutdown()
//	recorder := a.Recorder("example.com/my-controller")
//	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// One adapter serves a whole process. Give it a client of its own (QPS 50, burst
// 100, as kubelet has), so that events and the component's work do not wait for
// each other. A controller-runtime manager starts its adapter, with such a client,
// and drains it after its controllers:
//
//	recorder := adapter.RecorderFor(mgr, "my-controller")
//
// A controller of many clusters has an adapter for each, and one recorder: package clusters.
//
// A component that uses client-go's tools/events changes its import to clientgo/events of this
// module, which has every name of it. A component that uses client-go's tools/record finds its broadcaster,
// with the new recorders, in clientgo/recordevents. Code that takes the old recorder only, such as leader
// election, gets one by [legacy.AsLegacy].
//
// # Which API
//
//	discovery says          Events go through
//	served                  events.k8s.io/v1
//	no answer yet           events.k8s.io/v1: every supported cluster has it, and a 404 to a write corrects it
//	not served (a 404)      core/v1, correlated as client-go does; as series in ModeCoreV1;
//	                        discovery is asked again every five minutes
//
// RBAC may allow core/v1 and refuse events.k8s.io/v1 in some namespaces. Those are
// written through core/v1, and the log has the missing RBAC. Where RBAC refuses
// both, Events are kept and retried. A webhook or a policy may refuse an Event that RBAC
// allows. After at least three refusals in a row, over at least a minute, the Event is
// dropped as Rejected. Later occurrences are tried again as in package events. The
// adapter learns about access from refused writes and never asks in advance.
//
// The environment variable EVENTSERIES_API (auto, v1, core or legacy) wins over
// [WithMode], so that an operator can roll back without a build. Any other value
// is logged and ignored.
//
// # Observability
//
//   - [Adapter.Stats]: what became of each occurrence: recorded, pending, dropped
//     by reason.
//   - [Adapter.Snapshot]: which API new events go through, which namespaces
//     differ, what waits and why. [Snapshot.Remedy] is the missing RBAC, for kubectl
//     apply -f -.
//   - The log: one line when the API changes, when RBAC refuses a namespace, and
//     when a namespace returns to events.k8s.io/v1.
//
// Neither method sends a request, so health checks and scrapes may call them.
//
// # Guarantees
//
//   - Order: as in package events, also when the API changes. What is
//     correlated is written in the order of its object.
//   - Blocking: New does no I/O, and Start does none in its caller's goroutine.
//     Recording never blocks, whatever the server answers.
//   - Isolation: as in package events. A namespace whose writes hang, fail or are
//     refused holds up no other.
//   - Loss: a switch loses nothing and makes no duplicate. A failed discovery
//     request switches nothing. [Adapter.Stats] counts drops by reason.
//   - Shutdown: Drain and Shutdown end every goroutine, as in package events. After
//     the end of Start's context occurrences are still written, until Drain or Shutdown is called. Without such a call
//     the adapter shuts itself down after the drain timeout, and its goroutines are
//     gone after twice that timeout and a second. Before Start or StartStructuredLogging
//     goroutines run only while Flush does.
//   - Concurrency: everything is safe for concurrent use.
//   - Requests: one to discovery at the start, one every five minutes while
//     the API is not served, and one every 30 seconds while discovery has not
//     answered or writes get a 404. After a refused write, a namespace is reviewed at
//     most once a minute. While namespaces go through core/v1 because only that is
//     allowed, one of their writes is sent to events.k8s.io/v1 first, on behalf of all,
//     after 1, 2, 4, 8 and then every 10 minutes. Each of these namespaces also does so
//     every half hour. RBAC for create and patch is enough.
//
// # Testing
//
// Package [github.com/eventseries/eventseries/events/eventstest] has what a
// component's tests need:
//
//   - NewRecorder, for code that takes a recorder.
//   - NewClientset, for the wiring. ServeEventsV1(false) makes it an old cluster,
//     Authorize sets RBAC, and Writes shows which API was used.
//   - VerifyRBAC, which fails when a project's manifests do not let it record.
package adapter
