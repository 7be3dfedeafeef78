// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubelet is the part of a kubelet that turns pod lifecycle events into
// Events: a sync loop, a worker per pod, images, containers and their back-off.
//
//	PLEG ──event──▶ sync loop ──wake──▶ worker of the pod ──▶ runtime
//	                                        ├──▶ Recorder (Pulling, Started, BackOff, …)
//	                                        └──▶ Pods (status writes)
//
// It behaves as kubelet does where that is visible in Events: which reasons,
// about what (the container, by field path), how often, and with which
// back-offs. Each event has an action, and the node as its related object.
package kubelet
