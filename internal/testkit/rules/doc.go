// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rules validates Events as kube-apiserver does, without a server.
//
//	request ──▶ eventconv.ToCore ──▶ ValidateCreate / ValidateUpdate ──▶ nil or the 422 that the server answers
//
// The server stores one object, which has the shape of core/v1, and validates that object whichever
// API group a request came through. Therefore the functions take a *corev1.Event and the group
// version of the request. The errors name core/v1 fields (message, involvedObject, …), even if the
// client has used events.k8s.io/v1.
//
// [Table] has the rules as data. Tests compare it with this package, with the server's code in the
// version of test/controlplane/go.mod, and with a kube-apiserver. test/compat/run.sh runs the last
// comparison, TestRules of test/e2e, with each supported minor of Kubernetes.
//
// # Differences between minors
//
// The rules of the table are the same in the server's code of Kubernetes 1.35.4, 1.36.3, 1.37.2 and
// 1.38.0-beta.0. Outside of the table, the code of these versions differs in two answers:
//
//   - Up to 1.36, a namespace that is no DNS subdomain was a violation of the field namespace, too
//     (kubernetes#139505). No request can break that rule, because the namespace must exist.
//   - Up to 1.36, an owner without an apiVersion, kind, name or UID was an invalid value. Since
//     1.37, it is a required value that is missing.
//
// # What is left to the caller
//
// This package does not make checks that need the server's state, such as the check for a duplicate
// name. It only provides the errors for them, with the same details as the server's errors, so that
// the predicates of k8s.io/apimachinery/pkg/api/errors recognize them.
//
// The functions are pure and safe for concurrent use. They neither modify nor retain their
// arguments.
package rules
