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

// ForManager returns a set with all clusters that mgr engages, and with mgr's own cluster, whose
// name is the empty string. Call it once, before mgr starts. The manager drains the set after its
// controllers have returned, so the caller need not.
//
// The scheme and the logger are mgr's, unless opts have others. ForManager returns an error if
// mgr's own configuration or an option is invalid.
func ForManager(mgr mcmanager.Manager, opts ...adapter.Option) (*clusters.Set, error) {
	local := mgr.GetLocalManager()
	set := clusters.New(context.Background(), append([]adapter.Option{
		events.WithScheme(local.GetScheme()),
		events.WithLogger(mgr.GetLogger()),
	}, opts...)...)
	r := &runnable{set: set, cache: local.GetCache}
	// The context never ends. The manager's own cluster ends with the drain of the set.
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

// FromContext returns the recorder for the cluster in ctx, which ReconcilerWithClusterInContext
// sets. If ctx has no cluster, the Events are dropped as UnknownCluster. They are not written to
// mgr's own cluster.
func FromContext(ctx context.Context, recorder *clusters.Recorder) *events.Recorder {
	name, ok := mccontext.ClusterFrom(ctx)
	if !ok {
		return recorder.For("(none in the context)")
	}
	return recorder.For(name.String())
}

// runnable passes the clusters of a manager to the set, and drains the set at the end. It has the
// method GetCache because controller-runtime stops a runnable with a cache only after all
// controllers have returned.
type runnable struct {
	set   *clusters.Set
	cache func() cache.Cache
}

var _ mcmanager.Runnable = (*runnable)(nil)

// Engage implements mc.Aware.
func (r *runnable) Engage(ctx context.Context, name mc.ClusterName, cl cluster.Cluster) error {
	return r.set.Engage(ctx, name.String(), cl.GetConfig())
}

// GetCache returns the cache of the manager. By this method controller-runtime recognises a runnable
// with a cache.
func (r *runnable) GetCache() cache.Cache { return r.cache() }

// NeedLeaderElection returns false, because a replica that is not the leader records Events, too.
func (r *runnable) NeedLeaderElection() bool { return false }

// Start waits for the end of ctx, and then drains all clusters. All controllers have returned by
// then.
func (r *runnable) Start(ctx context.Context) error {
	<-ctx.Done()
	r.set.Shutdown()
	return nil
}
