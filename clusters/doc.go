// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clusters records Events in many clusters, in each through an adapter of its own.
//
//	              ┌──▶ Adapter of east ──▶ API server
//	Recorder.For ─┼──▶ Adapter of west ──▶ API server
//	              └──▶ unknown clusters: counted, and written nowhere
//
// # Usage
//
//	set := clusters.New(ctx)
//	if err := set.Engage(ctx, "east", config); err != nil {
//		return err // what the configuration or an option got wrong
//	}
//	defer set.Shutdown()
//	recorder := set.Recorder("example.com/my-controller") // one for all clusters
//	recorder.For("east").Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// With multicluster-runtime there is contrib/multicluster, which engages the clusters of a manager.
//
// # Guarantees
//
// All of package adapter, in each cluster. Besides:
//
//   - Order: none between clusters.
//   - Blocking: no method waits for a cluster, except Disengage, Drain and Shutdown.
//   - Isolation: each cluster has its own client, limits, back-off, API and accounts. So a cluster
//     that hangs or is gone delays no other.
//   - Loss: an Event goes to the cluster that it is recorded for, or nowhere. Without such a cluster it
//     counts as events.DropUnknownCluster.
//   - Memory: events.WithMaxSeries bounds the series of each cluster. With many clusters that may be
//     gone at the same time, set it lower.
//   - Shutdown: Drain and Shutdown end all clusters side by side, and every goroutine.
//   - Concurrency: everything is safe for concurrent use.
//
// # Testing
//
// Engage a cluster of the test's, such as a server of net/http/httptest.
package clusters
