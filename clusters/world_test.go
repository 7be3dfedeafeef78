// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

var worlds = flag.Int("worlds", 30, "how many seeds TestClustersWorld runs")

// clustersWorld is a component with some clusters, to which random things happen.
type clustersWorld struct {
	t        *testing.T
	random   *rand.Rand
	remotes  []*cluster
	clusters *clusters.Set
	recorder *clusters.Recorder
	engaged  []bool
	// kept has a recorder for each cluster, from the time when it was last engaged, or nil.
	kept []*events.Recorder
	// most is the maximum number of series of each cluster.
	most int

	calls, unknown int64
	// abandoned reports that a cluster was disengaged without time to write.
	abandoned bool
}

func (w *clustersWorld) name(i int) string { return fmt.Sprint("cluster-", i) }

// step plays one random step.
func (w *clustersWorld) step() {
	i := w.random.IntN(len(w.remotes))
	switch w.random.IntN(12) {
	case 0:
		w.remotes[i].Hangs.Store(w.random.IntN(2) == 0)
	case 1:
		w.remotes[i].Gone.Store(w.random.IntN(2) == 0)
	case 2:
		engage(w.t, w.clusters, w.name(i), w.remotes[i])
		w.engaged[i] = true
		w.kept[i] = w.recorder.For(w.name(i))
	case 3:
		w.disengage(i)
	case 4, 5, 6:
		time.Sleep(time.Duration(w.random.IntN(1+60_000)) * time.Millisecond)
	default:
		w.emit(i)
	}
}

// disengage ends a cluster, with some time to write or with none.
func (w *clustersWorld) disengage(i int) {
	if !w.engaged[i] {
		return
	}
	w.engaged[i] = false
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Duration(w.random.IntN(3))*time.Minute)
	defer cancel()
	if err := w.clusters.Disengage(ctx, w.name(i)); err != nil {
		w.abandoned = true
	}
}

// emit records Events in a cluster, which may be engaged or not, about objects that exist only in
// that cluster. Occurrences of a recorder that was kept for too long are in no sum of the Set.
func (w *clustersWorld) emit(i int) {
	recorder, late := w.recorder.For(w.name(i)), false
	if w.kept[i] != nil && w.random.IntN(3) == 0 {
		recorder, late = w.kept[i], !w.engaged[i]
	}
	n := 1 + w.random.IntN(20)
	for range n {
		emit(recorder, 1, "default", fmt.Sprintf("%s-pod-%d", w.name(i), w.random.IntN(30)))
	}
	if late {
		return
	}
	w.calls += int64(n)
	if !w.engaged[i] {
		w.unknown += int64(n)
	}
}

// check checks the rules that hold at any time.
func (w *clustersWorld) check() {
	s := w.clusters.Stats()
	fixture.CheckConserved(w.t, s)
	now, observed, recorded := w.clusters.Snapshot(0), int64(0), int64(0)
	for _, one := range now.Clusters {
		fixture.CheckConserved(w.t, one.Stats)
		if one.Stats.Series > w.most {
			w.t.Errorf("%d series in a cluster, want at most %d", one.Stats.Series, w.most)
		}
	}
	for _, one := range now.Counts {
		observed, recorded = observed+one.Observed, recorded+one.Recorded
	}
	if observed != s.Observed || recorded != s.Recorded {
		w.t.Errorf("Counts: %d observed, %d recorded, Stats: %+v", observed, recorded, s)
	}
	if s.Observed != w.calls || s.Dropped[events.DropUnknownCluster] != w.unknown {
		w.t.Errorf("%d calls, %d for unknown clusters: %+v", w.calls, w.unknown, s)
	}
}

// checkStored checks, after the end, that every cluster has its own Events and no others, and as
// many occurrences as are counted as recorded. A cluster may have more if an occurrence was dropped
// during a write.
func (w *clustersWorld) checkStored() {
	var stored int64
	for i, r := range w.remotes {
		stored += r.total()
		for _, e := range r.Events() {
			if !strings.HasPrefix(e.Regarding.Name, w.name(i)+"-") {
				w.t.Errorf("cluster %d has an Event about %s", i, e.Regarding.Name)
			}
		}
	}
	s := w.clusters.Stats()
	if stored < s.Recorded || stored > s.Recorded+s.Unconfirmed || s.Pending != 0 {
		w.t.Errorf("%d recorded, %d unconfirmed, %d pending, the clusters have %d",
			s.Recorded, s.Unconfirmed, s.Pending, stored)
	}
	for reason, n := range s.Dropped {
		allowed := reason == events.DropUnknownCluster || reason == events.DropCacheFull || reason == events.DropAbandoned && w.abandoned
		if n > 0 && !allowed {
			w.t.Errorf("%d dropped as %s", n, reason)
		}
	}
}

// run plays random steps, and ends all failures at the end.
func (w *clustersWorld) run() {
	for range 80 {
		w.step()
		synctest.Wait()
		if w.check(); w.t.Failed() {
			return
		}
	}
	for _, r := range w.remotes {
		r.Hangs.Store(false)
		r.Gone.Store(false)
	}
	time.Sleep(time.Hour)
	if s := w.clusters.Stats(); s.Series != 0 || s.Pending != 0 {
		w.t.Errorf("%d series and %d pending after an hour of healthy clusters", s.Series, s.Pending)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Minute)
	defer cancel()
	if err := w.clusters.Drain(ctx); err != nil {
		w.t.Errorf("with healthy clusters: %v", err)
	}
	w.check()
	w.checkStored()
}

// Clusters come and go, hang, and are gone for some time, in any order. Every call is counted once, no
// Event is written to another cluster, the limit of series holds, and a drain of healthy clusters
// loses nothing.
//
// Caught: a member that is counted twice or not at all when it leaves; a recorder that goes on
// writing to a cluster that was disengaged.
func TestClustersWorld(t *testing.T) {
	for seed := range *worlds {
		fixture.InBubble(t, fmt.Sprint(seed), func(t *testing.T) {
			w := &clustersWorld{t: t, random: rand.New(rand.NewPCG(uint64(seed), 0))}
			w.most = 5 + w.random.IntN(100)
			w.clusters = newSet(t, nil, events.WithMaxSeries(w.most), adapter.WithMode(adapter.ModeEventsV1))
			w.recorder = w.clusters.Recorder(controller)
			for range 3 {
				w.remotes, w.engaged = append(w.remotes, newCluster()), append(w.engaged, false)
				w.kept = append(w.kept, nil)
			}
			w.run()
		})
	}
}

// timed is a cluster that answers within ten milliseconds and remembers the times of its writes.
type timed struct {
	*cluster
	mu     sync.Mutex // guards writes
	writes []time.Time
}

func newTimed() *timed {
	c := &timed{cluster: newCluster()}
	c.Config().Transport, c.Config().QPS = c, 0
	return c
}

// RoundTrip implements http.RoundTripper.
func (c *timed) RoundTrip(request *http.Request) (*http.Response, error) {
	time.Sleep(10 * time.Millisecond)
	response, err := c.cluster.RoundTrip(request)
	if err == nil && request.Method == http.MethodPost {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.writes = append(c.writes, time.Now())
	}
	return response, err
}

// sick has the two clusters that fail while a third one is measured.
type sick struct{ hung, killed *cluster }

// healthyFor records a Warning each second for half an hour in a healthy cluster, and returns how
// long after the start each of them was written.
func healthyFor(t *testing.T, s *sick) (after []time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		healthy, began := newTimed(), time.Now()
		remotes := map[string]*cluster{"healthy": healthy.cluster}
		if s != nil {
			s.hung, s.killed = newCluster(), newCluster()
			s.hung.Hangs.Store(true)
			remotes["hung"], remotes["killed"] = s.hung, s.killed
		}
		c := newSet(t, remotes, events.WithMaxSeries(3000))
		recorder := c.Recorder(controller)
		const seconds = 1800
		for i := range seconds {
			emit(recorder.For("healthy"), 1, "default", fmt.Sprint("web-", i))
			if s != nil {
				s.killed.Gone.Store(300 <= i && i < 900)
				for j := range 5 {
					emit(recorder.For("hung"), 1, "default", fmt.Sprint("backlog-", i, "-", j))
				}
				emit(recorder.For("killed"), 1, "default", fmt.Sprint("web-", i))
			}
			time.Sleep(time.Second)
		}
		if s != nil {
			checkSick(t, c, s, seconds)
		}
		c.Shutdown()
		for _, at := range healthy.writes {
			after = append(after, at.Sub(began))
		}
		if len(after) != seconds {
			t.Errorf("%d writes in the healthy cluster, want %d", len(after), seconds)
		}
	})
	return after
}

// checkSick checks the numbers of the other clusters: the cluster that came back has all Events,
// and the cluster that hangs has none, and the maximum number of series in memory.
func checkSick(t *testing.T, c *clusters.Set, s *sick, seconds int64) {
	killed, _ := c.Adapter("killed")
	fixture.Flush(t, killed)
	checkStats(t, killed.Stats(), seconds, nil)
	if n := s.killed.total(); n != seconds {
		t.Errorf("the cluster that came back has %d occurrences, want %d", n, seconds)
	}
	hung, _ := c.Adapter("hung")
	stats := hung.Stats()
	fixture.CheckConserved(t, stats)
	if stats.Recorded != 0 || stats.Dropped[events.DropCacheFull] == 0 || stats.Series != 3000 {
		t.Errorf("the hung cluster: %+v, want as many series as it may have, and no record", stats)
	}
	fixture.CheckConserved(t, c.Stats())
}

// While one cluster hangs and another is gone for ten minutes, a third one writes every Event at the
// same nanosecond as without them.
func TestSickClustersDelayNoOther(t *testing.T) {
	alone, beside := healthyFor(t, nil), healthyFor(t, &sick{})
	if diff := cmp.Diff(alone, beside); diff != "" {
		t.Errorf("when the healthy cluster was written to (-alone +beside sick ones):\n%s", diff)
	}
}

// Clusters come and go while others record. Every call is counted at most once, in the right cluster,
// and no sum decreases. A call that meets a cluster on its way out may come after its end, and is then
// in no sum.
func TestClustersConcurrentSafe(t *testing.T) {
	remotes := []*cluster{newCluster(), newCluster(), newCluster()}
	c := newSet(t, nil)
	name := func(i int) string { return fmt.Sprint("cluster-", i%len(remotes)) }
	var recording, changing sync.WaitGroup
	var stop atomic.Bool
	const goroutines, each = 4, 100
	for g := range goroutines {
		recording.Go(func() {
			recorder := c.Recorder(controller)
			for i := range each {
				kept := recorder.For(name(g))
				runtime.Gosched()
				emit(kept, 1, "default", fmt.Sprint("kept-", i%7))
				emit(recorder.For(name(i)), 1, "default", fmt.Sprint("web-", i%7))
			}
		})
	}
	for i, r := range remotes {
		changing.Go(func() {
			var last events.Stats
			for !stop.Load() {
				engage(t, c, name(i), r)
				now := c.Stats()
				fixture.CheckConserved(t, now)
				if now.Observed < last.Observed || now.Recorded < last.Recorded {
					t.Errorf("a total went down: %+v, before %+v", now, last)
				}
				last = now
				disengage(t, c, name(i))
			}
			engage(t, c, name(i), r)
		})
	}
	recording.Wait()
	stop.Store(true)
	changing.Wait()
	for i := range remotes {
		emit(c.Recorder(controller).For(name(i)), 1, "default", "last")
	}
	fixture.End(t, c)
	const all = 2*goroutines*each + 3
	s := c.Stats()
	var stored int64
	for _, r := range remotes {
		stored += r.total()
	}
	without := s.Dropped[events.DropUnknownCluster] + s.Dropped[events.DropStopped]
	if s.Observed > all || s.Recorded != stored || s.Recorded+without != s.Observed || s.Recorded == 0 {
		t.Errorf("%d recorded of %d, want %d; the clusters have %d: %v", s.Recorded, s.Observed, all, stored, s.Dropped)
	}
}
