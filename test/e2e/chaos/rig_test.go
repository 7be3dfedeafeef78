// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// controller is what all scenarios report as.
const controller = "example.com/chaos"

// resumption bounds how long delivery may take to resume: the longest step of the
// back-off, and one write that was sent into the fault and times out.
const resumption = 30*time.Second + 30*time.Second

// pods is how many there are in each namespace.
const pods = 10

// scenario is what breaks, and under which circumstances. The zero value, but for the title, is a
// default control plane, a default adapter, and nothing that may be dropped.
type scenario struct {
	title   string           // of what is logged
	flags   []string         // of kube-apiserver
	adapter []adapter.Option // besides the logger and the drop handlers
	events  []events.Option  // of its series, besides the drop handler
	tenants int              // how many namespaces there are; three if zero
	calm    bool             // nothing is recorded but by Walk and Warn
	proxied bool             // the client's connections go through plane's proxy
	quick   bool             // `make e2e` has the time for it
	drops   []events.DropReason
}

// rig is a control plane with the components of a scenario that is under way.
type rig struct {
	*harness.Env
	*Storm
	t          *testing.T
	scenario   scenario
	plane      *controlplane.Plane
	adapter    *adapter.Adapter
	observer   *Observer
	namespaces []string
	// resumed is the longest that it took from a recovery to the next write that the server accepted, and caughtUp until
	// all that waited was written.
	resumed, caughtUp time.Duration
	others            int // that were begun beside it

	mu      sync.Mutex // guards the rest
	dropped Counts
	// rebornDropped is how many of them were about objects that were made anew.
	rebornDropped int64
}

// open makes everything and lets the storm begin.
func open(t *testing.T, p scenario) *rig {
	t.Helper()
	if testing.Short() && !p.quick {
		t.Skip("takes too long: chaos/run.sh")
	}
	plane, err := controlplane.Start(p.flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	env := harness.New(t, plane)
	s := &rig{
		Env: env, t: t, scenario: p, plane: plane, dropped: Counts{},
		namespaces: []string{env.Namespace},
	}
	for range cmp.Or(p.tenants, 3) - 1 {
		s.namespaces = append(s.namespaces, env.NewNamespace())
	}
	for _, namespace := range s.everywhere() {
		env.Allow(namespace, harness.EventsV1, harness.CoreV1)
	}
	if p.proxied {
		address, err := plane.Proxy()
		s.must(err)
		env.Via(address)
	}
	s.begin(controller)
	return s
}

// beside begins the same with another component, which has a storm and a row of its own. It shares the client.
func (s *rig) beside(p scenario) *rig {
	s.t.Helper()
	s.others++
	other := &rig{
		Env: s.Env, t: s.t, scenario: p, plane: s.plane, dropped: Counts{},
		namespaces: s.namespaces,
	}
	other.begin(fmt.Sprintf("%s-%d", controller, s.others))
	return other
}

func (s *rig) begin(controller string) {
	s.t.Helper()
	s.observer = Observe(s.t.Context(), s.Admin, controller)
	s.t.Cleanup(s.observer.Stop)
	opts := []adapter.Option{
		events.WithLogger(s.Logger),
		events.WithDropHandler(s.drop),
		events.WithMaxSeriesPerObject(math.MaxUint16), // the storm makes up reasons
		events.WithOptions(s.scenario.events...),
	}
	s.adapter = adapter.New(s.t.Context(), s.Client, append(opts, s.scenario.adapter...)...)
	s.must(s.adapter.Start(context.WithoutCancel(s.t.Context())))
	s.t.Cleanup(s.adapter.Shutdown)
	var objects []Object
	if !s.scenario.calm {
		objects = append(Pods(pods, s.namespaces...), Node("node-1"))
	}
	s.Storm = Start(s.adapter.Recorder(controller), objects)
	s.t.Cleanup(func() { s.Stop() })
}

func (s *rig) drop(d events.Drop) {
	key := Key{
		Namespace: d.Regarding.Namespace, Name: d.Regarding.Name, Type: d.Type, Reason: d.EventReason,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped[key] += d.Occurrences
	if IsRecreated(d.Regarding.UID) {
		s.rebornDropped += d.Occurrences
	}
}

// recovers is called when the server is well again: what was recorded so far must
// be written in time.
func (s *rig) recovers() {
	s.t.Helper()
	s.recoversWithin(resumption)
}

func (s *rig) recoversWithin(bound time.Duration) {
	s.t.Helper()
	well := time.Now()
	ctx, cancel := context.WithDeadline(s.t.Context(), well.Add(bound))
	defer cancel()
	if err := s.adapter.Flush(ctx); err != nil {
		s.t.Errorf("delivery has not resumed %v after the recovery: %v", bound, err)
	}
	caughtUp := time.Since(well)
	resumed := caughtUp
	if next := s.Wire.Seen(func(e wire.Exchange) bool {
		return (e.IsCreate() || e.IsPatch()) && e.Succeeded() && e.At.After(well)
	}); len(next) > 0 {
		resumed = next[0].At.Sub(well)
	}
	s.t.Logf("%s: resumed after %.1fs, caught up after %.1fs", s.scenario.title, resumed.Seconds(), caughtUp.Seconds())
	s.resumed, s.caughtUp = max(s.resumed, resumed), max(s.caughtUp, caughtUp)
}

// settle ends the scenario with everything written, and checks the accounts.
func (s *rig) settle() {
	s.t.Helper()
	s.Stop()
	ctx, cancel := context.WithTimeout(s.t.Context(), resumption)
	defer cancel()
	if err := s.adapter.Flush(ctx); err != nil {
		s.t.Error(err)
	}
	if err := s.adapter.Drain(ctx); err != nil {
		s.t.Error(err)
	}
	s.account()
}

// abandon ends the component while nothing can be written. The account is to
// follow when the server is well.
func (s *rig) abandon() {
	s.t.Helper()
	s.Stop()
	lost := fixture.Drain(s.t, s.adapter, time.Second)
	if lost == nil {
		s.t.Fatal("Drain returned no error, want an AbandonedError")
	}
	stats := s.adapter.Stats()
	if lost.Occurrences != stats.Dropped[events.DropAbandoned] || lost.Unconfirmed != stats.Unconfirmed || lost.Stuck > 0 {
		s.t.Errorf("Drain says %+v, the accounts %+v", lost, stats)
	}
	if stats.Unconfirmed == 0 {
		s.t.Error("nothing is unconfirmed, nothing was tested")
	}
}

// account checks the accounts of a storm that is over, and adds the row.
func (s *rig) account() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), resumption)
	defer cancel()
	s.must(s.observer.CatchUp(ctx))
	account := Account{
		Emitted: s.Stop(), Stats: s.adapter.Stats(), Dropped: s.dropped, OnServer: s.observer.Counts(),
		Correlated: s.adapter.Snapshot(0).API == adapter.ModeLegacy,
	}
	unaccounted, problems := account.Check()
	for _, problem := range append(problems, s.observer.Problems()...) {
		s.t.Error(problem)
	}
	for reason, n := range account.Stats.Dropped {
		if n > 0 && !slices.Contains(s.scenario.drops, reason) {
			s.t.Errorf("%d occurrences dropped as %s, which nothing in this scenario asks for", n, reason)
		}
	}
	stats := account.Stats
	s.t.Logf("%s: emitted %d, recorded %d, dropped %v, unconfirmed %d, on the server %d, unaccounted %d; "+
		"resumed after %.1fs, caught up after %.1fs; %d writes, %d retries", s.scenario.title, account.Emitted.Total(),
		stats.Recorded, stats.Dropped, stats.Unconfirmed, account.OnServer.Total(), unaccounted,
		s.resumed.Seconds(), s.caughtUp.Seconds(), stats.Creates+stats.Patches, stats.Retries)
	s.describe()
}

// describe logs what a reader of a failure wants to know: the answers, and of each kind of log line the first.
func (s *rig) describe() {
	answers := map[string]int{}
	for _, e := range s.Wire.Seen(func(wire.Exchange) bool { return true }) {
		switch {
		case e.IsCreate():
			answers[fmt.Sprintf("create %d", e.Status)]++
		case e.IsPatch():
			answers[fmt.Sprintf("patch %d", e.Status)]++
		default:
			answers[fmt.Sprintf("%s %s %d", e.Method, e.Path, e.Status)]++
		}
	}
	for _, answer := range slices.Sorted(maps.Keys(answers)) {
		s.t.Logf("%6d %s", answers[answer], answer)
	}
	for _, line := range s.Log.Lines("") {
		if message, _, _ := strings.Cut(line, `="`); answers[message] == 0 {
			answers[message] = 1
			s.t.Logf("logged: %.400s", line)
		}
	}
}

func (s *rig) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}
