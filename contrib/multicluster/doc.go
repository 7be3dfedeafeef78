// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mcevents records Events in the clusters of a manager of sigs.k8s.io/multicluster-runtime.
//
//	provider ──▶ manager ──Engage──▶ [clusters.Set] ◀──[FromContext], For── Reconcile
//
// # Usage
//
// Call [ForManager] in main, before the manager starts. Store set.Recorder(name) in a field of the
// reconciler. In Reconcile, call its method For with req.ClusterName.String(). With
// ReconcilerWithClusterInContext, call [FromContext] instead.
//
// # Guarantees
//
// Everything that [clusters.Set] and its package guarantee about blocking, loss and isolation. In
// addition:
//
//   - Shutdown: the manager drains all clusters after its controllers have returned.
//   - Concurrency: everything is safe for concurrent use.
//
// # Testing
//
// Give the reconciler a clusters.Set in which the test has engaged a cluster of its own.
package mcevents
