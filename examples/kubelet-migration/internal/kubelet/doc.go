// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubelet is a small kubelet. It has the parts of a kubelet that decide which Events are recorded, and when.
//
//	Kubelet.Run ──pod──▶ worker of the pod ──▶ Runtime
//	                        │    ▲────changed────┘
//	                        └──▶ Recorder: Pulling, Started, BackOff, …
//
// [Runtime] is a container runtime in memory. A worker per pod pulls images, starts and restarts containers, and
// records what it does. Reasons, back-offs and the objects of Events are those of kubelet; the notes have other texts.
//
// All times come from package time, so that a kubelet also runs in a testing/synctest bubble.
package kubelet
