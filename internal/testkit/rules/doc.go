// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rules holds what a kube-apiserver v1.36 checks about an Event, without a server.
//
//	request ──▶ eventconv.ToCore ──▶ ValidateCreate / ValidateUpdate ──▶ nil or the 422 the server answers
//
// Both API groups are views of one stored object, and the server validates that stored shape, which is core/v1. So the
// rules take a *corev1.Event and the group version the request came through, and the errors name the core/v1 fields
// (message, involvedObject, …) even to a client of events.k8s.io/v1.
//
// The functions are pure: they keep and change nothing and are safe for concurrent use. Every rule was compared with a
// real kube-apiserver v1.36.3. What the server checks with its state (duplicate names, resource versions) is not a rule
// of the object; this package only shapes those answers, so that they satisfy the predicates of
// k8s.io/apimachinery/pkg/api/errors and carry the details the real ones carry.
package rules
