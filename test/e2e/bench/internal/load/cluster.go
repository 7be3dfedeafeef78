// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"container/heap"
	"math/rand/v2"
	"time"
)

// Cluster says what its components have to say, in the order of time.
type Cluster struct {
	Config

	now   time.Duration
	rng   *rand.Rand
	queue queue
	turns uint64 // what is due at the same time goes on in this order
	out   []Emission
	read  int
	last  time.Duration // of the last emission

	ids           uint32
	schedulerFree time.Duration // when the scheduler may look at the next pod
}

// New returns a cluster in which as much goes on as always, at time zero.
func New(config Config) *Cluster {
	c := NewIdle(config)
	c.beginNormal()
	if config.Bad {
		c.beginBad()
	}
	return c
}

// NewIdle returns a cluster in which nothing happens but what [Cluster.Add] adds.
func NewIdle(config Config) *Cluster {
	return &Cluster{Config: config, rng: rand.New(rand.NewPCG(config.Seed, 0)), ids: uint32(config.Pods())}
}

const callTakes = time.Microsecond

// Next returns the next emission, false when the span has passed.
func (c *Cluster) Next() (Emission, bool) {
	for c.read == len(c.out) {
		c.out, c.read = c.out[:0], 0
		if len(c.queue) == 0 || c.queue[0].at >= c.Span {
			return Emission{}, false
		}
		next := heap.Pop(&c.queue).(turn)
		c.now = next.at
		if after, on := next.process.step(c); on {
			c.begin(next.process, max(after, time.Millisecond))
		}
	}
	e := c.out[c.read]
	c.read++
	// A call takes its time, and client-go's names of Events about one object differ by the clock alone.
	e.At = max(e.At, c.last+callTakes)
	c.last = e.At
	return e, true
}

// Play sleeps until each emission, in a bubble, and calls look at the end of each interval of the span.
func (c *Cluster) Play(began time.Time, interval time.Duration, look func(), emit func(*Emission)) {
	next := interval
	lookUntil := func(at time.Duration) {
		for ; next <= at; next += interval {
			time.Sleep(time.Until(began.Add(next)))
			look()
		}
	}
	for e, ok := c.Next(); ok; e, ok = c.Next() {
		lookUntil(e.At)
		time.Sleep(time.Until(began.Add(e.At)))
		emit(&e)
	}
	lookUntil(c.Span)
}

// emit says something now, if the component records.
func (c *Cluster) emit(component int, about Object, what What, note string) {
	if first, end := c.Recording(); component < first || component >= end {
		return
	}
	c.out = append(c.out, Emission{At: c.now, Component: component, Regarding: about, What: what, Note: note})
}

// central is the component that is no kubelet.
func (c *Cluster) central(which int) int { return c.Nodes + which }

// process is something that goes on by itself. A step emits what there is to say now and returns after how long it goes
// on, or false when it is over. Processes are pointers, each begun once.
type process interface {
	step(*Cluster) (after time.Duration, on bool)
}

func (c *Cluster) begin(p process, after time.Duration) {
	c.turns++
	heap.Push(&c.queue, turn{at: c.now + after, turn: c.turns, process: p})
}

type turn struct {
	at      time.Duration
	turn    uint64
	process process
}

// queue is a heap by time; what is due at the same time keeps its order.
type queue []turn

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(turn)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	(*q)[last], *q = turn{}, (*q)[:last]
	return x
}

func (q queue) Less(i, j int) bool {
	if q[i].at != q[j].at {
		return q[i].at < q[j].at
	}
	return q[i].turn < q[j].turn
}

// newPod is one that was not there before, on a node that the control plane sees.
func (c *Cluster) newPod(app uint32) pod {
	c.ids++
	return pod{app: app, id: c.ids, node: c.someNode(), containers: c.containers()}
}

// oldPod is one of those that have always been there.
func (c *Cluster) oldPod() pod {
	id := c.rng.Uint32N(uint32(c.Pods()))
	return pod{app: id / PodsPerDeployment, id: id, node: int(id) / c.PodsPerNode, containers: c.containers()}
}

func (c *Cluster) someNode() int {
	for {
		if n := c.rng.IntN(c.Nodes); !c.Cut(n, c.now) {
			return n
		}
	}
}

func (c *Cluster) someApp() uint32 { return c.rng.Uint32N(uint32(c.Deployments())) }

// chance is true with that probability.
func (c *Cluster) chance(p float64) bool { return c.rng.Float64() < p }

// about is a random time with that mean.
func (c *Cluster) about(mean time.Duration) time.Duration {
	return time.Duration(c.rng.ExpFloat64() * float64(mean))
}

// jittered is how long kubelet waits before it looks at a pod again.
func (c *Cluster) jittered(d time.Duration) time.Duration {
	return d + time.Duration(c.rng.Float64()*SyncJitter*float64(d))
}
