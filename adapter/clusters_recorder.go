// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"github.com/eventseries/eventseries/internal/timing"
)

// ClustersRecorder records in many clusters as one reporting controller. Get one from
// [Clusters.Recorder]. It is safe for concurrent use.
type ClustersRecorder struct {
	clusters   *Clusters
	controller string
	unknown    *Recorder // counts what is recorded for unknown clusters
}

// For returns the recorder for the cluster that is engaged under that name now. It is made
// to be called for each Event, and costs two look-ups. A recorder that is kept stays with
// that engagement: after its end its Events are dropped as Stopped, which is logged, and
// are not in the accounts of Clusters. If there is no such cluster, they are dropped as
// UnknownCluster, and For logs that once an hour and name.
func (r *ClustersRecorder) For(cluster string) *Recorder {
	c := r.clusters
	if m := c.find(cluster); m != nil {
		return m.recorder(r.controller)
	}
	c.log.Do("unknown cluster", cluster, timing.ClusterLogEvery, func() {
		c.config.Logger.Error(nil, "Event dropped: the cluster is not engaged; "+
			"call Engage before its Events, or find who records for it", "advice", "unknown-cluster",
			"cluster", cluster, "controller", r.controller)
	})
	return r.unknown
}

// recorder returns the recorder of m for a controller. The first one starts the adapter. Of
// several calls at the same time all return the same one.
func (m *member) recorder(controller string) *Recorder {
	if known, ok := m.recorders.Load(controller); ok {
		return known.(*Recorder)
	}
	// Only the first Start has an effect. The options are valid. An adapter that has ended counts its
	// Events as Stopped.
	_ = m.adapter.Start(m.ctx)
	first, _ := m.recorders.LoadOrStore(controller, m.adapter.Recorder(controller))
	return first.(*Recorder)
}
