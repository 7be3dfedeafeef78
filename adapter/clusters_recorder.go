// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

// ClustersRecorder records in many clusters as one reporting controller. Get one from
// [Clusters.Recorder]. It is safe for concurrent use.
type ClustersRecorder struct {
	clusters   *Clusters
	controller string
	unknown    *events.Recorder // counts what is recorded for unknown clusters
	unnamed    *clusterRecorder // for contexts without a cluster

	mu    sync.RWMutex                // guards known
	known map[string]*clusterRecorder // for engaged clusters
}

func newClustersRecorder(c *Clusters, controller string) *ClustersRecorder {
	r := &ClustersRecorder{
		clusters: c, controller: controller, known: map[string]*clusterRecorder{},
		unknown: c.unknown.NewRecorder(c.config.scheme, controller).(*events.Recorder),
	}
	r.unnamed = &clusterRecorder{parent: r, controller: controller, unnamed: true}
	return r
}

// For returns the recorder for a cluster. It may be called for each Event, and may be
// called before the cluster is engaged. A recorder that is kept records to whatever
// cluster has that name. While none has, its Events are dropped as UnknownCluster, and
// that is logged once an hour. The recorder has the methods of [*Recorder].
func (r *ClustersRecorder) For(cluster string) clientevents.EventRecorderLogger {
	r.mu.RLock()
	known := r.known[cluster]
	r.mu.RUnlock()
	if known != nil {
		return known
	}
	return r.add(strings.Clone(cluster))
}

// FromContext returns the recorder for the cluster that the function of
// [WithClusterFromContext] finds in ctx. Events of a context without a cluster are dropped
// as UnknownCluster.
func (r *ClustersRecorder) FromContext(ctx context.Context) clientevents.EventRecorderLogger {
	if find := r.clusters.config.clusterFrom; find != nil {
		if cluster, ok := find(ctx); ok {
			return r.For(cluster)
		}
	}
	return r.unnamed
}

// add returns a new recorder for a cluster, and keeps it if that is engaged: unknown names
// are as many as callers make up.
func (r *ClustersRecorder) add(cluster string) *clusterRecorder {
	c := r.clusters
	c.mu.Lock()
	defer c.mu.Unlock()
	added := &clusterRecorder{parent: r, cluster: cluster, controller: r.controller}
	if c.engaged[cluster] == nil {
		return added
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.known[cluster]; known != nil {
		return known
	}
	r.known[cluster] = added
	return added
}

func (r *ClustersRecorder) forget(cluster string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, cluster)
}

// clusterRecorder records to whatever cluster has the name.
type clusterRecorder struct {
	parent              *ClustersRecorder
	cluster, controller string
	unnamed             bool                      // there is no cluster
	derive              func(*Recorder) *Recorder // nil: none of the With methods was called
	target              atomic.Pointer[recording] // nil until the first Event
}

// recording is where a clusterRecorder records to.
type recording struct {
	member *member
	*Recorder
}

var (
	_ clientevents.EventRecorderLogger = (*clusterRecorder)(nil)
	_ events.AnnotatedEventRecorder    = (*clusterRecorder)(nil)
)

// enter returns where to record to, until leave is called.
func (r *clusterRecorder) enter() (to *Recorder, m *member) {
	c := r.parent.clusters
	if t := r.target.Load(); t != nil && t.member.enter(c) {
		return t.Recorder, t.member
	}
	if !r.unnamed {
		c.mu.Lock()
		m = c.engaged[r.cluster]
		c.mu.Unlock()
	}
	if m == nil || !m.enter(c) {
		c.logUnknown(r)
		return r.derived(r.parent.unknown), nil
	}
	t := &recording{member: m, Recorder: r.derived(m.adapter.NewRecorder(r.controller).(*Recorder))}
	r.target.Store(t)
	return t.Recorder, m
}

// leave ends what enter began. m may be nil.
func (r *clusterRecorder) leave(m *member) {
	if m != nil {
		m.leave(r.parent.clusters)
	}
}

func (r *clusterRecorder) derived(from *Recorder) *Recorder {
	if r.derive == nil {
		return from
	}
	return r.derive(from)
}

// with returns a recorder that applies one more With method.
func (r *clusterRecorder) with(
	derive func(*Recorder) clientevents.EventRecorderLogger,
) clientevents.EventRecorderLogger {
	return &clusterRecorder{
		parent: r.parent, cluster: r.cluster, controller: r.controller, unnamed: r.unnamed,
		derive: func(from *Recorder) *Recorder { return derive(r.derived(from)).(*Recorder) },
	}
}

// Eventf is [Recorder.Eventf].
func (r *clusterRecorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	to, m := r.enter()
	defer r.leave(m)
	to.Eventf(regarding, related, eventtype, reason, action, note, args...)
}

// AnnotatedEventf is [Recorder.AnnotatedEventf].
func (r *clusterRecorder) AnnotatedEventf(
	regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	to, m := r.enter()
	defer r.leave(m)
	to.AnnotatedEventf(regarding, related, annotations, eventtype, reason, action, note, args...)
}

// Event is [Recorder.Event].
func (r *clusterRecorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	to, m := r.enter()
	defer r.leave(m)
	to.Event(regarding, related, eventtype, reason, action, note)
}

// WithLogger is [Recorder.WithLogger].
func (r *clusterRecorder) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	return r.with(func(from *Recorder) clientevents.EventRecorderLogger { return from.WithLogger(logger) })
}

// WithNotes is [Recorder.WithNotes].
func (r *clusterRecorder) WithNotes(policy events.NotePolicy) clientevents.EventRecorderLogger {
	return r.with(func(from *Recorder) clientevents.EventRecorderLogger { return from.WithNotes(policy) })
}

// WithContext is [Recorder.WithContext], but that the result keeps ctx.
func (r *clusterRecorder) WithContext(ctx context.Context) clientevents.EventRecorderLogger {
	if unknown := r.parent.unknown; unknown.WithContext(ctx) == clientevents.EventRecorderLogger(unknown) {
		return r // contexts have no annotations
	}
	return r.with(func(from *Recorder) clientevents.EventRecorderLogger { return from.WithContext(ctx) })
}

// WithLabels is [Recorder.WithLabels].
func (r *clusterRecorder) WithLabels(labels map[string]string) clientevents.EventRecorderLogger {
	labels = maps.Clone(labels)
	return r.with(func(from *Recorder) clientevents.EventRecorderLogger { return from.WithLabels(labels) })
}
