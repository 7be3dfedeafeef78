// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

var errScripted = errors.New("scripted")

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
