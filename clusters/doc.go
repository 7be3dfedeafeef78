// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clusters records Events in many clusters. Each cluster has its own adapter.
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
//	recorder.For("east").Eventf(deployment, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// To engage a cluster means to tell the set that Events may be recorded for it. With
// multicluster-runtime, contrib/multicluster engages all clusters of a manager.
//
// # Guarantees
//
// All guarantees of package adapter hold for each cluster. In addition:
//
//   - Order: there is none between clusters.
//   - Blocking: no method waits for a cluster, except Disengage, Drain and Shutdown.
//   - Isolation: each cluster has its own client, rate limit, back-off, API and counts. Therefore a
//     cluster that hangs or is gone delays no other.
//   - Loss: an Event is written to the cluster for which it is recorded, or nowhere. If that
//     cluster is not engaged, it is dropped as events.DropUnknownCluster.
//   - Memory: events.WithMaxSeries limits the series of each cluster separately. If many clusters
//     may be gone at the same time, set a lower limit.
//   - Shutdown: Drain and Shutdown drain all clusters concurrently, and end all goroutines.
//   - Concurrency: everything is safe for concurrent use.
//
// # Testing
//
// Engage a cluster of the test, for example a server of net/http/httptest.
package clusters
