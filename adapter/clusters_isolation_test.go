// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// timed is a cluster that answers within ten milliseconds, and knows when it was written to.
type timed struct {
	*remote
	mu     sync.Mutex // guards writes
	writes []time.Time
}

func newTimed() *timed {
	c := &timed{remote: newRemote()}
	c.config.Transport, c.config.QPS = c, 0
	return c
}

// RoundTrip implements http.RoundTripper.
func (c *timed) RoundTrip(request *http.Request) (*http.Response, error) {
	time.Sleep(10 * time.Millisecond)
	response, err := c.remote.RoundTrip(request)
	if err == nil && request.Method == http.MethodPost {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.writes = append(c.writes, time.Now())
	}
	return response, err
}

// sick is what happens to the clusters beside the one that is measured.
type sick struct{ hung, killed *remote }

// healthyFor records a Warning a second in a healthy cluster for half an hour, and returns how long after the start each
// was written.
func healthyFor(t *testing.T, s *sick) (after []time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		healthy, began := newTimed(), time.Now()
		remotes := map[string]*remote{"healthy": healthy.remote}
		if s != nil {
			s.hung, s.killed = newRemote(), newRemote()
			s.hung.hangs.Store(true)
			remotes["hung"], remotes["killed"] = s.hung, s.killed
		}
		c := newClusters(t, remotes, events.WithMaxSeries(3000))
		recorder := c.Recorder(controller)
		const seconds = 1800
		for i := range seconds {
			emit(recorder.For("healthy"), 1, "default", fmt.Sprint("web-", i))
			if s != nil {
				s.killed.gone.Store(300 <= i && i < 900)
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

// checkSick checks the accounts: the cluster that came back has everything, the one that hangs has nothing, and no more
// than its share of the bound.
func checkSick(t *testing.T, c *adapter.Clusters, s *sick, seconds int64) {
	killed, _ := c.Adapter("killed")
	flush(t, killed)
	checkAccounts(t, killed, seconds, 0, nil)
	if n := s.killed.total(); n != seconds {
		t.Errorf("the cluster that came back has %d occurrences, want %d", n, seconds)
	}
	hung, _ := c.Adapter("hung")
	stats := hung.Stats()
	checkConserved(t, stats)
	if stats.Recorded != 0 || stats.Dropped[events.CacheFull] == 0 || stats.Series < 1000 {
		t.Errorf("the hung cluster: %+v, want a full share of the bound and no record", stats)
	}
	checkConserved(t, c.Stats())
}

// One cluster hangs, one is gone for ten minutes: in the third every Event is written at the same nanosecond as without
// them.
func TestSickClustersDelayNoOther(t *testing.T) {
	alone, beside := healthyFor(t, nil), healthyFor(t, &sick{})
	if diff := cmp.Diff(alone, beside); diff != "" {
		t.Errorf("when the healthy cluster was written to (-alone +beside sick ones):\n%s", diff)
	}
}

// Clusters come and go while others record: every call is counted at most once, every count is where it belongs, and no
// total goes down. A call that meets a cluster on its way out may come after its end, and is in no total then.
func TestClustersConcurrentSafe(t *testing.T) {
	remotes := []*remote{newRemote(), newRemote(), newRemote()}
	c := newClusters(t, nil)
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
				checkConserved(t, now)
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
	if err := c.Drain(t.Context()); err != nil {
		t.Error(err)
	}
	const all = 2*goroutines*each + 3
	s := c.Stats()
	var stored int64
	for _, r := range remotes {
		stored += r.total()
	}
	without := s.Dropped[events.UnknownCluster] + s.Dropped[events.Stopped]
	if s.Observed > all || s.Recorded != stored || s.Recorded+without != s.Observed || s.Recorded == 0 {
		t.Errorf("%d recorded of %d, want %d; the clusters have %d: %v", s.Recorded, s.Observed, all, stored, s.Dropped)
	}
}
