// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/stats"
)

// Clusters records Events in many clusters, in each through an [Adapter] of its own: with
// its own client, limits, back-off, API and accounts. So a cluster that hangs or is gone
// delays no other. WithMaxSeries bounds the series of each: with many clusters that may be
// gone at the same time, set it lower.
//
// An Event goes to the cluster that it is recorded for, or nowhere. Make a Clusters with
// [NewClusters], tell it which clusters there are by Engage and Disengage, and end it with
// Drain or Shutdown. It is safe for concurrent use.
type Clusters struct {
	config  config
	options []Option
	log     *broadcast.Log
	unknown *events.Broadcaster // counts what is recorded for unknown clusters

	labels   stats.LabelSets
	requests *broadcast.Handlers[events.Request]
	life     *broadcast.Life

	// accounts guards members and former, so that a member is in one of them: a total that
	// is read never goes down. It also guards what is added to engaged, so that a name has one
	// cluster. No call that records waits for it.
	accounts sync.Mutex
	members  map[*member]struct{} // engaged, or about to end
	former   totals               // of all other members there were

	engaged sync.Map // *member by name
}

// member is a cluster that was engaged.
type member struct {
	name           string
	config, copied *rest.Config // as it was passed to Engage, and what it said then
	adapter        *Adapter
	ctx            context.Context
	release        func() // gives back what ctx holds

	recorders sync.Map // *Recorder by controller
}

// totals are accounts that are added up.
type totals struct {
	stats  events.Stats
	counts map[events.Labels]events.Counts
}

// NewClusters returns a Clusters without clusters. It does no I/O and starts no goroutine.
// The options are those of each adapter. [WithContext] sets the context that carries the
// logger and is to each adapter what Start's is. Engage reports invalid options.
func NewClusters(opts ...Option) *Clusters {
	c := &Clusters{
		options: slices.Clone(opts),
		members: map[*member]struct{}{},
		former:  totals{counts: map[events.Labels]events.Counts{}},
	}
	c.config = newConfig(context.Background(), opts)
	c.log = broadcast.NewLog(*c.config.Logger, c.config.Clock)
	c.requests = broadcast.NewHandlers[events.Request]("request handler", c.log)
	unknown := c.config.Config.Config
	unknown.DropAll = stats.UnknownCluster
	c.unknown = events.FromEngine(unknown)
	c.life = broadcast.NewLife(broadcast.Config{
		DrainTimeout: c.unknown.DrainTimeout(),
		Drain:        c.drain,
		Log:          c.log,
	})
	return c
}

// Engage lets Events be recorded for the cluster of that name, which may be empty. It does
// not reach for the cluster: the first recorder for it does, in the background. Until then
// the cluster has a client, and no goroutine or connection. The client is that of
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
	if err := c.engage(ctx, strings.Clone(name), config); err != nil {
		return fmt.Errorf("adapter: cannot engage cluster %q: %w", name, err)
	}
	return nil
}

func (c *Clusters) engage(ctx context.Context, name string, config *rest.Config) error {
	if old := c.find(name); old.isEngaged() {
		return old.accept(config)
	}
	m := &member{name: name, config: config}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.config.Context, cancel)
	m.ctx = ctx
	m.release = func() { stop(); cancel() }
	own := newConfig(ctx, slices.Concat(c.options, []Option{
		WithContext(ctx),
		events.WithLogger(c.config.Logger.WithValues("cluster", name)),
	}))
	own.Supervised = true
	own.OnDrained = append(own.OnDrained, func() { c.ended(m) })
	a, err := newForConfig(own, config)
	if err != nil {
		m.release()
		return err
	}
	m.adapter = a
	m.copied = rest.CopyConfig(config)
	a.OnRequest(c.requests.Call)
	other, err := c.add(m)
	if other == m {
		return nil
	}
	a.Shutdown() // it was never started
	if other != nil {
		return other.accept(config)
	}
	return err
}

// accept returns an error if m is not engaged with config.
func (m *member) accept(config *rest.Config) error {
	if m.config == config || reflect.DeepEqual(m.copied, config) {
		return nil
	}
	return errors.New("it is engaged with another configuration; call Disengage first, or end its context")
}

// isEngaged reports whether m still has its name.
func (m *member) isEngaged() bool { return m != nil && m.ctx.Err() == nil }

// add makes m the cluster of its name, in place of one whose context has ended. It returns the
// cluster that has the name then: another one if a concurrent call was first.
func (c *Clusters) add(m *member) (*member, error) {
	c.accounts.Lock()
	defer c.accounts.Unlock()
	if c.life.HasEnded() {
		return nil, broadcast.ErrDrained
	}
	if err := m.ctx.Err(); err != nil {
		return nil, err // the adapter may have ended already
	}
	if other := c.find(m.name); other.isEngaged() {
		return other, nil
	}
	c.members[m] = struct{}{}
	c.engaged.Store(m.name, m)
	return m, nil
}

// ended is called when the adapter of m has ended, whoever ended it. After the end of all
// clusters nothing changes any more.
func (c *Clusters) ended(m *member) {
	m.release()
	c.accounts.Lock()
	defer c.accounts.Unlock()
	if _, ok := c.members[m]; !ok || c.life.HasEnded() {
		return
	}
	delete(c.members, m)
	c.sum(&c.former, m.adapter.Snapshot(0).Snapshot)
	c.engaged.CompareAndDelete(m.name, m)
}

// find returns the cluster that is engaged under that name, or nil.
func (c *Clusters) find(name string) *member {
	found, _ := c.engaged.Load(name)
	m, _ := found.(*member)
	return m
}

// Disengage ends a cluster. From now on the name is unknown, and can be engaged anew.
// Disengage writes what is pending until ctx ends. What it could not write is the error, an
// [*events.AbandonedError] as that of [Adapter.Drain].
func (c *Clusters) Disengage(ctx context.Context, name string) error {
	m, ok := c.engaged.LoadAndDelete(name)
	if !ok {
		return fmt.Errorf("adapter: cluster %q is not engaged", name)
	}
	return m.(*member).drain(ctx)
}

// Recorder returns a recorder for one reporting controller. It is made for a field of a
// reconciler: its methods take the cluster.
func (c *Clusters) Recorder(controller string) *ClustersRecorder {
	return &ClustersRecorder{
		clusters:   c,
		controller: strings.Clone(controller),
		unknown:    c.unknown.Recorder(c.config.SchemeOrDefault(), controller),
	}
}

// Adapter returns the adapter of an engaged cluster, for its Stats and
// Snapshot. Clusters starts and ends it.
func (c *Clusters) Adapter(name string) (a *Adapter, ok bool) {
	if m := c.find(name); m != nil {
		return m.adapter, true
	}
	return nil, false
}

// Stats returns the accounts of all clusters added up, of those that were disengaged and of
// unknown ones, too. So they never decrease. [Adapter.Stats] has those of one cluster.
func (c *Clusters) Stats() events.Stats { return c.Snapshot(0).Stats }

// Snapshot returns the accounts of all clusters added up, as Stats does, and in its field
// Clusters what each engaged cluster holds; see [Adapter.Snapshot]. All clusters together have
// 1,000 label sets.
func (c *Clusters) Snapshot(n int) Snapshot {
	c.accounts.Lock()
	defer c.accounts.Unlock()
	s := Snapshot{Snapshot: c.unknown.Snapshot(0), Clusters: map[string]Snapshot{}}
	all := totals{c.former.stats, maps.Clone(c.former.counts)}
	c.sum(&all, s.Snapshot)
	for m := range c.members {
		one := m.adapter.Snapshot(n)
		c.sum(&all, one.Snapshot)
		if c.find(m.name) == m {
			s.Clusters[m.name] = one
		}
	}
	byLabels := func(a, b events.Counts) int { return a.Labels.Compare(b.Labels) }
	s.Stats = all.stats
	s.Counts = slices.SortedFunc(maps.Values(all.counts), byLabels)
	return s
}

// sum adds the accounts of s to all, under the labels that are told apart here.
func (c *Clusters) sum(all *totals, s events.Snapshot) {
	all.stats = all.stats.Add(s.Stats)
	for _, n := range s.Counts {
		n.Labels = events.Labels(c.labels.Admit(stats.Labels(n.Labels)))
		all.counts[n.Labels] = n.Add(all.counts[n.Labels])
	}
}

// OnRequest calls handle after each request to any cluster, as [Adapter.OnRequest] does.
func (c *Clusters) OnRequest(handle func(events.Request)) (stop func()) {
	return c.requests.Add(handle)
}

// Drain ends all clusters side by side, as [Adapter.Drain] does. The error has an
// [*events.AbandonedError] for each cluster that lost something; Stats has what all lost. Engage
// returns an error from then on.
func (c *Clusters) Drain(ctx context.Context) error { return c.life.Drain(ctx) }

// Shutdown is a Drain bounded by the drain timeout. What was lost is logged.
func (c *Clusters) Shutdown() { c.life.Shutdown() }

// drain ends all clusters side by side, also those that end already.
func (c *Clusters) drain(ctx context.Context) error {
	c.accounts.Lock()
	members := slices.SortedFunc(maps.Keys(c.members), func(a, b *member) int { return cmp.Compare(a.name, b.name) })
	c.accounts.Unlock()
	var group lifecycle.Group
	results := make([]error, len(members))
	for i, m := range members {
		group.Go(func() { results[i] = m.drain(ctx) })
	}
	group.Wait(context.Background())
	_ = c.unknown.Drain(context.Background()) // from now on that is Stopped
	return errors.Join(results...)
}

// drain ends one cluster.
func (m *member) drain(ctx context.Context) error {
	if err := m.adapter.Drain(ctx); err != nil {
		return fmt.Errorf("adapter: cluster %q: %w", m.name, err)
	}
	return nil
}
