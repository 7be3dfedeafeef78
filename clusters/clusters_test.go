// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/heap"
)

// An engaged cluster has no goroutine, and gets no request, until the first recorder for it is
// requested. Eventf returns while the server hangs.
func TestI6ClustersStartWithTheFirstRecorder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy, idle := newCluster(), newCluster()
		busy.Hangs.Store(true)
		goroutines := bubbleGoroutines()
		c := newSet(t, map[string]*cluster{"busy": busy, "idle": idle})
		recorder := c.Recorder(controller)
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := bubbleGoroutines(); n > goroutines {
			t.Errorf("%d goroutines before the first recorder, want at most %d", n, goroutines)
		}
		emit(recorder.For("busy"), 1, "default", "web")
		busy.Hangs.Store(false)
		time.Sleep(time.Hour)
		synctest.Wait()
		if busy.total() != 1 || len(busy.Requests()) == 0 {
			t.Errorf("%d occurrences, want 1", busy.total())
		}
		if n := len(idle.Requests()); n != 0 {
			t.Errorf("%d requests to a cluster that nothing is recorded for", n)
		}
		c.Shutdown()
		synctest.Wait()
		if n := bubbleGoroutines(); n > goroutines {
			t.Errorf("%d goroutines after Shutdown, want at most %d", n, goroutines)
		}
	})
}

// An occurrence for an unknown cluster is counted, passed to the drop handler, and written nowhere. It
// is logged once an hour for each name. A recorder belongs to one engagement of its cluster: later
// occurrences are logged, and are missing from the sums of the Set.
func TestClustersUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home, east := newCluster(), newCluster()
		log, logged := withLog()
		var handled atomic.Int64
		c := newSet(t, map[string]*cluster{"": home}, logged, events.WithDropHandler(func(d events.Drop) {
			if d.Reason == events.DropUnknownCluster && d.Regarding.Name == "web" {
				handled.Add(d.Occurrences)
			}
		}))
		recorder := c.Recorder(controller)
		unknown := recorder.For("east")
		emit(unknown, 2, "default", "web")
		engage(t, c, "east", east)
		emit(unknown, 1, "default", "web")
		kept := recorder.For("east")
		if again := recorder.For("east"); again != kept {
			t.Error("another recorder for the same cluster")
		}
		emit(kept, 4, "default", "web")
		disengage(t, c, "east")
		emit(recorder.For("east"), 1, "default", "web")
		engage(t, c, "east", east)
		emit(kept, 1, "default", "web")
		log.CheckOnce(t, "the broadcaster is shut down")
		emit(recorder.For("east"), 1, "default", "web")
		c.Shutdown()
		checkTotals(t, c, 9, 5, map[events.DropReason]int64{events.DropUnknownCluster: 4})
		if home.total() != 0 || east.total() != 5 || handled.Load() != 4 {
			t.Errorf("%d at home, %d in the east, %d drops handled, want 0, 5, 4", home.total(), east.total(), handled.Load())
		}
		log.CheckOnce(t, "the cluster is not engaged")
	})
}

func TestEngage(t *testing.T) {
	east, other := newCluster(), newCluster()
	c := newSet(t, map[string]*cluster{"east": east})
	first, _ := c.Adapter("east")
	if err := c.Engage(t.Context(), "east", rest.CopyConfig(east.Config())); err != nil {
		t.Errorf("the same configuration is refused: %v", err)
	}
	if now, _ := c.Adapter("east"); now != first {
		t.Error("the same configuration made another adapter")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	invalid, drained := newSet(t, nil, events.WithMaxSeries(-1)), newSet(t, nil)
	drained.Shutdown()
	for want, row := range map[string]struct {
		clusters *clusters.Set
		ctx      context.Context
		cluster  string
		config   *rest.Config
	}{
		`cluster "east": it is engaged with another configuration; call Disengage first`: {c, t.Context(), "east", other.Config()},
		`cluster "west": adapter: the rest.Config is nil`:                                {c, t.Context(), "west", nil},
		`cluster "west": context canceled`:                                               {c, ended, "west", other.Config()},
		"WithMaxSeries":                                                                  {invalid, t.Context(), "west", other.Config()},
		"drained":                                                                        {drained, t.Context(), "west", other.Config()},
	} {
		if err := row.clusters.Engage(row.ctx, row.cluster, row.config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := c.Disengage(t.Context(), "west"); err == nil {
		t.Error("a cluster that is not engaged is disengaged")
	}
	if names := slices.Collect(maps.Keys(c.Snapshot(0).Clusters)); !slices.Equal(names, []string{"east"}) {
		t.Errorf("engaged: %q", names)
	}
}

// After the context of a cluster has ended, Events that are recorded during the shutdown are still
// written. Then the name is free.
func TestClustersContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goroutines := bubbleGoroutines()
		c := newSet(t, nil)
		recorder := c.Recorder(controller)
		ctx, end := context.WithCancel(t.Context())
		used, unused, anew := newCluster(), newCluster(), newCluster()
		// requests also counts the requests to clusters that were disengaged.
		var requests atomic.Int64
		stop := c.OnRequest(func(events.Request) { requests.Add(1) })
		for name, r := range map[string]*cluster{"used": used, "unused": unused, "replaced": unused} {
			if err := c.Engage(ctx, name, r.Config()); err != nil {
				t.Fatal(err)
			}
		}
		emit(recorder.For("used"), 1, "default", "before")
		end()
		synctest.Wait()
		engage(t, c, "replaced", anew)
		emit(recorder.For("replaced"), 1, "default", "web")
		emit(recorder.For("used"), 2, "default", "after")
		emit(recorder.For("unused"), 3, "default", "after")
		// Six seconds are more than the drain timeout.
		time.Sleep(6 * time.Second)
		synctest.Wait()
		emit(recorder.For("used"), 1, "default", "late")
		emit(recorder.For("unused"), 1, "default", "late")
		if _, ok := c.Adapter("used"); ok {
			t.Error("the cluster is still engaged")
		}
		if used.total() != 3 || unused.total() != 3 || anew.total() != 1 {
			t.Errorf("%d, %d and %d occurrences, want 3, 3 and 1", used.total(), unused.total(), anew.total())
		}
		checkTotals(t, c, 9, 7, map[events.DropReason]int64{events.DropUnknownCluster: 2})
		s := c.Stats()
		stop()
		emit(recorder.For("replaced"), 1, "default", "later")
		c.Shutdown()
		if n := anew.total(); n != 2 {
			t.Errorf("%d occurrences in the cluster that took over a name, want 2: the end of the old one does not end it", n)
		}
		if n := requests.Load(); n != s.Creates+s.Patches || n < 4 {
			t.Errorf("%d requests reported, want those of %+v", n, s)
		}
		synctest.Wait()
		if n := bubbleGoroutines(); n > goroutines {
			t.Errorf("%d goroutines after Shutdown, want at most %d", n, goroutines)
		}
	})
}

// The error of Disengage has the losses of one cluster. The error of Drain has the losses and the
// names of all clusters.
func TestClustersSayWhatTheyLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		remotes := map[string]*cluster{"a": newCluster(), "b": newCluster(), "c": newCluster(), "d": newCluster()}
		c := newSet(t, remotes)
		recorder := c.Recorder(controller)
		n := 0
		for _, name := range []string{"a", "b", "c"} {
			remotes[name].Gone.Store(true)
			n++
			emit(recorder.For(name), n, "default", "web")
		}
		emit(recorder.For("d"), 1, "default", "web")
		within := func(end func(context.Context) error) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			return end(ctx)
		}
		check := func(err error, occurrences int64, texts ...string) {
			t.Helper()
			var lost *events.AbandonedError
			if !errors.As(err, &lost) || lost.Occurrences != occurrences || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want %d occurrences lost", err, occurrences)
			}
			for _, text := range texts {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%v, want %s in it", err, text)
				}
			}
		}
		check(within(func(ctx context.Context) error { return c.Disengage(ctx, "a") }), 1, `cluster "a"`)
		check(within(c.Drain), 2, `cluster "b"`, "abandoned 2 ", `cluster "c"`, "abandoned 3 ")
		checkTotals(t, c, 7, 1, map[events.DropReason]int64{events.DropAbandoned: 6})
	})
}

// Clusters that come and go, and configurations that are refused, leave nothing in memory.
//
// Caught: recorders of clusters that are gone.
func TestI5ClustersThatComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := newSet(t, nil, events.WithMaxSeries(-1))
		c := newSet(t, nil)
		recorder := c.Recorder(controller)
		round := func(from, to int) {
			for i := from; i < to; i++ {
				name, east := fmt.Sprint("cluster-", i), newCluster()
				if refused.Engage(t.Context(), name, east.Config()) == nil {
					t.Fatal("Engage took an invalid option")
				}
				engage(t, c, name, east)
				emit(recorder.For(name), 1, "default", "web")
				disengage(t, c, name)
			}
		}
		round(0, 50)
		base := heap.Live()
		round(50, 450)
		if grown := heap.Live() - base; grown > 1<<20 {
			t.Errorf("the heap grew by %d bytes in 400 clusters", grown)
		}
		checkTotals(t, c, 450, 450, nil)
	})
}

func TestI2ClustersRepeatsAllocateNothing(t *testing.T) {
	c := newSet(t, map[string]*cluster{"east": newCluster(), "west": newCluster()})
	one, _ := c.Adapter("east")
	recorder, pod := c.Recorder(controller), fixture.Pod("default", "web")
	repeat := func() { recorder.For("east").Eventf(pod, nil, "Normal", "Killing", "Kill", "stopping it") }
	repeat()
	repeat()
	fixture.Flush(t, one)
	if n := testing.AllocsPerRun(1000, repeat); n > 0.01 {
		t.Errorf("%v allocations for a repeat", n)
	}
}
