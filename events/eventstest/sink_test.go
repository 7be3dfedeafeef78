// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func TestSinkLog(t *testing.T) {
	sink := NewSink()
	event := newEvent("web.17ab")
	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
	_, _ = sink.Create(t.Context(), event)
	mustCreate(t, sink, event)
	mustPatch(t, sink, event, secondOccurrence)
	mustPatch(t, sink, event, `{"metadata":{"annotations":{"a":"b"}}}`)
	sink.LoseNext(1, errScripted)
	_, _ = sink.Patch(t.Context(), event, []byte(`{"series":{"count":3}}`))
	sink.Expire("default", "web.17ab")
	_, _ = sink.Patch(t.Context(), event, []byte(`{"series":{"count":4}}`))
	event.Series = &eventsv1.EventSeries{Count: 4, LastObservedTime: moment}
	mustCreate(t, sink, event)
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

func TestSinkCalls(t *testing.T) {
	sink := NewSink()
	event := newEvent("web.1")
	body := []byte(secondOccurrence)
	mustCreate(t, sink, event)
	if _, err := sink.Patch(t.Context(), event, body); err != nil {
		t.Fatal(err)
	}
	body[0] = '!' // the caller's to reuse
	want := []Call{
		{
			Op: OpCreate, Namespace: "default", Name: "web.1", Regarding: event.Regarding, Reason: "Killing",
			Applied: true,
		}, {
			Op: OpPatch, Namespace: "default", Name: "web.1", Regarding: event.Regarding, Reason: "Killing",
			Applied: true, Count: 2, Patch: []byte(secondOccurrence),
		},
	}
	if diff := cmp.Diff(want, sink.Calls(), cmpopts.EquateErrors()); diff != "" {
		t.Errorf("Calls() (-want +got):\n%s", diff)
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
