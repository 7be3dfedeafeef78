// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters

import (
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/timing"
)

// Recorder records Events in many clusters for one reporting controller. Get one from
// [Set.Recorder]. It is safe for concurrent use.
type Recorder struct {
	set        *Set
	controller string
	// unknown counts occurrences for clusters that are not engaged.
	unknown *events.Recorder
}

// For returns the recorder for the cluster that is currently engaged under the name cluster. Call
// it for each Event; it is cheap and never blocks.
//
// The recorder belongs to the current engagement of the cluster. After this engagement has ended,
// the recorder drops every occurrence as Stopped and logs the drop. The Stats of the Set do not
// count these occurrences.
//
// If no cluster is engaged under that name, the recorder drops every occurrence as UnknownCluster,
// and For logs this at most once an hour for each name.
func (r *Recorder) For(cluster string) *events.Recorder {
	s := r.set
	if m := s.find(cluster); m != nil {
		return m.recorder(r.controller)
	}
	s.log.Do("unknown cluster", cluster, timing.ClusterLogEvery, func() {
		s.config.Logger.Error(nil, "Event dropped: the cluster is not engaged; "+
			"call Engage before its first Event, or correct its name", "advice", "unknown-cluster",
			"cluster", cluster, "controller", r.controller)
	})
	return r.unknown
}

// recorder returns the recorder of m for a controller. The first call starts the adapter. All calls
// for one controller return the same recorder, even concurrent ones.
func (m *member) recorder(controller string) *events.Recorder {
	if known, ok := m.recorders.Load(controller); ok {
		return known.(*events.Recorder)
	}
	// The error is ignored: only the first Start has an effect, and Engage has validated the
	// options. If the adapter has ended, occurrences count as Stopped.
	_ = m.adapter.Start(m.ctx)
	first, _ := m.recorders.LoadOrStore(controller, m.adapter.Recorder(controller))
	return first.(*events.Recorder)
}
