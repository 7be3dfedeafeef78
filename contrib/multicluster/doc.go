// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mcevents records Events in the clusters of a manager of sigs.k8s.io/multicluster-runtime.
//
//	provider ──▶ manager ──Engage──▶ [clusters.Set] ◀──[FromContext], For── Reconcile
//
// # Usage
//
// [ForManager] in main; set.Recorder(name) in a field of the reconciler, whose For takes
// req.ClusterName.String(). [FromContext] takes the context of ReconcilerWithClusterInContext.
//
// # Guarantees
//
//   - Blocking: as [clusters.Set], whose package also has what is said about loss and isolation.
//   - Shutdown: the manager drains all clusters when its controllers have ended.
//   - Concurrency: everything is safe for concurrent use.
//
// # Testing
//
// Give the reconciler a clusters.Set with a cluster of the test's.
package mcevents
