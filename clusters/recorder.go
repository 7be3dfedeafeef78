// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters

import (
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/timing"
)

// Recorder records in many clusters as one reporting controller. Get one from
// [Set.Recorder]. It is safe for concurrent use.
type Recorder struct {
	set        *Set
	controller string
	unknown    *events.Recorder // counts what is recorded for unknown clusters
}

// For returns the recorder for the cluster that is engaged under that name now. It is made
// to be called for each Event, and costs two look-ups. A recorder that is kept stays with
// that engagement: after its end its Events are dropped as Stopped, which is logged, and
// are not in the accounts of the Set. If there is no such cluster, they are dropped as
// UnknownCluster, and For logs that once an hour and name.
func (r *Recorder) For(cluster string) *events.Recorder {
	s := r.set
	if m := s.find(cluster); m != nil {
		return m.recorder(r.controller)
	}
	s.log.Do("unknown cluster", cluster, timing.ClusterLogEvery, func() {
		s.config.Logger.Error(nil, "Event dropped: the cluster is not engaged; "+
			"call Engage before its Events, or find who records for it", "advice", "unknown-cluster",
			"cluster", cluster, "controller", r.controller)
	})
	return r.unknown
}

// recorder returns the recorder of m for a controller. The first one starts the adapter. Of
// several calls at the same time all return the same one.
func (m *member) recorder(controller string) *events.Recorder {
	if known, ok := m.recorders.Load(controller); ok {
		return known.(*events.Recorder)
	}
	// Only the first Start has an effect. The options are valid. An adapter that has ended counts its
	// Events as Stopped.
	_ = m.adapter.Start(m.ctx)
	first, _ := m.recorders.LoadOrStore(controller, m.adapter.Recorder(controller))
	return first.(*events.Recorder)
}
