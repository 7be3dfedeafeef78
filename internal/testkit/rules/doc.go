// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rules validates Events as a kube-apiserver v1.36 does, without a server.
//
//	request ──▶ eventconv.ToCore ──▶ ValidateCreate / ValidateUpdate ──▶ nil or the 422 that the server answers
//
// The server stores one object, which has the shape of core/v1, and validates that object whichever
// API group a request came through. Therefore the functions take a *corev1.Event and the group
// version of the request. The errors name core/v1 fields (message, involvedObject, …), even if the
// client has used events.k8s.io/v1.
//
// Every rule was compared with a real kube-apiserver v1.36.3. This package does not make checks
// that need the server's state, such as the check for a duplicate name. It only provides the errors
// for them, with the same details as the server's errors, so that the predicates of
// k8s.io/apimachinery/pkg/api/errors recognize them.
//
// The functions are pure and safe for concurrent use. They neither modify nor retain their
// arguments.
package rules
