// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// workload runs recorders, writers, a timer and a flusher at the same cache at once.
type workload struct {
	t        *testing.T
	cache    *Cache
	queue    chan *Series
	inflight sync.Map // *Series → *atomic.Int32
	observed atomic.Int64
	clock    atomic.Int64 // nanoseconds since epoch
}

const workloadSeries = 40

func newWorkload(t *testing.T) *workload {
	// The queue holds what a writer's does: every series once, and those that left.
	return &workload{t: t, cache: newCache(intervals, workloadSeries), queue: make(chan *Series, 1<<16)}
}

func (c *workload) now() time.Time { return epoch.Add(time.Duration(c.clock.Load())) }

// run lets recorders record n times each, while writers, a timer, a flusher and
// watch do what they do as often.
func (c *workload) run(n int, watch func()) {
	var busy, writers sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		writers.Go(func() {
			for {
				select {
				case s := <-c.queue:
					c.write(s)
				case <-stop:
					return
				}
			}
		})
	}
	for g := range 4 {
		busy.Go(func() { c.record(rand.New(rand.NewPCG(uint64(g), 0)), n) })
	}
	for _, f := range []func(){c.expire, c.flush, watch} {
		busy.Go(func() {
			for range n {
				f()
			}
		})
	}
	busy.Wait()
	close(stop)
	writers.Wait()
	watch()
}

func (c *workload) expire() {
	c.clock.Add(int64(time.Second))
	due, _, _ := expire(c.cache, c.now())
	c.enqueue(due)
}

func (c *workload) flush() {
	due, f := flushAll(c.cache, c.now())
	c.enqueue(due)
	f.Cancel()
}

func (c *workload) record(r *rand.Rand, n int) {
	for range n {
		k := spread(fmt.Sprint("pod-", r.IntN(60)), []string{normal, warning}[r.IntN(2)])
		o := Occurrence{At: c.now()}
		if r.IntN(4) == 0 {
			o.Note, o.DistinctNotes = fmt.Sprint("note-", r.IntN(3)), 2
		}
		switch result := record(c.cache, k, o); {
		case result.Enqueue == 0:
		case r.IntN(2) == 0:
			c.write(result.Series) // whatever the scheduler does, some are written
		default:
			c.queue <- result.Series
		}
		c.observed.Add(1)
	}
}

func (c *workload) enqueue(due []Due) {
	for _, d := range due {
		c.queue <- seriesOf(d.Item)
	}
}

func (c *workload) write(s *Series) {
	w := begin(s)
	if w == nil {
		return
	}
	busy, _ := c.inflight.LoadOrStore(s, new(atomic.Int32))
	if busy.(*atomic.Int32).Add(1) != 1 {
		c.t.Error("I3: two writes of one series are in flight")
	}
	v := request.Verdict{
		Action: request.Stored + rand.N(request.Drop), Reason: stats.Rejected,
		Ambiguous: rand.N(2) == 0, Hold: rand.N(4) == 0,
	}
	busy.(*atomic.Int32).Add(-1)
	if next, _ := s.Settle(w, v, nil, c.now()); next != 0 {
		c.queue <- s
	}
}

// In every snapshot observed is recorded + pending + dropped (I1), and there are no more
// series than the bound (I5); each has one write in flight at most (I3), and in the end
// nothing is left of them.
func TestI1I3I5ConcurrentSafe(t *testing.T) {
	c := newWorkload(t)
	snapshots := 0
	c.run(2000, func() {
		total, pending, size := snapshotOf(c.cache)
		sum := total.Recorded + pending
		for _, r := range stats.Reasons() {
			sum += total.Dropped[r]
		}
		if total.Observed != sum || size > workloadSeries {
			t.Errorf("snapshot %d: observed %d, accounted for %d; %d series", snapshots, total.Observed, sum, size)
		}
		snapshots++
	})
	total, _, _ := snapshotOf(c.cache)
	if total.Observed != c.observed.Load() {
		t.Errorf("observed %d of %d calls", total.Observed, c.observed.Load())
	}
	if total.Recorded == 0 || total.Dropped[stats.Rejected] == 0 || total.Evicted == 0 {
		t.Errorf("the workload covers too little: %+v", total)
	}
	c.cache.Close(stats.Stopped)
	c.cache.Abandon()
	checkEmpty(t, c.cache)
}

// Many newcomers at once each find a place while there are enough, although
// they look for the same oldest series.
func TestRoomForAllNewcomersConcurrentSafe(t *testing.T) {
	const places = 16
	for round := range 200 {
		for newcomer, evict := range map[string]bool{normal: true, warning: false} {
			c := newCache(intervals, places)
			for i := range places {
				k := spread(fmt.Sprint("old-", i), normal)
				if see(c, k, at(0)); evict {
					stored(t, see(c, k, at(0)).Series, at(0))
				}
			}
			var group sync.WaitGroup
			var dropped atomic.Int64
			for i := range places {
				group.Go(func() {
					k := spread(fmt.Sprint("new-", i), newcomer)
					if r := see(c, k, at(time.Minute)); r.Dropped != stats.None {
						dropped.Add(1)
					}
				})
			}
			group.Wait()
			if n := dropped.Load(); n != 0 {
				t.Fatalf("round %d: %d of %d %s newcomers dropped as CacheFull", round, n, places, newcomer)
			}
		}
	}
}

// The name of an Event is read without a lock, by watchers and by the page, while answers change the series.
func TestEventNameConcurrentSafe(t *testing.T) {
	c := newCache(intervals, 4)
	s := see(c, keyOf("web", warning), at(0)).Series
	w := write(t, s)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, name := s.EventName(); name == "" {
				t.Error("no name")
			}
		})
	}
	s.Settle(w, request.NoAnswer, nil, at(0)) // the server may have it: that is kept
	all.Wait()
}
