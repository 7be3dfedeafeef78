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

// Set records Events in a set of clusters, which may change. Make one with [New], tell it
// which clusters there are by Engage and Disengage, and end it with Drain or Shutdown. It is
// safe for concurrent use.
type Set struct {
	config  options.Config
	options []adapter.Option
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
	adapter        *adapter.Adapter
	ctx            context.Context
	release        func() // gives back what ctx holds

	recorders sync.Map // *events.Recorder by controller
}

// totals are accounts that are added up.
type totals struct {
	stats  events.Stats
	counts map[events.Labels]events.Counts
}

// New returns a Set without clusters. It does no I/O and starts no goroutine. ctx carries the
// logger, and its end is to each adapter what the end of Start's context is. The options are
// those of each adapter. Engage reports invalid options.
func New(ctx context.Context, opts ...adapter.Option) *Set {
	opts = append(slices.Clone(opts), legacy.WithContext(ctx)) // ctx wins
	s := &Set{
		config:  options.Apply(ctx, opts),
		options: opts,
		members: map[*member]struct{}{},
		former:  totals{counts: map[events.Labels]events.Counts{}},
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

// Engage lets Events be recorded for the cluster of that name, which may be empty. It does
// not reach for the cluster: the first recorder for it does, in the background. Until then
// the cluster has a client, and no goroutine or connection. The client is that of
// [adapter.NewForConfig].
//
// ctx is to the cluster what Start's is to an adapter. When it ends, all that is pending is
// written at once, and after the drain timeout the cluster is disengaged. The name of a
// cluster whose context has ended is free.
//
// A second call with the same configuration does nothing. With another one it returns an
// error: Disengage first, or end the context. An error of the configuration or an option is
// returned, too.
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
func (s *Set) add(m *member) (*member, error) {
	s.accounts.Lock()
	defer s.accounts.Unlock()
	if s.life.HasEnded() {
		return nil, broadcast.ErrDrained
	}
	if err := m.ctx.Err(); err != nil {
		return nil, err // the adapter may have ended already
	}
	if other := s.find(m.name); other.isEngaged() {
		return other, nil
	}
	s.members[m] = struct{}{}
	s.engaged.Store(m.name, m)
	return m, nil
}

// ended is called when the adapter of m has ended, whoever ended it. After the end of all
// clusters nothing changes any more.
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

// find returns the cluster that is engaged under that name, or nil.
func (s *Set) find(name string) *member {
	found, _ := s.engaged.Load(name)
	m, _ := found.(*member)
	return m
}

// Disengage ends a cluster. From now on the name is unknown, and can be engaged anew.
// Disengage writes what is pending until ctx ends. What it could not write is the error, an
// [*events.AbandonedError] as that of [adapter.Adapter.Drain].
func (s *Set) Disengage(ctx context.Context, name string) error {
	m, ok := s.engaged.LoadAndDelete(name)
	if !ok {
		return fmt.Errorf("clusters: cluster %q is not engaged", name)
	}
	return m.(*member).drain(ctx)
}

// Recorder returns a recorder for one reporting controller. It is made for a field of a
// reconciler: its methods take the cluster.
func (s *Set) Recorder(controller string) *Recorder {
	return &Recorder{
		set:        s,
		controller: strings.Clone(controller),
		unknown:    s.unknown.Recorder(s.config.SchemeOrDefault(), controller),
	}
}

// Adapter returns the adapter of an engaged cluster, for its Stats and
// Snapshot. The Set starts and ends it.
func (s *Set) Adapter(name string) (a *adapter.Adapter, ok bool) {
	if m := s.find(name); m != nil {
		return m.adapter, true
	}
	return nil, false
}

// Stats returns the accounts of all clusters added up, of those that were disengaged and of
// unknown ones, too. So they never decrease. [adapter.Adapter.Stats] has those of one cluster.
func (s *Set) Stats() events.Stats { return s.Snapshot(0).Stats }

// Snapshot returns the accounts of all clusters added up, as Stats does, and in its field
// Clusters what each engaged cluster holds; see [adapter.Adapter.Snapshot]. All clusters together have
// 1,000 label sets.
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
	byLabels := func(a, b events.Counts) int { return a.Labels.Compare(b.Labels) }
	now.Stats = all.stats
	now.Counts = slices.SortedFunc(maps.Values(all.counts), byLabels)
	return now
}

// sum adds the accounts of one snapshot to all, under the labels that are told apart here.
func (s *Set) sum(all *totals, one events.Snapshot) {
	all.stats = all.stats.Add(one.Stats)
	for _, n := range one.Counts {
		n.Labels = events.Labels(s.labels.Admit(stats.Labels(n.Labels)))
		all.counts[n.Labels] = n.Add(all.counts[n.Labels])
	}
}

// OnRequest calls handle after each request to any cluster, as [adapter.Adapter.OnRequest] does.
func (s *Set) OnRequest(handle func(events.Request)) (stop func()) {
	return s.requests.Add(handle)
}

// Drain ends all clusters side by side, as [adapter.Adapter.Drain] does. The error has an
// [*events.AbandonedError] for each cluster that lost something; Stats has what all lost. Engage
// returns an error from then on.
func (s *Set) Drain(ctx context.Context) error { return s.life.Drain(ctx) }

// Shutdown is a Drain bounded by the drain timeout. What was lost is logged.
func (s *Set) Shutdown() { s.life.Shutdown() }

// drain ends all clusters side by side, also those that end already.
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
	_ = s.unknown.Drain(context.Background()) // from now on that is Stopped
	return errors.Join(results...)
}

// drain ends one cluster.
func (m *member) drain(ctx context.Context) error {
	if err := m.adapter.Drain(ctx); err != nil {
		return fmt.Errorf("clusters: cluster %q: %w", m.name, err)
	}
	return nil
}
