// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventseries is the root of an SDK for recording Kubernetes Events. It
// has no code of its own; start with one of
//
//   - [github.com/eventseries/eventseries/adapter]: records through whichever
//     Events API the cluster serves and RBAC allows. Most components want this.
//   - [github.com/eventseries/eventseries/events]: events.k8s.io/v1 series alone.
//   - [github.com/eventseries/eventseries/legacy]: core/v1 Events with client-go's
//     correlator, and bridges between the old and the new shape of recorders.
//   - [github.com/eventseries/eventseries/sinks]: where Events can be written.
//   - [github.com/eventseries/eventseries/discovery]: what the cluster serves and
//     RBAC allows.
//   - [github.com/eventseries/eventseries/events/eventstest]: test your own code
//     that records Events.
package eventseries
