// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/stats"
)

// Clusters records Events in many clusters, in each through an [Adapter] of its own: with
// its own client, limits, back-off, API and accounts. So a cluster that hangs or is gone
// delays no other. What they share is the bound on series: WithMaxSeries is that of all
// clusters together. While it is not reached, each cluster keeps what it needs. Then each has
// an equal share: one below its share takes a slot from the largest, and one at its share
// evicts its own series. An eviction counts where the series was.
//
// An Event goes to the cluster that it is recorded for, or nowhere. Make a Clusters with
// [NewClusters], tell it which clusters there are by Engage and Disengage, and end it with
// Drain or Shutdown. It is safe for concurrent use.
type Clusters struct {
	config  config
	options []Option
	log     *broadcast.Log
	unknown *events.Broadcaster // counts what is recorded for unknown clusters
	budget  options.Budget

	labels   stats.LabelSets
	requests *broadcast.Handlers[events.Request]

	life    *broadcast.Life
	stop    chan struct{}   // closed when the end begins
	leaving lifecycle.Group // waits after the end of a cluster's context

	engaging sync.Mutex // held by Engage, so that one adapter is made for each cluster

	mu        sync.Mutex // guards the rest
	engaged   map[string]*member
	ending    map[*member]struct{} // disengaged, and not yet counted in former
	former    totals
	recorders map[string]*ClustersRecorder // by controller
}

// NewClusters returns a Clusters without clusters. It does no I/O and starts no goroutine.
// The options are those of each adapter. [WithContext] sets the context that carries the
// logger and is to each adapter what Start's is. Engage reports invalid options.
func NewClusters(opts ...Option) *Clusters {
	c := &Clusters{
		options: slices.Clone(opts), stop: make(chan struct{}),
		engaged: map[string]*member{}, ending: map[*member]struct{}{}, recorders: map[string]*ClustersRecorder{},
		former: totals{counts: map[events.Labels]events.Counts{}},
	}
	c.config, _ = newConfig(context.Background(), opts)
	c.log = broadcast.NewLog(*c.config.logger, c.config.clock)
	c.requests = broadcast.NewHandlers[events.Request]("request handler", c.log)
	c.unknown = events.NewBroadcaster(nil, append(slices.Clone(opts), events.WithLogger(*c.config.logger),
		options.For(func(e *options.Engine) { e.Unsent = stats.UnknownCluster }))...)
	c.life = broadcast.NewLife(broadcast.Config{Drain: c.drain, Shutdown: c.shutdown})
	return c
}

// Engage lets Events be recorded for the cluster of that name, which may be empty. It does
// not reach for the cluster: the first Event does, in the background. Until then the
// cluster has a client, and no goroutine or connection. The client is that of
// [NewForConfig].
//
// ctx is to the cluster what Start's is to an adapter. When it ends, all that is pending is
// written at once, and after the drain timeout the cluster is disengaged. The name of a
// cluster whose context has ended is free.
//
// A second call with the same configuration does nothing. With another one it returns an
// error: Disengage first, or end the context. An error of the configuration or an option is
// returned, too.
func (c *Clusters) Engage(ctx context.Context, name string, config *rest.Config) error {
	c.engaging.Lock()
	defer c.engaging.Unlock()
	if err := c.engage(ctx, strings.Clone(name), config); err != nil {
		return fmt.Errorf("adapter: cannot engage cluster %q: %w", name, err)
	}
	return nil
}

func (c *Clusters) engage(ctx context.Context, name string, config *rest.Config) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	old := c.engaged[name]
	c.mu.Unlock()
	if old != nil && old.ctx.Err() == nil {
		if old.config == config || reflect.DeepEqual(old.copied, config) {
			return nil
		}
		return errors.New("it is engaged with another configuration; call Disengage first, or end its context")
	}
	a, err := NewForConfig(c.config.ctx, config, slices.Concat(c.options, []Option{
		events.WithLogger(c.config.logger.WithValues("cluster", name)),
		options.For(func(e *options.Engine) { e.Budget, e.Stop = &c.budget, c.config.ctx.Done() }),
	})...)
	if err != nil {
		return err
	}
	a.OnRequest(c.requests.Call)
	m := newMember(ctx, name, config, a)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.HasEnded() {
		a.Shutdown()
		return broadcast.ErrDrained
	}
	if old != nil {
		c.removeLocked(old)
	}
	c.engaged[name] = m
	m.detach = context.AfterFunc(ctx, func() { c.contextEnded(m) })
	return nil
}

// contextEnded disengages m after its drain timeout.
func (c *Clusters) contextEnded(m *member) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.HasEnded() {
		return // its drain ends m
	}
	c.leaving.Go(func() {
		timer := time.NewTimer(m.adapter.engine.DrainTimeout())
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.stop:
			return
		}
		c.mu.Lock()
		c.removeLocked(m)
		c.mu.Unlock()
		m.adapter.Shutdown()
		c.settle(m)
	})
}

// Disengage ends a cluster. From now on the name is unknown, and can be engaged anew.
// Disengage writes what is pending until ctx ends. What it could not write is the error, an
// [*events.AbandonedError] as that of [Adapter.Drain].
func (c *Clusters) Disengage(ctx context.Context, name string) error {
	c.mu.Lock()
	m := c.engaged[name]
	if m == nil {
		c.mu.Unlock()
		return fmt.Errorf("adapter: cluster %q is not engaged", name)
	}
	c.removeLocked(m)
	c.mu.Unlock()
	m.detach()
	err := m.adapter.Drain(ctx)
	c.settle(m)
	if err != nil {
		return fmt.Errorf("adapter: cluster %q: %w", name, err)
	}
	return nil
}

// removeLocked makes the name of m free, unless it is already.
func (c *Clusters) removeLocked(m *member) {
	if c.engaged[m.name] != m {
		return
	}
	delete(c.engaged, m.name)
	c.ending[m] = struct{}{}
	for _, r := range c.recorders {
		r.forget(m.name)
	}
	m.gone.Store(true)
}

// settle adds the counts of m to former, when the last call that records to it returns. It
// must be called after the drain of m, as often as you like.
func (c *Clusters) settle(m *member) {
	m.settle.Do(func() { m.leave(c) })
}

// fold is called by the last one that leaves m.
func (c *Clusters) fold(m *member) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.ending[m]; ok {
		delete(c.ending, m)
		c.former.stats = c.former.stats.Add(m.adapter.Stats())
		c.addCounts(c.former.counts, m.adapter.Snapshot(0).Counts)
	}
}

// Recorder returns the recorder for one reporting controller, the same for each call. It is
// made for a field of a reconciler: its methods take the cluster.
func (c *Clusters) Recorder(controller string) *ClustersRecorder {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.recorders[controller]
	if r == nil {
		r = newClustersRecorder(c, strings.Clone(controller))
		c.recorders[r.controller] = r
	}
	return r
}

// Adapter returns the adapter of an engaged cluster, for its Status, Stats, Counts and
// Inspect. Clusters starts and ends it.
func (c *Clusters) Adapter(name string) (a *Adapter, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.engaged[name]; m != nil {
		return m.adapter, true
	}
	return nil, false
}

// All returns the engaged clusters by name, in order, each with its adapter.
func (c *Clusters) All() iter.Seq2[string, *Adapter] {
	c.mu.Lock()
	engaged := maps.Clone(c.engaged)
	c.mu.Unlock()
	return func(yield func(string, *Adapter) bool) {
		for _, name := range slices.Sorted(maps.Keys(engaged)) {
			if !yield(name, engaged[name].adapter) {
				return
			}
		}
	}
}

// Drain ends all clusters side by side, as [Adapter.Drain] does. What is abandoned is added
// up in one [*events.AbandonedError], and the error names the clusters. Engage returns an
// error from then on.
func (c *Clusters) Drain(ctx context.Context) error { return c.life.Drain(ctx) }

// Shutdown is a Drain bounded by the drain timeout of each cluster. What was lost is
// logged.
func (c *Clusters) Shutdown() { c.life.Shutdown() }

func (c *Clusters) drain(ctx context.Context) error {
	return c.endAll(func(a *Adapter) error { return a.Drain(ctx) })
}

func (c *Clusters) shutdown() error {
	return c.endAll(func(a *Adapter) error {
		a.Shutdown()
		return a.Drain(context.Background()) // returns the result of Shutdown
	})
}

// endAll ends all clusters side by side, also those that are being disengaged.
func (c *Clusters) endAll(end func(*Adapter) error) error {
	close(c.stop)
	c.mu.Lock()
	members := c.membersLocked()
	c.mu.Unlock()
	var group lifecycle.Group
	results := make([]error, len(members))
	for i, m := range members {
		m.detach()
		group.Go(func() { results[i] = end(m.adapter) })
	}
	group.Wait(context.Background())
	c.leaving.Wait(context.Background())      // they return at once: their adapters have ended
	_ = c.unknown.Drain(context.Background()) // from now on that is Stopped
	var names []string
	for i, err := range results {
		if err != nil {
			names = append(names, members[i].name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("adapter: clusters %s: %w", quoteSome(names), addAbandoned(results...))
}

// quoteSome lists names, but not hundreds.
func quoteSome(names []string) string {
	const most = 10
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("%q%s", names[:min(most, len(names))], more)
}

// logUnknown logs once an hour and name that a cluster is unknown.
func (c *Clusters) logUnknown(r *clusterRecorder) {
	logger := c.config.logger
	if r.unnamed {
		c.log.Do("context without cluster", r.controller, time.Hour, func() {
			logger.Error(nil, "Event dropped: the context has no cluster; "+
				"give NewClusters the option WithClusterFromContext, or call For", "advice", "unknown-cluster",
				"controller", r.controller)
		})
		return
	}
	c.log.Do("unknown cluster", r.cluster, time.Hour, func() {
		logger.Error(nil, "Event dropped: the cluster is not engaged; "+
			"call Engage before its Events, or find who records for it", "advice", "unknown-cluster",
			"cluster", r.cluster, "controller", r.controller)
	})
}
