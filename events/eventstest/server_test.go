// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/internal/eventrules"
)

var (
	coreGV   = corev1.SchemeGroupVersion
	eventsGV = eventsv1.SchemeGroupVersion
)

func TestServerFillsInSystemMetadata(t *testing.T) {
	given := newEvent("web.1")
	given.UID, given.CreationTimestamp.Time = "mine", moment.AddDate(-1, 0, 0)
	stored := mustCreate(t, NewSink(), given)
	if stored.UID == "" || stored.UID == "mine" || stored.ResourceVersion != "1" {
		t.Errorf("uid %q, resourceVersion %q, want the server's", stored.UID, stored.ResourceVersion)
	}
	if age := time.Since(stored.CreationTimestamp.Time); age > time.Minute {
		t.Errorf("created %v ago, want now", age)
	}
	stored.UID, stored.ResourceVersion, stored.CreationTimestamp = given.UID, "", given.CreationTimestamp
	if diff := cmp.Diff(given, stored); diff != "" {
		t.Errorf("the rest differs (-given +stored):\n%s", diff)
	}
}

func TestServerGeneratesNames(t *testing.T) {
	sink := NewSink()
	event := newEvent("")
	event.GenerateName = "web-"
	a, b := mustCreate(t, sink, event), mustCreate(t, sink, event)
	if !strings.HasPrefix(a.Name, "web-") || a.Name == b.Name {
		t.Errorf("generated %q and %q", a.Name, b.Name)
	}
}

func TestServerRefusesCreate(t *testing.T) {
	for _, r := range []struct {
		name string
		edit func(*eventsv1.Event)
		code int32
		is   func(error) bool
	}{
		{"no namespace", func(e *eventsv1.Event) { e.Namespace = "" }, 405, apierrors.IsMethodNotSupported},
		{"a rule", func(e *eventsv1.Event) { e.Action = "" }, 422, apierrors.IsInvalid},
		{"a resource version", func(e *eventsv1.Event) { e.ResourceVersion = "1" }, 500, nil},
		{"a rule first", func(e *eventsv1.Event) { e.ResourceVersion, e.Action = "1", "" }, 422, apierrors.IsInvalid},
		{"a name that is taken", func(e *eventsv1.Event) { e.Name = "taken" }, 409, apierrors.IsAlreadyExists},
		{"invalid UTF-8 that grows", func(e *eventsv1.Event) {
			e.Note = strings.Repeat("x", 1023) + "\xc3"
		}, 422, apierrors.IsInvalid},
	} {
		t.Run(r.name, func(t *testing.T) {
			sink := NewSink()
			mustCreate(t, sink, newEvent("taken"))
			event := newEvent("web.1")
			r.edit(event)
			_, err := sink.Create(t.Context(), event)
			checkStatus(t, err, r.code, r.is)
			if n := len(sink.Events()); n != 1 {
				t.Errorf("%d events stored, want only the first", n)
			}
		})
	}
}

func checkStatus(t *testing.T, err error, code int32, is func(error) bool) {
	t.Helper()
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		t.Fatalf("error %v is a %T, want a Status", err, err)
	}
	if got := status.Status().Code; got != code || is != nil && !is(err) {
		t.Errorf("error %v with code %d, want %d", err, got, code)
	}
}

func TestServerKeepsWhatJSONKeeps(t *testing.T) {
	event := newEvent("web.1")
	event.EventTime.Time = moment.Add(999 * time.Nanosecond)
	event.Note = "a\xffb"
	event.APIVersion, event.Kind = "events.k8s.io/v1", "Event"
	stored := mustCreate(t, NewSink(), event)
	if !stored.EventTime.Equal(&moment) || stored.Note != "a\uFFFDb" || stored.Kind != "" {
		t.Errorf("stored time %v, note %q, kind %q", stored.EventTime, stored.Note, stored.Kind)
	}
}

func TestServerSharesNoMemory(t *testing.T) {
	sink := NewSink()
	event := newEvent("web.1")
	event.Annotations = map[string]string{"a": "b"}
	created, patched := mustCreate(t, sink, event), mustPatch(t, sink, event, secondOccurrence)
	again := mustPatch(t, sink, event, secondOccurrence) // changes nothing
	for i, answer := range []*eventsv1.Event{event, created, patched, again, &sink.Events()[0]} {
		answer.Annotations["a"] = "scribble"
		if answer.Series != nil {
			answer.Series.Count = 99
		}
		if now := sink.Events()[0]; now.Annotations["a"] != "b" || now.Series.Count != 2 {
			t.Fatalf("a change to %d reached the storage: %v %v", i, now.Annotations, now.Series)
		}
	}
}

func TestServerRefusesPatch(t *testing.T) {
	for _, r := range []struct {
		name, patch string
		code        int32
		is          func(error) bool
	}{
		{"broken JSON", `{"series":`, 400, apierrors.IsBadRequest},
		{"a list", `[]`, http.StatusBadRequest, apierrors.IsBadRequest},
		{"milliseconds", `{"series":{"lastObservedTime":"2026-11-20T11:25:24.080Z"}}`, 422, apierrors.IsInvalid},
		{"another type", `{"series":{"count":"two"}}`, http.StatusUnprocessableEntity, apierrors.IsInvalid},
		{"another type, the long way", `{"series":{"count":"two"},"note":null}`, 422, apierrors.IsInvalid},
		{"another name", `{"metadata":{"name":"other"}}`, 400, apierrors.IsBadRequest},
		{"another namespace", `{"metadata":{"namespace":"other"}}`, 400, apierrors.IsBadRequest},
		{"another uid", `{"metadata":{"uid":"other"}}`, 422, apierrors.IsInvalid},
		{"an old resource version", `{"metadata":{"resourceVersion":"1"}}`, 409, apierrors.IsConflict},
		{"another note", `{"note":"other"}`, 422, apierrors.IsInvalid},
		{"another note, the long way", `{"note":null}`, 422, apierrors.IsInvalid},
		{"a series of one", `{"series":{"count":1}}`, 422, apierrors.IsInvalid},
	} {
		t.Run(r.name, func(t *testing.T) {
			sink := NewSink()
			event := newEvent("web.1")
			mustCreate(t, sink, event)
			want := mustPatch(t, sink, event, secondOccurrence)
			_, err := sink.Patch(t.Context(), event, []byte(r.patch))
			checkStatus(t, err, r.code, r.is)
			if diff := cmp.Diff([]eventsv1.Event{*want}, sink.Events()); diff != "" {
				t.Errorf("a refused patch had an effect (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServerPatchesWhatIsMissing(t *testing.T) {
	_, err := NewSink().Patch(t.Context(), newEvent("web.1"), []byte(secondOccurrence))
	checkStatus(t, err, http.StatusNotFound, apierrors.IsNotFound)
	details := err.(apierrors.APIStatus).Status().Details
	if details.Group != "events.k8s.io" || details.Kind != "events" || details.Name != "web.1" {
		t.Errorf("details %+v do not name the event", details)
	}
}

func TestServerPatches(t *testing.T) {
	sink := NewSink()
	event := newEvent("web.1")
	mustCreate(t, sink, event)
	for _, r := range []struct{ name, patch, series, version string }{
		{"a series", secondOccurrence, "2 11:25:24", "2"},
		{"half a series is merged", `{"series":{"count":4}}`, "4 11:25:24", "3"},
		{"the count may shrink", `{"series":{"count":3}}`, "3 11:25:24", "4"},
		{"the current version", `{"metadata":{"resourceVersion":"4"},"series":{"count":5}}`, "5 11:25:24", "5"},
		{"nothing new", `{"series":{"count":5}}`, "5 11:25:24", "5"},
		{"nothing", `{}`, "5 11:25:24", "5"},
		{"annotations", `{"metadata":{"annotations":{"a":"b"}}}`, "5 11:25:24", "6"},
		{"no series", `{"series":null}`, "", "7"},
	} {
		t.Run(r.name, func(t *testing.T) {
			stored, series := mustPatch(t, sink, event, r.patch), ""
			if s := stored.Series; s != nil {
				series = fmt.Sprintf("%d %s", s.Count, s.LastObservedTime.UTC().Format(time.TimeOnly))
			}
			if series != r.series || stored.ResourceVersion != r.version {
				t.Errorf("series %q at version %s, want %q at %s", series, stored.ResourceVersion, r.series, r.version)
			}
			if diff := cmp.Diff([]eventsv1.Event{*stored}, sink.Events()); diff != "" {
				t.Errorf("answered and stored differ:\n%s", diff)
			}
		})
	}
}

func TestServerUpdate(t *testing.T) {
	s := newServer()
	core := eventrules.ToCore(newEvent("web.1"))
	core.Kind, core.ResourceVersion = "Event", "7" // of one that has expired meanwhile
	created, err := s.update(coreGV, "default", core)
	if err != nil || created.Kind != "" {
		t.Fatalf("an update of a missing event = %v, %v; want it created", created, err)
	}
	changed := created.DeepCopy()
	changed.Message = "other"
	if _, err := s.update(eventsGV, "default", changed); !apierrors.IsInvalid(err) {
		t.Errorf("another note through events.k8s.io/v1 = %v, want Invalid", err)
	}
	updated, err := s.update(coreGV, "default", changed)
	if err != nil || updated.Message != "other" || updated.ResourceVersion == created.ResourceVersion {
		t.Errorf("another message through core/v1 = %v, %v", updated, err)
	}
	if _, err := s.update(coreGV, "default", changed); !apierrors.IsConflict(err) {
		t.Errorf("an update at an old resource version = %v, want Conflict", err)
	}
	changed.ResourceVersion, changed.UID = "", "other"
	if _, err := s.update(coreGV, "default", changed); !apierrors.IsConflict(err) {
		t.Errorf("an update of another uid = %v, want Conflict", err)
	}
	if _, err := s.update(coreGV, "elsewhere", changed); !apierrors.IsBadRequest(err) {
		t.Errorf("an update in another namespace = %v, want BadRequest", err)
	}
	changed.UID, changed.Name = "other", "missing"
	if _, err := s.update(coreGV, "default", changed); !apierrors.IsConflict(err) {
		t.Errorf("an update of a missing uid = %v, want Conflict", err)
	}
}
