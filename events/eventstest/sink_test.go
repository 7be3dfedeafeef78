// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func TestSinkLog(t *testing.T) {
	sink := NewSink()
	event := newEvent("web.17ab")
	counted := func(n int32) *eventsv1.Event {
		event := newEvent("web.17ab")
		event.Series = &eventsv1.EventSeries{Count: n, LastObservedTime: moment}
		return event
	}
	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
	_, _ = sink.Create(t.Context(), event)
	mustCreate(t, sink, event)
	mustPatch(t, sink, counted(2), secondOccurrence)
	mustPatch(t, sink, event, `{"metadata":{"annotations":{"a":"b"}}}`)
	sink.LoseNext(1, errScripted)
	_, _ = sink.Patch(t.Context(), counted(3), []byte(`{"series":{"count":3}}`))
	sink.Expire("default", "web.17ab")
	_, _ = sink.Patch(t.Context(), counted(4), []byte(`{"series":{"count":4}}`))
	mustCreate(t, sink, counted(4))
	_, _ = sink.Patch(t.Context(), event, []byte(`{`))
	want := `create pod/web Killing: ServiceUnavailable
create pod/web Killing
patch pod/web Killing count=2
patch pod/web Killing
patch pod/web Killing count=3: scripted (applied)
patch pod/web Killing count=4: NotFound
create pod/web Killing count=4
patch pod/web Killing: BadRequest
`
	if diff := cmp.Diff(want, sink.Log()); diff != "" {
		t.Errorf("Log() (-want +got):\n%s", diff)
	}
	if got := sink.Counts(); got != (Counts{Creates: 3, Patches: 5}) {
		t.Errorf("Counts() = %+v, want 3 creates and 5 patches", got)
	}
}

func TestSinkCountOnly(t *testing.T) {
	sink := NewSink()
	mustCreate(t, sink, newEvent("web.1"))
	sink.CountOnly()
	mustCreate(t, sink, newEvent("web.2"))
	mustPatch(t, sink, newEvent("web.2"), secondOccurrence)
	if calls := sink.Calls(); len(calls) != 0 || sink.Log() != "" {
		t.Errorf("%d calls kept, want none", len(calls))
	}
	if got := sink.Counts(); got != (Counts{Creates: 2, Patches: 1}) {
		t.Errorf("Counts() = %+v, want all three", got)
	}
}

func TestSinkRefusesNil(t *testing.T) {
	sink := NewSink()
	if _, err := sink.Create(t.Context(), nil); err == nil || len(sink.Calls()) != 0 {
		t.Errorf("Create(nil) = %v, want an error and no call", err)
	}
	_, err := sink.Patch(t.Context(), &eventsv1.Event{}, []byte(`{}`))
	checkStatus(t, err, http.StatusNotFound, apierrors.IsNotFound)
}

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
