// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package pleg generates pod lifecycle events: it tells a kubelet which pods to
// look at because something about their containers changed.
//
//	runtime ──list──▶ Generic ──▶ records: diff(old, current) ──▶ Events()
//	   └─────stream──▶ Evented ──────▲            └──▶ Cache: status of each pod
//
// [Generic] lists all pods on a period and compares what it finds with what it
// last reported. [Evented] consumes the event stream of the runtime and uses a
// Generic underneath, which then lists far less often. After a number of stream
// failures the short period applies again, until the stream delivers.
//
// # Guarantees
//
//   - The records of the pods have one owner, the goroutine in [Generic.Run].
//     The stream only hands it snapshots, so the two ways of seeing a change
//     can not report it twice, and no lock is held across a call to the runtime.
//   - A status is in the [Cache] before the event that announces it is sent.
//   - A change is reported once its status was read. A pod that could not be
//     inspected is inspected again after the short period, and so is one whose
//     event did not fit into the channel.
//   - A container that was created, ran and was removed between two listings is
//     not seen at all. The kubelet therefore keeps one dead container.
//   - Run returns when its context ends, and no goroutine is left then.
package pleg
