// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubelet is a small kubelet. It has the parts of a kubelet that decide which Events are recorded, and when.
//
//	Runtime ──list──▶ PLEG ──Event──▶ Kubelet.Run ──wake──▶ worker of the pod ──▶ Runtime
//	   └────stream──▶   └──▶ Cache ──GetNewerThan──────────────▶   └──▶ Recorder: Pulling, Started, BackOff, …
//
// [Runtime] is a container runtime in memory. [PLEG], the pod lifecycle event generator, finds out what changed in it:
// the generic one lists all pods each second, the evented one follows the runtime's event stream and lists when the
// stream fails. A worker per pod pulls images, starts and restarts containers, and records what it does.
//
// Reasons, back-offs and the objects of Events are those of kubelet. Two things differ: the evented PLEG returns to the
// stream when that works again, and the notes have other texts.
//
// All times come from package time, so that a kubelet also runs in a testing/synctest bubble.
package kubelet
