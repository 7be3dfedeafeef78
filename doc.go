// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventseries is the root of a Go SDK with which a Kubernetes component records Events. It
// takes the place of the recorders of client-go and controller-runtime. The SDK counts a repeated
// occurrence in the Event that is already stored, retries writes for an hour, writes pending Events
// when the component shuts down, and accounts for every occurrence.
//
// Begin with package adapter, whose comment says why and when to use the SDK, and has the first
// program. The packages depend on each other like this:
//
//	your code ──▶ adapter ──▶ events ──▶ sinks ──┬──▶ API server
//	                 │  └───▶ legacy ────────────┘
//	                 └──▶ discovery
//
// # Packages to record Events
//
//   - [github.com/eventseries/eventseries/adapter] records through whichever API for Events the
//     cluster serves and RBAC allows. Most components need no other package.
//   - [github.com/eventseries/eventseries/clusters] records in many clusters, with an adapter for
//     each of them.
//   - [github.com/eventseries/eventseries/conditions] records an Event for each condition of an
//     object that has changed.
//   - [github.com/eventseries/eventseries/events] records through events.k8s.io/v1 alone. It has the
//     options that all recorders share.
//   - [github.com/eventseries/eventseries/sinks] has the destinations for Events: both APIs, a
//     stream of JSON, and combinations of sinks.
//   - [github.com/eventseries/eventseries/contrib/multicluster], a module of its own, records in the
//     clusters of a manager of multicluster-runtime.
//
// # Packages to migrate from client-go
//
//   - [github.com/eventseries/eventseries/clientgo/events] has every name of client-go's
//     tools/events, for a component that changes only its import.
//   - [github.com/eventseries/eventseries/clientgo/record] has every name of client-go's
//     tools/record, for a component that changes only its import.
//   - [github.com/eventseries/eventseries/clientgo/recordevents] has the broadcaster of tools/record
//     with the recorders of tools/events, for a component that changes its calls.
//   - [github.com/eventseries/eventseries/legacy] records core/v1 Events as client-go's correlator
//     makes them, and converts recorders between the old and the new interface.
//
// # Packages to operate, test and read
//
//   - [github.com/eventseries/eventseries/debug] serves a page with the state of an adapter.
//   - [github.com/eventseries/eventseries/discovery] asks which API for Events the cluster serves
//     and what RBAC allows, and returns the missing RBAC.
//   - [github.com/eventseries/eventseries/contrib/prometheus], a module of its own, exports the
//     accounts of an adapter to Prometheus.
//   - [github.com/eventseries/eventseries/contrib/otel], a module of its own, sends Events to an
//     OpenTelemetry pipeline.
//   - [github.com/eventseries/eventseries/events/eventstest] tests code that records Events.
//   - [github.com/eventseries/eventseries/eventview] reads Events of any writer, and counts what is
//     new in them.
//   - [github.com/eventseries/eventseries/eventview/incident] joins the Events of one cause.
//
// The comment of each package says what it is for, how to use it, what it guarantees, and how to
// test code that uses it. This package itself tells only its [Version], to people and, by
// [WithUserAgent], to the API server.
package eventseries
