// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// wire is the way of one process to a server. The process can be killed, and answers be lost.
type wire struct {
	events.Sink
	random *rand.Rand
	lossy  int // one answer of so many is lost; 0: none
	killed atomic.Bool
	mu     sync.Mutex // guards random
}

func newWire(sink events.Sink, seed, lossy int) *wire {
	return &wire{Sink: sink, random: rand.New(rand.NewPCG(uint64(seed), 1)), lossy: lossy}
}

func (w *wire) do(write func() (*eventsv1.Event, error)) (*eventsv1.Event, error) {
	w.mu.Lock()
	there, back := time.Duration(w.random.IntN(10)), time.Duration(w.random.IntN(10))
	lost := w.lossy > 0 && w.random.IntN(w.lossy) == 0
	w.mu.Unlock()
	time.Sleep((2 + there) * time.Millisecond)
	if w.killed.Load() {
		return nil, errTimeout
	}
	stored, err := write()
	time.Sleep((3 + back) * time.Millisecond)
	if lost {
		return nil, errTimeout
	}
	return stored, err
}

func (w *wire) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return w.do(func() (*eventsv1.Event, error) { return w.Sink.Create(ctx, e) })
}

func (w *wire) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return w.do(func() (*eventsv1.Event, error) { return w.Sink.Patch(ctx, e, patch) })
}

// adder is a sink that adds up what it is told, as an exporter does.
type adder struct{ sum atomic.Int64 }

func (a *adder) Create(ctx context.Context, _ *eventsv1.Event) (*eventsv1.Event, error) {
	w, _ := events.WriteFromContext(ctx)
	a.sum.Add(w.Delta)
	return nil, nil
}

func (a *adder) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return a.Create(ctx, e)
}

// replica is one process.
type replica struct {
	*events.Broadcaster
	rec  *events.Recorder
	wire *wire
	tell *adder
}

func newReplica(t testing.TB, server events.Sink, seed, lossy int, opts ...events.Option) *replica {
	r := &replica{wire: newWire(server, seed, lossy), tell: &adder{}}
	opts = append(opts, events.WithReportingInstance(fmt.Sprint("replica-", seed)))
	r.Broadcaster, r.rec = start(t, sinks.Tee(r.wire, r.tell), opts...)
	return r
}

// kill ends the process between two of its requests.
func (r *replica) kill() {
	r.wire.killed.Store(true)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = r.Drain(ctx)
}

// countAll is the sum of the counts of all Events.
func countAll(t testing.TB, server *eventstest.Sink) (sum int64) {
	t.Helper()
	for _, e := range server.Events() {
		sum += count(&e)
		var shares []json.RawMessage
		if text, ok := e.Annotations["eventseries.dev/counts"]; ok && json.Unmarshal([]byte(text), &shares) != nil || len(shares) > 32 {
			t.Errorf("%s has %d shares: %s", e.Name, len(shares), text)
		}
	}
	return sum
}

// Whatever restarts and answers that are lost there are: what is exported is what is recorded, and what is on the server.
//
// Caught: a Tee that passes on a Create whose name was taken.
func TestContinuityBehindATee(t *testing.T) {
	for _, lossy := range []int{0, 2, 5} {
		t.Run(fmt.Sprint("one answer lost of ", lossy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := eventstest.NewSink()
				var recorded int64
				for life := range 20 {
					r := newReplica(t, server, life, lossy, events.WithContinuity())
					for range 5 {
						record(r.rec, 1, "web")
						time.Sleep(7 * time.Second)
					}
					drain(t, r.Broadcaster, time.Hour)
					s := r.Stats()
					if told := r.tell.sum.Load(); told != s.Recorded || s.Recorded != 5 {
						t.Errorf("life %d: %d exported, %d recorded, want 5", life, told, s.Recorded)
					}
					recorded += s.Recorded
				}
				if n, all := len(server.Events()), countAll(t, server); n != 1 || all != recorded {
					t.Errorf("%d Events count %d, want one with %d", n, all, recorded)
				}
			})
		})
	}
}

// A process that is killed every minute loses no more with continuity than without, alone or beside replicas.
//
// Caught: a count that is published when that of all replicas has doubled.
func TestContinuityOfKilledProcesses(t *testing.T) {
	for _, beside := range []int{0, 9} {
		share := map[bool]float64{}
		for _, continues := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				server := eventstest.NewSink()
				opts := []events.Option{}
				if continues {
					opts = append(opts, events.WithContinuity())
				}
				var observed int64
				replicas := make([]*replica, 1+beside)
				for life := range 30 {
					for i := range replicas {
						replicas[i] = newReplica(t, server, 100*life+i, 0, opts...)
					}
					for range 60 {
						for _, r := range replicas {
							record(r.rec, 1, "web")
							observed++
						}
						time.Sleep(time.Second)
					}
					for _, r := range replicas {
						r.kill()
					}
				}
				share[continues] = float64(countAll(t, server)) / float64(observed)
			})
		}
		t.Logf("%d replicas, 30 lives of a minute each: %.1f %% are on the server, without continuity %.1f %%",
			1+beside, 100*share[true], 100*share[false])
		if share[true] < share[false]-0.01 {
			t.Error("a kill loses more with continuity")
		}
	}
}

// However many replicas there are, each occurrence is counted once, the counts only grow, and of what is older than the
// publish interval more than half is on the server.
func TestContinuityOfManyReplicas(t *testing.T) {
	for _, n := range []int{1, 10, 40, 80, 300} {
		if testing.Short() && n > 80 {
			continue
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &growing{Sink: eventstest.NewSink(), t: t, last: map[string]storedCount{}}
				replicas := make([]*replica, n)
				for i := range replicas {
					replicas[i] = newReplica(t, server, i, 20, events.WithContinuity())
				}
				var observed, older int64
				for range 11 {
					older = observed
					for _, r := range replicas {
						record(r.rec, 1, "web")
						observed++
						time.Sleep(time.Minute / time.Duration(n))
					}
				}
				if now := countAll(t, server.Sink); 2*now < older {
					t.Errorf("%d of %d are on the server", now, older)
				}
				var all sync.WaitGroup
				for _, r := range replicas {
					all.Go(func() { drain(t, r.Broadcaster, time.Hour) })
				}
				all.Wait()
				if now := countAll(t, server.Sink); now != observed {
					t.Errorf("%d were recorded, the server counts %d", observed, now)
				}
				t.Logf("%d replicas: %d Events, %d writes of %d occurrences", n, len(server.Events()), server.Counts().Creates+server.Counts().Patches, observed)
			})
		})
	}
}

// growing is a server whose counts must not go down.
type growing struct {
	*eventstest.Sink
	t    *testing.T
	mu   sync.Mutex // guards last
	last map[string]storedCount
}

type storedCount struct {
	version int
	count   int64
}

func (g *growing) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	stored, err := g.Sink.Patch(ctx, e, patch)
	if err == nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		version, err := strconv.Atoi(stored.ResourceVersion)
		if err != nil {
			g.t.Error(err)
		}
		now, before := storedCount{version, count(stored)}, g.last[stored.Name]
		if now.version < before.version { // two workers come here in either order
			now, before = before, now
		}
		if now.count < before.count {
			g.t.Errorf("I3: the count of %s goes from %d to %d", stored.Name, before.count, now.count)
		}
		g.last[stored.Name] = now
	}
	return stored, err
}

// Replicas that write the same Events are in each other's way, and in nobody else's.
//
// Caught: a second conflict in a row that closes the gate of the namespace.
func TestConflictsHoldUpNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &arrivals{Sink: eventstest.NewSink(), at: map[string]time.Time{}}
		replicas := make([]*replica, 30)
		for i := range replicas {
			replicas[i] = newReplica(t, server, i, 0, events.WithContinuity())
		}
		recorded := map[string]time.Time{}
		for second := range 5 * 60 {
			for i := range 10 {
				for _, r := range replicas {
					r.rec.Eventf(newPod(fmt.Sprint("shared-", i)), nil, corev1.EventTypeNormal, "Synced", "Sync", "again")
				}
			}
			name := fmt.Sprint("alone-", second)
			recorded[name] = time.Now()
			replicas[second%30].rec.Eventf(newPod(name), nil, corev1.EventTypeWarning, "Failed", "Sync", "once")
			time.Sleep(time.Second)
		}
		for _, r := range replicas {
			drain(t, r.Broadcaster, time.Hour)
		}
		var waits []time.Duration
		for name, at := range recorded {
			waits = append(waits, server.at[name].Sub(at))
		}
		slices.Sort(waits)
		p99, worst := waits[len(waits)*99/100], waits[len(waits)-1]
		t.Logf("a Warning beside conflicts is stored after %v (median), %v (p99), %v (worst)", waits[len(waits)/2], p99, worst)
		if p99 > 500*time.Millisecond || waits[0] < 0 {
			t.Errorf("p99 is %v", p99)
		}
	})
}

// arrivals is a server that notes when it stored the first Event of an object.
type arrivals struct {
	*eventstest.Sink
	mu sync.Mutex // guards at
	at map[string]time.Time
}

func (a *arrivals) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := a.Sink.Create(ctx, e)
	if err == nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.at[e.Regarding.Name] = time.Now()
	}
	return stored, err
}

// Before Start, Flush does what the timer would do for a series that waits after conflicts.
func TestFlushWithConflictsBeforeStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &contestedFor{Sink: eventstest.NewSink(), left: 5}
		b := events.NewBroadcaster(sink, quiet)
		rec := newRecorder(b)
		for range 2 {
			record(rec, 1, "web")
			flush(t, b)
		}
		if s := b.Stats(); s.Recorded != 2 {
			t.Errorf("%d recorded, %d pending", s.Recorded, s.Pending)
		}
		drain(t, b, time.Second)
	})
}

// contestedFor answers some patches with a conflict.
type contestedFor struct {
	*eventstest.Sink
	left int
}

func (c *contestedFor) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	if c.left > 0 && string(patch) != "{}" {
		c.left--
		return nil, errConflict
	}
	return c.Sink.Patch(ctx, e, patch)
}
