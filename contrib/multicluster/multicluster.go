// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package mcevents

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	mccontext "sigs.k8s.io/multicluster-runtime/pkg/context"
	mcmanager "sigs.k8s.io/multicluster-runtime/pkg/manager"
	mc "sigs.k8s.io/multicluster-runtime/pkg/multicluster"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/events"
)

// ForManager returns the clusters that mgr engages, and mgr's own, whose name is empty. It must
// be called once, before mgr starts, which drains them after its controllers. By default the
// scheme and the logger are mgr's. The error is about mgr's own configuration, or an option.
func ForManager(mgr mcmanager.Manager, opts ...adapter.Option) (*clusters.Set, error) {
	local := mgr.GetLocalManager()
	set := clusters.New(context.Background(), append([]adapter.Option{
		events.WithScheme(local.GetScheme()),
		events.WithLogger(mgr.GetLogger()),
	}, opts...)...)
	r := &runnable{set: set, cache: local.GetCache}
	// The manager's own cluster has no end: the drain ends it.
	err := set.Engage(context.Background(), mcmanager.LocalCluster.String(), local.GetConfig())
	if err == nil {
		err = mgr.Add(r)
	}
	if err != nil {
		set.Shutdown()
		return nil, fmt.Errorf("mcevents: %w", err)
	}
	return set, nil
}

// FromContext returns the recorder for the cluster that ctx is about, as
// ReconcilerWithClusterInContext sets it. Events of a context without a cluster count as
// UnknownCluster, and do not go to mgr's own.
func FromContext(ctx context.Context, recorder *clusters.Recorder) *events.Recorder {
	name, ok := mccontext.ClusterFrom(ctx)
	if !ok {
		return recorder.For("(none in the context)")
	}
	return recorder.For(name.String())
}

// runnable engages the clusters of a manager, and drains them. It has a cache because
// controller-runtime ends runnables with one when all controllers have returned.
type runnable struct {
	set   *clusters.Set
	cache func() cache.Cache
}

var _ mcmanager.Runnable = (*runnable)(nil)

// Engage implements mc.Aware.
func (r *runnable) Engage(ctx context.Context, name mc.ClusterName, cl cluster.Cluster) error {
	return r.set.Engage(ctx, name.String(), cl.GetConfig())
}

// GetCache returns the cache of the manager.
func (r *runnable) GetCache() cache.Cache { return r.cache() }

// NeedLeaderElection returns false: what runs without leadership records Events, too.
func (r *runnable) NeedLeaderElection() bool { return false }

// Start drains all clusters when ctx ends. Everything that records has returned by then.
func (r *runnable) Start(ctx context.Context) error {
	<-ctx.Done()
	r.set.Shutdown()
	return nil
}
