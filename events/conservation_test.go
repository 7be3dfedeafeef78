// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// chaos is a server that does at random what servers do.
type chaos struct {
	*eventstest.Sink
	rand   *rand.Rand
	stored atomic.Int64 // the sum of the deltas of all acknowledged writes
}

func (c *chaos) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := c.Sink.Create(ctx, e)
	c.add(ctx, err)
	return stored, err
}

func (c *chaos) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	stored, err := c.Sink.Patch(ctx, e, patch)
	c.add(ctx, err)
	return stored, err
}

func (c *chaos) add(ctx context.Context, err error) {
	if err == nil || apierrors.IsAlreadyExists(err) {
		w, _ := events.WriteFromContext(ctx)
		c.stored.Add(w.Delta)
	}
}

var faults = []error{
	errOverloaded, errRateLimited, errUnavailable, errInternal, errForbidden, errNoNamespace, errConflict, errInvalid,
	errTerminating(), errNotServed(), errTimeout, errors.New("connection reset"), events.ErrFiltered,
}

func (c *chaos) strike() {
	err := faults[c.rand.IntN(len(faults))]
	switch c.rand.IntN(6) {
	case 0:
		c.FailNext(1+c.rand.IntN(5), err)
	case 1: // only a request whose fate is unknown may be applied
		c.LoseNext(1+c.rand.IntN(3), errTimeout)
	case 2:
		c.SetLatency(time.Duration(c.rand.IntN(40)) * time.Second)
	case 3:
		c.Hold()
	case 4:
		if all := c.Events(); len(all) > 0 {
			gone := all[c.rand.IntN(len(all))]
			c.Expire(gone.Namespace, gone.Name)
		}
	default:
		c.heal()
	}
}

func (c *chaos) heal() {
	c.Heal()
	c.Release()
	c.SetLatency(0)
}

// emit records something that may be about anything, and may be wrong in any way.
func (c *chaos) emit(rec *events.Recorder) {
	var regarding runtime.Object = newPodIn(fmt.Sprint("ns-", c.rand.IntN(3)), fmt.Sprint("pod-", c.rand.IntN(40)))
	if c.rand.IntN(50) == 0 {
		regarding = nil
	}
	kind := []string{"Normal", "Normal", "Warning"}[c.rand.IntN(3)]
	for range 1 + c.rand.IntN(4) {
		rec.Eventf(regarding, nil, kind, "Killing", "", "note %d", c.rand.IntN(5))
	}
}

// I1: Observed = Recorded + Pending + the sum of Dropped, in every snapshot, whatever the server does and whatever the
// caller emits, and every drop was told to the handler.
func TestI1ConservationInEverySnapshot(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &chaos{Sink: eventstest.NewSink(), rand: rand.New(rand.NewPCG(seed, 1))}
				var told atomic.Int64
				b, rec := start(t, c,
					events.WithMaxSeries(30+c.rand.IntN(100)), events.WithRetryFor(6*time.Minute),
					events.WithNotes([]events.NotePolicy{events.NotesFirst, events.NotesLatest, 3}[c.rand.IntN(3)]),
					events.WithDropHandler(func(d events.Drop) { told.Add(d.Occurrences) }))
				for range 400 {
					c.emit(rec)
					if c.rand.IntN(8) == 0 {
						c.strike()
					}
					checkConserved(t, b.Stats())
					time.Sleep(time.Duration(c.rand.IntN(20_000)) * time.Millisecond)
				}
				if seed%2 == 0 {
					c.heal()
				}
				lost := drain(t, b, time.Minute)
				c.emit(rec)
				s := b.Stats()
				checkConserved(t, s)
				checkCounts(t, b)
				if got := c.stored.Load(); got != s.Recorded {
					t.Errorf("the deltas of what is stored add up to %d, recorded are %d", got, s.Recorded)
				}
				checkEnd(t, s, lost, told.Load())
			})
		})
	}
}

// checkCounts checks that the counts by label set are sorted, conserved one by one, and add up to Stats.
func checkCounts(t *testing.T, b *events.Broadcaster) {
	t.Helper()
	s, total := b.Stats(), events.Counts{}
	var last events.Labels
	for _, c := range b.Snapshot(0).Counts {
		if c.Compare(last) <= 0 {
			t.Errorf("%+v comes after %+v", c.Labels, last)
		}
		checkConserved(t, events.Stats{Observed: c.Observed, Recorded: c.Recorded, Pending: c.Pending, Dropped: c.Dropped})
		total, last = total.Add(c), c.Labels
	}
	want := events.Counts{Observed: s.Observed, Recorded: s.Recorded, Pending: s.Pending, Dropped: maps.Clone(s.Dropped)}
	maps.DeleteFunc(want.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
	if diff := cmp.Diff(want, total); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

// checkEnd checks the accounts of a drained broadcaster.
func checkEnd(t *testing.T, s events.Stats, lost *events.AbandonedError, told int64) {
	t.Helper()
	var dropped int64
	for _, n := range s.Dropped {
		dropped += n
	}
	if s.Pending != 0 || s.Series != 0 {
		t.Errorf("%d pending in %d series after Drain", s.Pending, s.Series)
	}
	if dropped != told {
		t.Errorf("%d dropped, the handler was told of %d", dropped, told)
	}
	var abandoned int64
	if lost != nil {
		abandoned = lost.Occurrences
	}
	if got := s.Dropped[events.Abandoned]; got != abandoned {
		t.Errorf("Dropped[Abandoned] = %d, Drain's error says %d", got, abandoned)
	}
	if s.Observed == 0 || s.Recorded == 0 || dropped == 0 {
		t.Errorf("not much of a test: %+v", s)
	}
}

// I1 in snapshots taken while others record.
func TestI1SnapshotConcurrentSafe(t *testing.T) {
	sink := eventstest.NewSink()
	b, rec := start(t, sink, events.WithMaxSeries(20))
	var recorders sync.WaitGroup
	for i := range uint64(4) {
		recorders.Go(func() {
			c := &chaos{Sink: sink, rand: rand.New(rand.NewPCG(i, 2))}
			for range 200 {
				c.emit(rec)
			}
		})
	}
	for range 100 {
		checkConserved(t, b.Stats())
	}
	recorders.Wait()
	flush(t, b)
	checkConserved(t, b.Stats())
}

// What the server has is between what is recorded and that plus what is unconfirmed: the newest object of each series
// counts, and here none expires.
func TestI1TheServerAgrees(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink, random := eventstest.NewSink(), rand.New(rand.NewPCG(seed, 3))
				b, rec := start(t, sink, events.WithMaxSeries(50), events.WithRetryFor(6*time.Minute))
				for range 500 {
					record(rec, 1+random.IntN(3), fmt.Sprint("web-", random.IntN(60)))
					switch random.IntN(10) {
					case 0:
						sink.LoseNext(2, errTimeout)
					case 1:
						sink.FailNext(3, errUnavailable)
					case 2:
						sink.FailNext(1, errInvalid)
					}
					time.Sleep(time.Duration(random.IntN(5000)) * time.Millisecond)
				}
				sink.LoseNext(-1, errTimeout)
				record(rec, 5, "last")
				lost := drain(t, b, 10*time.Second)
				s := b.Stats()
				var stored int64
				for _, e := range sink.Events() {
					stored += count(&e)
				}
				if stored < s.Recorded || stored > s.Recorded+s.Unconfirmed {
					t.Errorf("the server counts %d, want %d recorded and up to %d unconfirmed",
						stored, s.Recorded, s.Unconfirmed)
				}
				if lost == nil || lost.Unconfirmed == 0 {
					t.Errorf("Drain: %v, want unconfirmed occurrences", lost)
				}
			})
		})
	}
}
