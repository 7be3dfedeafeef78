// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/publishing"
)

// orderly is a sink that checks the order of the writes of each series.
type orderly struct {
	*eventstest.Sink
	t *testing.T

	mu     sync.Mutex // guards the rest
	flying map[string]bool
	stored map[string]int64 // the count that was answered last
	writes int
}

func (s *orderly) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.takeOff(e)
	return s.land(e)(s.Sink.Create(ctx, e))
}

func (s *orderly) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s.mu.Lock()
	if _, created := s.stored[e.Name]; !created {
		s.t.Errorf("I3: a patch of %s before its create was answered", e.Name)
	}
	s.mu.Unlock()
	s.takeOff(e)
	return s.land(e)(s.Sink.Patch(ctx, e, patch))
}

func (s *orderly) takeOff(e *eventsv1.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flying[e.Name] {
		s.t.Errorf("I3: two writes of %s at a time", e.Name)
	}
	s.flying[e.Name] = true
	s.writes++
}

func (s *orderly) land(sent *eventsv1.Event) func(*eventsv1.Event, error) (*eventsv1.Event, error) {
	return func(stored *eventsv1.Event, err error) (*eventsv1.Event, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.flying[sent.Name] = false
		if err == nil {
			if n := count(stored); n < s.stored[sent.Name] {
				s.t.Errorf("I3: the count of %s went from %d to %d", sent.Name, s.stored[sent.Name], n)
			}
			s.stored[sent.Name] = count(stored)
		} else if _, seen := s.stored[sent.Name]; !seen {
			s.stored[sent.Name] = 0 // 409: an attempt that got lost has created it
		}
		return stored, err
	}
}

// I3: at most one write per series is in flight, Create precedes Patch, the count on the server never decreases.
func TestI3WritesOfASeriesAreOrderedConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &orderly{Sink: eventstest.NewSink(), t: t, flying: map[string]bool{}, stored: map[string]int64{}}
		b, rec := start(t, sink, events.WithMaxInFlight(8), publishing.With(time.Second, 0, 0),
			events.WithFinishInterval(3*time.Second))
		var all sync.WaitGroup
		for i := range uint64(4) {
			all.Go(func() {
				random := rand.New(rand.NewPCG(i, 4))
				for range 200 {
					record(rec, 1+random.IntN(4), fmt.Sprint("web-", random.IntN(12)))
					time.Sleep(time.Duration(random.IntN(8000)) * time.Millisecond)
					switch random.IntN(12) {
					case 0:
						sink.LoseNext(1, errTimeout)
					case 1:
						sink.FailNext(1, errTimeout)
					case 2:
						sink.SetLatency(time.Duration(random.IntN(1500)) * time.Millisecond)
					case 3:
						annotate(t, sink.Sink, random)
					}
				}
			})
		}
		all.Wait()
		sink.Heal()
		flush(t, b)
		s := b.Stats()
		if s.Observed != s.Recorded {
			t.Errorf("recorded %d of %d", s.Recorded, s.Observed)
		}
		if s.Retries == 0 || sink.writes < 100 {
			t.Errorf("not much of a test: %+v", s)
		}
		var stored int64
		for _, e := range sink.Events() {
			stored += count(&e)
		}
		if stored != s.Observed {
			t.Errorf("the server counts %d, want %d", stored, s.Observed)
		}
	})
}

// annotate writes one of the Events, as another client would: the next patch conflicts.
func annotate(t *testing.T, sink *eventstest.Sink, random *rand.Rand) {
	all := sink.Events()
	if len(all) == 0 {
		return
	}
	e := all[random.IntN(len(all))]
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"seen":"%d"}}}`, random.Int())
	_, err := sink.Patch(context.Background(), &e, []byte(patch))
	if err != nil && !errors.Is(err, errTimeout) { // it may meet the fault that was meant for the recorder
		t.Error(err)
	}
}

// tardy is a network that keeps the first patch for a while. Its sender gives up first.
type tardy struct {
	*eventstest.Sink
	late func() (*eventsv1.Event, error) // the patch arrives
	mu   sync.Mutex                      // guards late
}

func (s *tardy) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s.mu.Lock()
	first := s.late == nil
	if first {
		s.late = func() (*eventsv1.Event, error) { return s.Sink.Patch(context.Background(), e, patch) }
	}
	s.mu.Unlock()
	if first {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Sink.Patch(ctx, e, patch)
}

// A delayed older patch must not lower the count for ever: it carries the resourceVersion that the newer one replaced.
func TestI3LatePatchDoesNotLowerTheCount(t *testing.T) {
	for _, beforeRetry := range []bool{true, false} {
		t.Run(fmt.Sprint("it arrives before the retry: ", beforeRetry), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := &tardy{Sink: eventstest.NewSink()}
				b, rec := start(t, sink)
				record(rec, 1, "web")
				synctest.Wait()
				record(rec, 1, "web")
				synctest.Wait() // the patch to 2 is on its way
				record(rec, 3, "web")
				if beforeRetry {
					if _, err := sink.late(); err != nil {
						t.Error(err)
					}
				}
				flush(t, b)
				if !beforeRetry {
					if _, err := sink.late(); err == nil {
						t.Error("the late patch was taken, want a conflict")
					}
				}
				if e := only(t, sink.Sink); count(&e) != 5 {
					t.Errorf("count %d, want 5; requests:\n%s", count(&e), sink.Log())
				}
			})
		})
	}
}
