// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters

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

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/legacy"
)

// Set records Events in a changing set of clusters. Create one with [New]. Call Engage for each
// cluster that appears and Disengage for each cluster that goes away. At the end, call Drain or
// Shutdown. A Set is safe for concurrent use.
type Set struct {
	config  options.Config
	options []adapter.Option
	log     *broadcast.Log
	// unknown counts occurrences for clusters that are not engaged, and drops them.
	unknown *events.Broadcaster

	labels   stats.LabelSets
	requests *broadcast.Handlers[events.Request]
	life     *broadcast.Life

	// accounts guards members and former. At any time, the counts of a cluster are in exactly one
	// of these two fields, so that sums over both never decrease. The mutex also guards additions
	// to engaged, so that a name has only one cluster. No call that records an occurrence waits for
	// this mutex.
	accounts sync.Mutex
	// members is the set of clusters whose adapter has not ended.
	members map[*member]struct{}
	// former holds the totals over all members whose adapter has ended.
	former totals

	// engaged maps the name of each engaged cluster to its *member. The method For looks up names
	// in this map. A member that was disengaged is removed from engaged, but remains in members
	// until its adapter has ended.
	engaged sync.Map
}

// member is a cluster that was engaged.
type member struct {
	name string
	// config is the pointer that was passed to Engage. copied is a copy of the configuration as it
	// was when Engage was called.
	config, copied *rest.Config
	adapter        *adapter.Adapter
	// ctx ends with the context of Engage or of New. After that, another cluster can be engaged
	// under the name.
	ctx context.Context
	// release frees the resources of ctx.
	release func()

	// recorders maps each controller to its *events.Recorder.
	recorders sync.Map
}

// totals holds totals over several clusters.
type totals struct {
	stats  events.Stats
	counts map[events.MetricLabels]events.LabeledCounts
}

// New returns a Set without clusters. It does no I/O and starts no goroutine.
//
// The Set uses the logger in ctx, unless an option sets one. When ctx ends, each adapter behaves as
// it does when its Start context ends: it writes pending Events at once, and ends after the drain
// timeout. The options apply to the adapter of each cluster. Engage reports invalid options.
func New(ctx context.Context, opts ...adapter.Option) *Set {
	// ctx comes last, so that it overrides a context in opts.
	opts = append(slices.Clone(opts), legacy.WithContext(ctx))
	s := &Set{
		config:  options.Apply(ctx, opts),
		options: opts,
		members: map[*member]struct{}{},
		former:  totals{counts: map[events.MetricLabels]events.LabeledCounts{}},
	}
	s.log = broadcast.NewLog(*s.config.Logger, s.config.Clock)
	s.requests = broadcast.NewHandlers[events.Request]("request handler", s.log)
	unknown := s.config.Config
	unknown.DropAll = stats.UnknownCluster
	s.unknown = events.FromEngine(unknown)
	s.life = broadcast.NewLife(broadcast.Config{
		DrainTimeout: s.unknown.DrainTimeout(),
		Drain:        s.drain,
		Log:          s.log,
	})
	return s
}

// Engage adds a cluster to the set, so that Events can be recorded for it under the name. The name
// may be empty. config is the configuration for the client, which is created as by
// [adapter.NewForConfig].
//
// Engage does no I/O. The connection is made in the background when the first recorder for the
// cluster is requested. Until then, the cluster has a client, and no goroutine.
//
// ctx is the context of the cluster's adapter. When it ends, pending Events are written at once,
// and after the drain timeout the cluster is disengaged. As soon as ctx has ended, another cluster
// can be engaged under the name.
//
// If a cluster with an equal configuration is engaged under the name, Engage does nothing. It
// returns an error if a cluster with another configuration is engaged under the name; call
// Disengage first, or end the context. It also returns an error if the configuration or an option
// is invalid, if ctx has ended, or if the Set has been drained.
func (s *Set) Engage(ctx context.Context, name string, config *rest.Config) error {
	if err := s.engage(ctx, strings.Clone(name), config); err != nil {
		return fmt.Errorf("clusters: cannot engage cluster %q: %w", name, err)
	}
	return nil
}

func (s *Set) engage(ctx context.Context, name string, config *rest.Config) error {
	if old := s.find(name); old.isEngaged() {
		return old.accept(config)
	}
	m := &member{name: name, config: config}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.config.Context, cancel)
	m.ctx = ctx
	m.release = func() { stop(); cancel() }
	own := []adapter.Option{
		events.WithLogger(s.config.Logger.WithValues("cluster", name)),
		options.ForAdapter(func(o *options.Config) {
			o.Supervised = true
			o.OnDrained = append(o.OnDrained, func() { s.ended(m) })
		}, ""),
	}
	a, err := adapter.NewForConfig(ctx, config, slices.Concat(s.options, own)...)
	if err != nil {
		m.release()
		return err
	}
	m.adapter = a
	m.copied = rest.CopyConfig(config)
	a.OnRequest(s.requests.Call)
	other, err := s.add(m)
	if other == m {
		return nil
	}
	// The adapter is not used: a concurrent call was faster, or the context or the Set has ended.
	a.Shutdown()
	if other != nil {
		return other.accept(config)
	}
	return err
}

// accept returns nil if config equals the configuration of m. Otherwise it returns the error that a
// second call of Engage reports.
func (m *member) accept(config *rest.Config) error {
	if m.config == config || reflect.DeepEqual(m.copied, config) {
		return nil
	}
	return errors.New("it is engaged with another configuration; call Disengage first, or end its context")
}

// isEngaged reports whether m is not nil and its context has not ended. In that case no other
// cluster may take its name.
func (m *member) isEngaged() bool { return m != nil && m.ctx.Err() == nil }

// add registers m under its name, unless another engaged cluster already has that name. It returns
// the cluster that now has the name: m, or another one if a concurrent call was faster. It returns
// an error if the Set or the context of m has ended.
func (s *Set) add(m *member) (*member, error) {
	s.accounts.Lock()
	defer s.accounts.Unlock()
	if s.life.HasEnded() {
		return nil, broadcast.ErrDrained
	}
	if err := m.ctx.Err(); err != nil {
		// If the adapter has already ended, it will not call the method ended again, and m would
		// stay in members for ever.
		return nil, err
	}
	if other := s.find(m.name); other.isEngaged() {
		return other, nil
	}
	s.members[m] = struct{}{}
	s.engaged.Store(m.name, m)
	return m, nil
}

// ended moves the counts of m to former. The adapter of m calls this method when the adapter has
// ended, for whatever reason. Once the Set has been drained, it only releases the resources of m,
// so that the members and their counts remain.
func (s *Set) ended(m *member) {
	m.release()
	s.accounts.Lock()
	defer s.accounts.Unlock()
	if _, ok := s.members[m]; !ok || s.life.HasEnded() {
		return
	}
	delete(s.members, m)
	s.sum(&s.former, m.adapter.Snapshot(0).Snapshot)
	s.engaged.CompareAndDelete(m.name, m)
}

// find returns the cluster that is engaged under name, or nil if there is none.
func (s *Set) find(name string) *member {
	found, _ := s.engaged.Load(name)
	m, _ := found.(*member)
	return m
}

// Disengage removes a cluster from the set. After the call, Events for this cluster are dropped,
// like those for an unknown cluster, until a cluster is engaged again under the name. Disengage
// blocks until pending Events are written, or until ctx ends.
//
// If some pending Events could not be written, the error wraps an [*events.AbandonedError], as for
// [adapter.Adapter.Drain]. Disengage also returns an error if no cluster is engaged under the name.
func (s *Set) Disengage(ctx context.Context, name string) error {
	m, ok := s.engaged.LoadAndDelete(name)
	if !ok {
		return fmt.Errorf("clusters: cluster %q is not engaged", name)
	}
	return m.(*member).drain(ctx)
}

// Recorder returns a recorder for one reporting controller. The recorder serves all clusters, so a
// reconciler needs only one field. Its method For selects the cluster.
func (s *Set) Recorder(controller string) *Recorder {
	return &Recorder{
		set:        s,
		controller: strings.Clone(controller),
		unknown:    s.unknown.Recorder(s.config.SchemeOrDefault(), controller),
	}
}

// Adapter returns the adapter of an engaged cluster, for its Stats and Snapshot. Do not start or
// end the adapter, because the Set does both.
func (s *Set) Adapter(name string) (a *adapter.Adapter, ok bool) {
	if m := s.find(name); m != nil {
		return m.adapter, true
	}
	return nil, false
}

// Stats returns the Stats of all clusters, added up. The sums include clusters that were
// disengaged, so that counters never decrease, and occurrences for unknown clusters. The Stats of
// one cluster are in its adapter; see [Set.Adapter].
func (s *Set) Stats() events.Stats { return s.Snapshot(0).Stats }

// Snapshot returns a snapshot of the whole set. Its fields Stats and Counts are sums over all
// clusters, as for [Set.Stats]. Its field Clusters contains a snapshot of each engaged cluster,
// with at most n series in each list; see [adapter.Adapter.Snapshot]. All clusters share the limit
// of 1,000 sets of labels.
func (s *Set) Snapshot(n int) adapter.Snapshot {
	s.accounts.Lock()
	defer s.accounts.Unlock()
	now := adapter.Snapshot{
		Snapshot: s.unknown.Snapshot(0),
		Clusters: map[string]adapter.Snapshot{},
	}
	all := totals{s.former.stats, maps.Clone(s.former.counts)}
	s.sum(&all, now.Snapshot)
	for m := range s.members {
		one := m.adapter.Snapshot(n)
		s.sum(&all, one.Snapshot)
		if s.find(m.name) == m {
			now.Clusters[m.name] = one
		}
	}
	byLabels := func(a, b events.LabeledCounts) int { return a.MetricLabels.Compare(b.MetricLabels) }
	now.Stats = all.stats
	now.Counts = slices.SortedFunc(maps.Values(all.counts), byLabels)
	return now
}

// sum adds the counts of a snapshot to the totals in all. Once the limit of label sets is reached,
// the counts of each new set of labels are added up under [stats.Other].
func (s *Set) sum(all *totals, snapshot events.Snapshot) {
	all.stats = all.stats.Add(snapshot.Stats)
	for _, n := range snapshot.Counts {
		n.MetricLabels = events.MetricLabels(s.labels.Admit(stats.MetricLabels(n.MetricLabels)))
		all.counts[n.MetricLabels] = n.Add(all.counts[n.MetricLabels])
	}
}

// OnRequest makes the Set call handle after each request to any cluster, until stop is called; see
// [adapter.Adapter.OnRequest].
func (s *Set) OnRequest(handle func(events.Request)) (stop func()) {
	return s.requests.Add(handle)
}

// Drain drains all clusters concurrently, each as [adapter.Adapter.Drain] does. It blocks until
// pending Events are written or ctx ends. The error wraps an [*events.AbandonedError] for each
// cluster that lost Events. Stats reports the total of all losses. Once Drain has been called,
// Engage returns an error.
func (s *Set) Drain(ctx context.Context) error { return s.life.Drain(ctx) }

// Shutdown is Drain with a context that ends after the drain timeout. It logs lost Events.
func (s *Set) Shutdown() { s.life.Shutdown() }

// drain drains all clusters concurrently, including clusters that are already ending.
func (s *Set) drain(ctx context.Context) error {
	s.accounts.Lock()
	members := slices.SortedFunc(maps.Keys(s.members), func(a, b *member) int { return cmp.Compare(a.name, b.name) })
	s.accounts.Unlock()
	var group lifecycle.Group
	results := make([]error, len(members))
	for i, m := range members {
		group.Go(func() { results[i] = m.drain(ctx) })
	}
	group.Wait(context.Background())
	// From now on, occurrences for unknown clusters count as Stopped.
	_ = s.unknown.Drain(context.Background())
	return errors.Join(results...)
}

// drain drains the adapter of one cluster.
func (m *member) drain(ctx context.Context) error {
	if err := m.adapter.Drain(ctx); err != nil {
		return fmt.Errorf("clusters: cluster %q: %w", m.name, err)
	}
	return nil
}
