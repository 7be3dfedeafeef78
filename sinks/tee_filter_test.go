// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

func isWarning(e *eventsv1.Event) bool { return e.Type == "Warning" }

func nothing(*eventsv1.Event) bool { return false }

// What the primary leaves out is the next one's: its answer counts, so it is retried.
//
// Caught: a Normal that is dropped because the API server should not have it; one whose only sink is not retried.
func TestTeeOfAFilteredPrimary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, all, none := eventstest.NewSink(), eventstest.NewSink(), eventstest.NewSink()
		tee := sinks.Tee(sinks.Filter(server, isWarning), sinks.Filter(none, nothing), all)
		b, rec := start(t, tee, klog.Logger{})
		all.FailNext(1, errUnavailable)
		emit(rec, 1, "Normal", "web")
		flush(t, b)
		emit(rec, 1, "Normal", "web") // one each: a worker may write the first of more before the last
		flush(t, b)
		emit(rec, 1, "Warning", "web")
		flush(t, b)
		const want = "create pod/web Killing: ServiceUnavailable\ncreate pod/web Killing\npatch pod/web Killing count=2\ncreate pod/web Killing\n"
		if got := all.Log(); got != want {
			t.Errorf("the sink of everything saw\n%swant\n%s", got, want)
		}
		if got := server.Events(); len(got) != 1 || got[0].Type != "Warning" {
			t.Errorf("the server has %v, want the Warning", got)
		}
		if s := b.Stats(); s.Recorded != 3 || s.Pending != 0 || s.Dropped[events.Filtered] != 0 {
			t.Errorf("accounts %+v, want 3 recorded", s)
		}
		left := sinks.Filter(server, nothing)
		if _, err := sinks.Tee(left, left).Create(t.Context(), newEvent("a")); !errors.Is(err, events.ErrFiltered) {
			t.Errorf("what all leave out: %v, want ErrFiltered", err)
		}
		if n := tee.Failed(); n != 0 || len(none.Events()) != 0 {
			t.Errorf("%d failures, %v in the sink of nothing; want none", n, none.Events())
		}
	})
}

// adder sums up what it is asked for, by Event.
type adder struct {
	mu     sync.Mutex
	deltas map[string]int64
	totals map[string]int64
}

func newAdder() *adder { return &adder{deltas: map[string]int64{}, totals: map[string]int64{}} }

func (a *adder) add(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w, ok := events.WriteFromContext(ctx)
	if !ok {
		return nil, errors.New("not called by a broadcaster")
	}
	a.deltas[e.Name] += w.Delta
	a.totals[e.Name] = w.Total
	return nil, nil
}

func (a *adder) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return a.add(ctx, e)
}

func (a *adder) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return a.add(ctx, e)
}

// The deltas that another sink sees add up to what is recorded, whatever happens to the answers of the primary.
//
// Caught: a stored Create that is answered "already exists" and not shared; the empty patch shared as a write; a
// conflict or an Event that has expired counted twice.
func TestTeeSharesEveryDelta(t *testing.T) {
	faults := map[string]func(*eventstest.Sink){
		"none":                 func(*eventstest.Sink) {},
		"refused":              func(s *eventstest.Sink) { s.FailNext(1, errUnavailable) },
		"answer lost":          func(s *eventstest.Sink) { s.LoseNext(1, context.DeadlineExceeded) },
		"refused, answer lost": func(s *eventstest.Sink) { s.FailNext(2, errUnavailable); s.LoseNext(1, context.Canceled) },
		"expired": func(s *eventstest.Sink) {
			for _, e := range s.Events() {
				s.Expire(e.Namespace, e.Name)
			}
		},
	}
	for first := range faults {
		for second := range faults {
			t.Run(first+", then "+second, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					primary, other := eventstest.NewSink(), newAdder()
					b, rec := start(t, sinks.Tee(primary, other), klog.Logger{})
					for _, fault := range []string{first, second, "none"} {
						faults[fault](primary)
						emit(rec, 7, "Normal", "web")
						flush(t, b)
						time.Sleep(time.Minute)
					}
					want := map[string]int64{}
					for _, e := range primary.Events() {
						want[e.Name] = 21
					}
					if diff := cmp.Diff(want, other.deltas); diff != "" || !maps.Equal(other.deltas, other.totals) {
						t.Errorf("sum of deltas (-want +got):\n%stotals %v", diff, other.totals)
					}
					if s := b.Stats(); s.Recorded != 21 {
						t.Errorf("Recorded = %d, want 21", s.Recorded)
					}
				})
			})
		}
	}
}

// buffer is a sink that buffers.
type buffer struct {
	events.Sink
	flush func(context.Context) error
}

func (b *buffer) Flush(ctx context.Context) error { return b.flush(ctx) }

// A flush reaches every sink that buffers, whatever the others do.
func TestFlushIsPassedOn(t *testing.T) {
	full, flushed := errors.New("the disk is full"), 0
	fine := &buffer{sinks.Discard, func(context.Context) error { flushed++; return nil }}
	sink := sinks.Tee(sinks.Filter(fine, isWarning), eventstest.NewSink(),
		&buffer{sinks.Discard, func(context.Context) error { panic("no disk") }},
		&buffer{sinks.Discard, func(context.Context) error { return full }},
		sinks.Tee(sinks.Filter(eventstest.NewSink(), isWarning), fine))
	if err := sink.Flush(t.Context()); !errors.Is(err, full) || err.Error() != "panicked: no disk\nthe disk is full" {
		t.Errorf("Flush() = %v, want both failures", err)
	}
	if flushed != 2 {
		t.Errorf("%d sinks flushed, want 2", flushed)
	}
}
