// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventseries is the root of an SDK with which a Kubernetes component
// records Events: as events.k8s.io/v1 series where the cluster serves that API
// and RBAC allows it, as core/v1 Events where not. It coalesces repeats, retries,
// drains at shutdown, and accounts for every occurrence.
//
//	your code ──▶ adapter ──▶ events ──▶ sinks ──┬──▶ API server
//	                 │  └───▶ legacy ────────────┘
//	                 └──▶ discovery
//
// # Packages
//
//   - [github.com/eventseries/eventseries/adapter] records through whichever
//     Events API the cluster serves and RBAC allows. Begin there: most components
//     need no other package.
//   - [github.com/eventseries/eventseries/clusters] records in many clusters, with
//     an adapter for each.
//   - [github.com/eventseries/eventseries/events] records events.k8s.io/v1 series
//     alone.
//   - [github.com/eventseries/eventseries/legacy] records core/v1 Events,
//     correlated as client-go does, and bridges recorders of the old and the new shape.
//   - [github.com/eventseries/eventseries/clientgo/events] and
//     [github.com/eventseries/eventseries/clientgo/record] have every name of client-go's
//     tools/events and tools/record, for components that change their import alone.
//   - [github.com/eventseries/eventseries/clientgo/recordevents] has the broadcaster of
//     tools/record with the recorders of tools/events, for components that migrate their calls.
//   - [github.com/eventseries/eventseries/sinks] has the places where Events can be
//     written.
//   - [github.com/eventseries/eventseries/discovery] finds out what the cluster
//     serves and RBAC allows.
//   - [github.com/eventseries/eventseries/conditions] records an Event for each
//     condition of an object that changes.
//   - [github.com/eventseries/eventseries/debug] shows what an adapter holds, on a
//     page for operators.
//   - [github.com/eventseries/eventseries/events/eventstest] tests code that
//     records Events.
//   - [github.com/eventseries/eventseries/contrib/multicluster], a module of its own,
//     records in the clusters of a manager of multicluster-runtime.
//   - [github.com/eventseries/eventseries/contrib/otel], a module of its own, sends
//     Events to an OpenTelemetry pipeline.
//   - [github.com/eventseries/eventseries/contrib/prometheus], a module of its
//     own, exports what an adapter counts to Prometheus.
//
// Each has a page like this one: what it is, how it is used, what it guarantees,
// and how code that uses it is tested. This package only tells its [Version], to
// people and, by [WithUserAgent], to the API server.
package eventseries
