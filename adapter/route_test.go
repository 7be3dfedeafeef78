// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/sinks"
)

// phase is a time in the life of a namespace.
type phase struct {
	change  func(*cluster) // at its beginning
	records string         // in each round, one occurrence about each; a # is the number of the round
	rounds  int            // 1 if it is 0
	every   time.Duration  // a round
	want    string         // the requests of the phase, each sort once, sorted; a 2xx is left out
	once    string         // one of them, of which there is one request
	maybe   string         // a sort that may be there, too
	pending int64          // at its end; -1 is any number
	status  string         // of the namespace at its end: API and access; "" is none
	logged  string         // since the beginning, how often: to core/v1, kept, back
	reviews int64          // since the beginning, at most; 0 is any number
}

// allow returns a change of RBAC.
func allow(allowed func(eventstest.Request) bool) func(*cluster) {
	return func(c *cluster) { c.Authorize(allowed) }
}

// refuse returns one after which these groups are refused in namespace shop.
func refuse(groups ...string) func(*cluster) { return func(c *cluster) { c.deny("shop", groups...) } }

// answer returns one after which requests for Events get err, nil for none.
func answer(err error) func(*cluster) {
	return func(c *cluster) {
		c.Fail(func(_ context.Context, r eventstest.Request) error {
			if r.Resource == "events" {
				return err
			}
			return nil
		})
	}
}

func both(one, two func(*cluster)) func(*cluster) { return func(c *cluster) { one(c); two(c) } }

func reviewsFail(c *cluster) { c.permissions(discovery.PermissionUnknown, discovery.PermissionUnknown) }

// coreRefusesOnce has core/v1 refuse one create.
func coreRefusesOnce(c *cluster) {
	var refused atomic.Bool
	c.Fail(func(_ context.Context, r eventstest.Request) error {
		if r.Resource == "events" && r.Group == core && r.Verb == "create" && !refused.Swap(true) {
			return errRefused
		}
		return nil
	})
}

// routes are what may happen to a namespace, and the API that each of its writes goes through.
var routes = map[string]struct {
	mode   adapter.Mode // ModeAuto if it is empty
	phases []phase
}{
	"taken away in the middle of a series, and granted again": {phases: []phase{
		{records: "web web", want: "v1 create, v1 patch"},
		{change: refuse(v1), records: "web", want: "core patch, v1 patch 403", status: "core denied/allowed", logged: "1 0 0", reviews: 3},
		{change: refuse(), every: time.Minute, status: "core denied/allowed", logged: "1 0 0"},
		{records: "web", want: "v1 patch", logged: "1 0 1", reviews: 3},
	}},
	"kept, said every ten minutes, and granted": {phases: []phase{
		{change: refuse(v1, core), records: "web", rounds: 25, every: time.Minute, want: "v1 create 403", pending: 25,
			status: "v1 denied/denied", logged: "0 3 0", reviews: 26 * asks},
		{change: refuse(core), every: 2 * time.Minute, want: "v1 create", logged: "0 3 0"},
		{change: refuse(v1, core), records: "db", every: 5 * time.Minute, want: "v1 create 403", pending: 1,
			status: "v1 denied/denied", logged: "0 4 0"}, // it is another finding
	}},
	"kept, and granted by core/v1": {phases: []phase{
		{change: refuse(v1, core), records: "web", every: 5 * time.Minute, want: "v1 create 403", pending: 1,
			status: "v1 denied/denied", logged: "0 1 0"},
		{change: refuse(v1), every: 2 * time.Minute, want: "core create, v1 create 403", status: "core denied/allowed", logged: "1 1 0"},
	}},
	// One finding, one line of the log, and one question a minute; new series go on to be created.
	"a Role without patch": {phases: []phase{
		{change: allow(func(r eventstest.Request) bool { return r.Verb != "patch" }), records: "web-# web-#", rounds: 15,
			every: 30 * time.Second, want: "v1 create, v1 patch 403", pending: -1, status: "v1 denied/denied", logged: "0 1 0", reviews: 11 * asks},
		{change: allow(nil), every: time.Minute, want: "v1 patch", maybe: "v1 create", logged: "0 1 0"},
	}},
	"from core/v1 to v1 within the minute of a review": {phases: []phase{
		{change: refuse(v1), records: "web", want: "core create, v1 create 403", status: "core denied/allowed", logged: "1 0 0"},
		{change: refuse(core), records: "web", every: 2 * time.Minute, want: "core patch 403, v1 patch", logged: "1 0 1"},
	}},
	// What tries v1 again is a patch, and no create, which would succeed and prove nothing.
	"a Role without patch of v1": {phases: []phase{
		{change: allow(func(r eventstest.Request) bool { return r.Group == core || r.Verb == "create" }), records: "web-# web-#",
			rounds: 60, every: time.Minute, want: "core create, core patch, v1 create, v1 patch 403", once: "v1 create",
			status: "core denied/allowed", logged: "1 0 0"},
		{change: coreRefusesOnce, records: "db-#", rounds: 5, every: time.Minute, want: "core create, core create 403",
			status: "core denied/allowed", logged: "1 0 0"},
		{change: allow(nil), every: 10 * time.Minute, status: "core denied/allowed", logged: "1 0 0"},
		{records: "last last", want: "core create, v1 patch", logged: "1 0 1"},
	}},
	// The first patch leads back. The create after it is refused, and then no patch leads back any more.
	"a Role of v1 without create": {phases: []phase{
		{
			change:  allow(func(r eventstest.Request) bool { return r.Group == core || r.Verb == "patch" }),
			records: "web web-#",
			rounds:  180,
			every:   time.Minute,
			want:    "core create, core patch, v1 create 403, v1 patch",
			once:    "v1 patch",
			status:  "core denied/allowed",
			logged:  "2 0 1",
		},
		{
			change: allow(nil),
			every:  10 * time.Minute,
			status: "core denied/allowed",
			logged: "2 0 1",
		},
		{
			records: "last last",
			want:    "v1 create, v1 patch",
			logged:  "2 0 2",
		},
	}},
	"patches lead back, if there are no creates": {phases: []phase{
		{change: refuse(v1), records: "web web", want: "core create, core patch, v1 create 403", status: "core denied/allowed", logged: "1 0 0"},
		{change: refuse(), records: "web", rounds: 15, every: time.Minute, want: "core patch, v1 patch", logged: "1 0 1"},
	}},
	"reviews are not answered: both ways are tried": {phases: []phase{
		{change: both(reviewsFail, refuse(v1)), records: "web", want: "core create, v1 create 403", status: "core unknown/unknown", logged: "1 0 0"},
		{change: refuse(core), records: "web", want: "core patch 403, v1 patch", logged: "1 0 1"},
		{change: refuse(v1, core), records: "web", every: 10 * time.Minute, want: "core patch 403, v1 patch 403", pending: 1,
			status: "v1 unknown/unknown", logged: "1 1 1"},
		{change: refuse(v1), every: 2 * time.Minute, want: "core patch, v1 patch 403", status: "core unknown/unknown", logged: "2 1 1"},
	}},
	// That v1 is not served any more is no reason to go back to it: the Events wait for core/v1, as the log says.
	"core/v1 refuses while v1 is not served": {phases: []phase{
		{
			change:  both(reviewsFail, refuse(v1)),
			records: "web",
			want:    "core create, v1 create 403",
			status:  "core unknown/unknown",
			logged:  "1 0 0",
		},
		{
			change:  both(refuse(core), func(c *cluster) { c.ServeEventsV1(false) }),
			records: "web",
			every:   5 * time.Minute,
			want:    "core patch 403, v1 patch 404",
			pending: 1,
			status:  "core unknown/unknown",
			logged:  "1 1 0",
		},
	}},
	// "Allowed" must be newer than the first refusal, for the others to be the last word.
	"revoked after a webhook has refused": {phases: []phase{
		{change: func(c *cluster) { c.webhook("web") }, records: "web", want: "v1 create 403", pending: 1, status: "v1 allowed/allowed", logged: "0 0 0"},
		{change: refuse(v1, core), every: 10 * time.Minute, want: "v1 create 403", pending: 1, status: "v1 denied/denied", logged: "0 1 0"},
	}},
	"a refusal of two seconds": {phases: []phase{
		{change: answer(errRefused), records: "web db", every: 2 * time.Second, want: "v1 create 403", pending: 2, status: "v1 allowed/allowed", logged: "0 0 0"},
		{change: answer(nil), every: time.Minute, want: "v1 create", logged: "0 0 0"},
	}},
	"a refusal of fifty seconds": {phases: []phase{
		{change: answer(errRefused), records: "web db", every: 50 * time.Second, want: "v1 create 403", pending: 2, status: "v1 allowed/allowed", logged: "0 0 0"},
		{change: answer(nil), every: 2 * time.Minute, want: "v1 create", logged: "0 0 0"},
	}},
	// A kube-apiserver that starts refuses everything, also reviews, until it has read who may do what: a restart sends for
	// nobody. If it stays so, somebody is needed.
	"a server that starts, and one that stays so": {phases: []phase{
		{change: both(reviewsFail, refuse(v1, core)), records: "web", every: 20 * time.Second, want: "core create 403, v1 create 403",
			pending: 1, status: "v1 unknown/unknown"},
		{change: refuse(), every: 10 * time.Minute, want: "v1 create"},
		{change: refuse(v1, core), records: "web", every: 20 * time.Second, want: "core create 403, v1 create 403",
			pending: 1, status: "v1 unknown/unknown"}, // a new Event
		{change: refuse(), every: 10 * time.Minute, want: "v1 create"},
		{change: refuse(v1, core), records: "db", every: 5 * time.Minute, want: "core create 403, v1 create 403", pending: 1,
			status: "v1 unknown/unknown", logged: "0 1 0"},
	}},
	"nobody can tell what is served": {phases: []phase{
		{change: both(func(c *cluster) { c.ServeEventsV1(false) }, func(c *cluster) { c.FailDiscovery(errStarting) }), records: "web",
			every: 20 * time.Second, want: "v1 create 404", pending: 1, logged: "0 0 0"},
		{change: func(c *cluster) { c.FailDiscovery(nil) }, every: 2 * time.Minute, want: "core create, v1 create 404", logged: "0 0 0"},
	}},
	// A pinned API is not left: what it refuses is kept.
	"only v1, refused": {mode: adapter.ModeEventsV1, phases: []phase{
		{change: refuse(v1), records: "web", every: 5 * time.Minute, want: "v1 create 403", pending: 1, status: "v1 denied/allowed", logged: "0 1 0"},
		{change: refuse(), every: 2 * time.Minute, want: "v1 create", logged: "0 1 0"},
	}},
	"only v1, not served": {mode: adapter.ModeEventsV1, phases: []phase{
		{change: func(c *cluster) { c.ServeEventsV1(false) }, records: "web", every: 5 * time.Minute, want: "v1 create 404", pending: 1, logged: "0 0 0"},
		{change: func(c *cluster) { c.ServeEventsV1(true) }, every: 2 * time.Minute, want: "v1 create", logged: "0 0 0"},
	}},
	"only core/v1, refused": {mode: adapter.ModeCoreV1, phases: []phase{
		{change: refuse(core), records: "web", every: 5 * time.Minute, want: "core create 403", pending: 1, status: "core allowed/denied", logged: "0 1 0"},
		{change: refuse(), every: 2 * time.Minute, want: "core create", logged: "0 1 0"},
	}},
}

// Each write goes where the cluster takes it, when RBAC and what is served change, and none is lost.
//
// Caught: a create that core/v1 refused once, after which creates try v1 again; creates alone that try, so that a namespace
// with one series stays with core/v1 for ever; a patch that leads back each time, and a create that is refused then; three refusals within a second as the last word; a review that is believed
// for longer than a series must be refused to be given up.
func TestRoutes(t *testing.T) {
	for name, row := range routes {
		t.Run(name, func(t *testing.T) { play(t, row.mode, row.phases...) })
	}
}

// TestAccess is the decision table for a 403, line by line, from Eventf to the server.
func TestAccess(t *testing.T) {
	const unknown, allowed, denied = discovery.PermissionUnknown, discovery.Allowed, discovery.Denied
	toCore := phase{want: "core create, v1 create 403", logged: "1 0 0"}
	refused := phase{want: "v1 create 403", pending: 1} // after a minute: TestAdmissionRefuses
	kept := phase{want: "v1 create 403", pending: 1, logged: "0 1 0"}
	tried := phase{want: "core create 403, v1 create 403", pending: 1}
	triedAndKept := phase{want: tried.want, pending: 1, logged: "0 1 0"}
	for _, row := range []struct {
		v1, core discovery.Permission // what the reviews say
		refuse   []string             // the groups that really refuse
		want     phase
		api      adapter.Mode
	}{
		{allowed, allowed, []string{v1}, refused, "v1"},
		{allowed, denied, []string{v1}, refused, "v1"},
		{allowed, unknown, []string{v1}, refused, "v1"},
		{denied, allowed, []string{v1}, toCore, "core"},
		{unknown, allowed, []string{v1}, toCore, "core"},
		{denied, denied, []string{v1, core}, kept, "v1"},
		{unknown, denied, []string{v1, core}, kept, "v1"},
		{unknown, unknown, []string{v1}, toCore, "core"},
		{denied, unknown, []string{v1}, toCore, "core"},
		{unknown, unknown, []string{v1, core}, tried, "v1"},
		{denied, unknown, []string{v1, core}, triedAndKept, "v1"},
	} {
		t.Run(fmt.Sprintf("v1 %v, core %v, %d refuse", row.v1, row.core, len(row.refuse)), func(t *testing.T) {
			p := row.want
			p.change = both(func(c *cluster) { c.permissions(row.v1, row.core) }, refuse(row.refuse...))
			p.records, p.every, p.reviews = "web", 40*time.Second, asksFor(row.v1)+asksFor(row.core)
			p.status = fmt.Sprintf("%s %v/%v", row.api, row.v1, row.core)
			play(t, "", p)
		})
	}
}

// Once it is known what the server serves, refusals ask nothing about that, however long they last.
func TestRefusalsDoNotProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, rec := start(t, c)
		emit(rec, 1, "shop", "web")
		time.Sleep(time.Minute)
		checkAccounts(t, a, 1, 0, nil)
		before := c.Probes.Load()
		c.deny("shop", v1, core)
		emit(rec, 1, "shop", "db")
		time.Sleep(10 * time.Minute)
		checkAccounts(t, a, 1, 1, nil)
		if after := c.Probes.Load(); after != before {
			t.Errorf("%d probes while writes are refused, want none", after-before)
		}
	})
}

// play runs an adapter through phases.
func play(t *testing.T, mode adapter.Mode, phases ...phase) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		log, logged := withLog()
		var a *adapter.Adapter
		var rec *adapter.Recorder
		var recorded int64
		requests := &seenRequests{}
		for i, p := range phases {
			if p.change != nil {
				p.change(c)
			}
			if a == nil {
				a, rec = start(t, c, logged, adapter.WithMode(cmp.Or(mode, adapter.ModeAuto)))
				defer a.OnRequest(requests.add)()
			}
			for round := range max(p.rounds, 1) {
				for _, name := range strings.Fields(p.records) {
					emit(rec, 1, "shop", strings.ReplaceAll(name, "#", fmt.Sprint(round)))
					recorded++
					soon, cancel := context.WithTimeout(t.Context(), time.Second)
					_ = a.Flush(soon) // not what is kept
					cancel()
				}
				time.Sleep(p.every)
			}
			want := strings.Split(p.want, ", ")
			if p.want == "" {
				want = nil
			}
			if diff := gocmp.Diff(want, requests.take(t, p.once, p.maybe)); diff != "" {
				t.Errorf("phase %d: requests (-want +got):\n%s", i, diff)
			}
			if p.pending < 0 {
				p.pending = a.Stats().Pending
			}
			checkAccounts(t, a, recorded-p.pending, p.pending, nil)
			status := ""
			if ns, there := a.Snapshot(0).Namespaces["shop"]; there {
				status = fmt.Sprintf("%s %v/%v", ns.API, ns.Access.EventsV1, ns.Access.CoreV1)
				if mode == "" && (ns.Remedy() == "") != (ns.Access.EventsV1 == discovery.Allowed) {
					t.Errorf("phase %d: remedy %q, want one unless RBAC is not what is wrong", i, ns.Remedy())
				}
			}
			for _, line := range log.Lines("RBAC forbids") {
				if !strings.Contains(line, "RoleBinding") {
					t.Errorf("phase %d: no remedy in the log line: %s", i, line)
				}
			}
			lines := func(text string) int { return len(log.Lines(text)) }
			said := fmt.Sprint(lines("RBAC forbids events.k8s.io/v1 in this namespace"), lines("RBAC forbids Events in this namespace"),
				lines("Events of this namespace go through events.k8s.io/v1 again"))
			if status != p.status || said != cmp.Or(p.logged, "0 0 0") {
				t.Errorf("phase %d: status %q, logged %s, want %q, %s", i, status, said, p.status, p.logged)
			}
			if n := c.reviews(); p.reviews > 0 && n > p.reviews {
				t.Errorf("phase %d: %d access reviews, want at most %d", i, n, p.reviews)
			}
		}
	})
}

// seenRequests are the sorts of requests, and how many there were of each.
type seenRequests struct {
	mu  sync.Mutex // workers call
	all map[string]int
}

func (s *seenRequests) add(r events.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]int{}
	}
	api := map[string]string{"v1": "core", "events.k8s.io/v1": "v1"}[r.API]
	sort := api + " " + r.Operation
	if r.Code >= 300 {
		sort += fmt.Sprint(" ", r.Code)
	}
	s.all[sort]++
}

// take returns the sorts since it was called last, without one that may be there.
func (s *seenRequests) take(t *testing.T, once, maybe string) []string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.all = nil }()
	if n := s.all[once]; n > 1 {
		t.Errorf("%d of %s, want one", n, once)
	}
	delete(s.all, maybe)
	return slices.Sorted(maps.Keys(s.all))
}

// classified is an AlreadyExists that counts how often it is classified.
type classified struct {
	error
	times *atomic.Int32
}

func (c classified) Unwrap() error { return c.error }

// As is asked only by a classification for errors of this type.
func (c classified) As(target any) bool {
	if _, ok := target.(**rest.RequestConstructionError); ok {
		c.times.Add(1)
	}
	return false
}

// existing answers every write with the same error.
type existing struct{ err error }

func (s existing) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, s.err
}

func (s existing) Patch(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) {
	return nil, s.err
}

// An answer that comes through Tee and the adapter is classified once.
//
// Caught: each of these and the engine classify it anew.
func TestAnswerIsClassifiedOnce(t *testing.T) {
	var times atomic.Int32
	exists := apierrors.NewAlreadyExists(eventsv1.Resource("events"), "web")
	primary := existing{classified{exists, &times}}
	a := adapter.New(t.Context(), eventstest.NewClientset(), events.WithLogger(klog.Logger{}),
		adapter.WithSink(func(events.Sink) events.Sink { return sinks.Tee(primary, existing{}) }))
	a.Recorder("example.com/test").Eventf(fixture.Pod("shop", "web"), nil, "Normal", "Killing", "Kill", "stopping")
	if err := a.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	a.Shutdown()
	if s := a.Stats(); s.Recorded != 1 || times.Load() != 1 {
		t.Errorf("%d recorded and %d classifications, want one of each", s.Recorded, times.Load())
	}
}
