// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

var errScripted = errors.New("scripted")

func TestFailNextHasNoEffect(t *testing.T) {
	sink := NewSink()
	sink.FailNext(2, errScripted)
	for range 2 {
		if _, err := sink.Create(t.Context(), newEvent("web.1")); !errors.Is(err, errScripted) {
			t.Errorf("Create = %v, want the scripted error", err)
		}
	}
	if n := len(sink.Events()); n != 0 {
		t.Errorf("%d events stored by failing calls", n)
	}
	mustCreate(t, sink, newEvent("web.1"))
}

func TestLoseNextTakesEffect(t *testing.T) {
	sink := NewSink()
	sink.LoseNext(1, errScripted)
	if stored, err := sink.Create(t.Context(), newEvent("web.1")); !errors.Is(err, errScripted) || stored != nil {
		t.Errorf("Create = %v, %v; want only the scripted error", stored, err)
	}
	if _, err := sink.Create(t.Context(), newEvent("web.1")); !apierrors.IsAlreadyExists(err) {
		t.Errorf("the retry of a lost create = %v, want AlreadyExists", err)
	}
	if calls := sink.Calls(); !calls[0].Applied || calls[1].Applied {
		t.Errorf("applied: %v and %v, want the first only", calls[0].Applied, calls[1].Applied)
	}
}

func TestLoseNextHidesARefusal(t *testing.T) {
	sink := NewSink()
	sink.LoseNext(1, errScripted)
	event := newEvent("web.1")
	event.Action = ""
	if _, err := sink.Create(t.Context(), event); !errors.Is(err, errScripted) || sink.Calls()[0].Applied {
		t.Errorf("Create = %v, applied %v; want a lost refusal", err, sink.Calls()[0].Applied)
	}
}

func TestFaultsQueueUp(t *testing.T) {
	sink, other := NewSink(), errors.New("other")
	sink.FailNext(1, errScripted)
	sink.LoseNext(1, other)
	sink.FailNext(0, errScripted)
	sink.FailNext(-1, errScripted)
	for i, want := range []error{errScripted, other, errScripted, errScripted, errScripted} {
		if _, err := sink.Create(t.Context(), newEvent("web.1")); !errors.Is(err, want) {
			t.Errorf("call %d = %v, want %v", i, err, want)
		}
	}
	sink.Heal()
	mustPatch(t, sink, newEvent("web.1"), secondOccurrence)
}

func TestFaultNeedsAnError(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("FailNext(1, nil) did not panic")
		}
	}()
	NewSink().FailNext(1, nil)
}

func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := NewSink()
		sink.Release() // of an open one: nothing
		sink.Hold()
		sink.Hold()
		answered := make(chan error)
		for _, name := range []string{"web.1", "web.2"} {
			go func() {
				_, err := sink.Create(t.Context(), newEvent(name))
				answered <- err
			}()
		}
		synctest.Wait()
		select {
		case err := <-answered:
			t.Fatalf("a held call answered %v", err)
		default:
		}
		sink.Release()
		for range 2 {
			if err := <-answered; err != nil {
				t.Errorf("a released call = %v", err)
			}
		}
		mustCreate(t, sink, newEvent("web.3"))
	})
}

func TestHeldCallHonoursItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := NewSink()
		sink.Hold()
		sink.FailNext(1, errScripted)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := sink.Create(ctx, newEvent("web.1"))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("Create = %v after %v, want its deadline", err, time.Since(start))
		}
		sink.Release()
		if _, err := sink.Create(t.Context(), newEvent("web.1")); !errors.Is(err, errScripted) {
			t.Errorf("Create = %v, want the fault that the abandoned call did not use up", err)
		}
	})
}

func TestLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := NewSink()
		sink.SetLatency(3 * time.Second)
		start := time.Now()
		mustCreate(t, sink, newEvent("web.1"))
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("a create took %v, want 3s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := sink.Create(ctx, newEvent("web.2")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Create = %v, want its deadline", err)
		}
		sink.SetLatency(0)
		if _, err := sink.Create(ctx, newEvent("web.2")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Create with an ended context = %v, want its error", err)
		}
		if n := len(sink.Events()); n != 1 {
			t.Errorf("%d events stored, want only the first", n)
		}
	})
}
