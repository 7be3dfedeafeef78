// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/internal/eventconv"
)

func TestStoreFillsInSystemMetadata(t *testing.T) {
	given := newEvent("web.1")
	given.UID, given.CreationTimestamp.Time = "mine", moment.AddDate(-1, 0, 0)
	stored := mustCreate(t, New(), given)
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

func TestStoreGeneratesNames(t *testing.T) {
	s := New()
	event := newEvent("")
	event.GenerateName = "web-"
	a, b := mustCreate(t, s, event), mustCreate(t, s, event)
	if !strings.HasPrefix(a.Name, "web-") || a.Name == b.Name {
		t.Errorf("generated %q and %q", a.Name, b.Name)
	}
	event.GenerateName = strings.Repeat("x", 100)
	if long := mustCreate(t, s, event); len(long.Name) != 63 {
		t.Errorf("generated a name of %d bytes", len(long.Name))
	}
}

// Caught: a namespace that takes Events while it goes away.
func TestStoreOfATerminatingNamespace(t *testing.T) {
	s, r := New(), about(eventsGV, newEvent("a"))
	r.Terminating = true
	_, err := s.Create(r, eventconv.ToCore(newEvent("a")))
	checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
	_, err = s.Update(r, eventconv.ToCore(newEvent("a")))
	checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
	mustCreate(t, s, newEvent("a"))
	if _, err = s.Patch(r, strategic(secondOccurrence)); err != nil {
		t.Errorf("patch = %v", err)
	}
}

func TestStoreRefusesCreate(t *testing.T) {
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
			s := New()
			mustCreate(t, s, newEvent("taken"))
			event := newEvent("web.1")
			r.edit(event)
			_, err := create(s, event)
			checkStatus(t, err, r.code, r.is)
			if n := len(s.Events()); n != 1 {
				t.Errorf("%d events stored, want only the first", n)
			}
		})
	}
}

func TestStoreKeepsWhatJSONKeeps(t *testing.T) {
	event := newEvent("web.1")
	event.EventTime.Time = moment.Add(999 * time.Nanosecond)
	event.Note = "a\xffb"
	event.APIVersion, event.Kind = "events.k8s.io/v1", "Event"
	stored := mustCreate(t, New(), event)
	if !stored.EventTime.Equal(&moment) || stored.Note != "a\uFFFDb" || stored.Kind != "" {
		t.Errorf("stored time %v, note %q, kind %q", stored.EventTime, stored.Note, stored.Kind)
	}
}

func TestStoreSharesNoMemory(t *testing.T) {
	s := New()
	event := newEvent("web.1")
	event.Annotations = map[string]string{"a": "b"}
	created, patched := mustCreate(t, s, event), mustPatch(t, s, event, secondOccurrence)
	again := mustPatch(t, s, event, secondOccurrence) // changes nothing
	for i, answer := range []*eventsv1.Event{event, created, patched, again, &s.Events()[0]} {
		answer.Annotations["a"] = "scribble"
		if answer.Series != nil {
			answer.Series.Count = 99
		}
		if now := s.Events()[0]; now.Annotations["a"] != "b" || now.Series.Count != 2 {
			t.Fatalf("a change to %d reached the storage: %v %v", i, now.Annotations, now.Series)
		}
	}
}

func TestStoreRefusesPatch(t *testing.T) {
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
			s := New()
			event := newEvent("web.1")
			mustCreate(t, s, event)
			want := mustPatch(t, s, event, secondOccurrence)
			_, err := patch(s, event, r.patch)
			checkStatus(t, err, r.code, r.is)
			if diff := cmp.Diff([]eventsv1.Event{*want}, s.Events()); diff != "" {
				t.Errorf("a refused patch had an effect (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStorePatchesWhatIsMissing(t *testing.T) {
	_, err := patch(New(), newEvent("web.1"), secondOccurrence)
	checkStatus(t, err, http.StatusNotFound, apierrors.IsNotFound)
	details := err.(apierrors.APIStatus).Status().Details
	if details.Group != "events.k8s.io" || details.Kind != "events" || details.Name != "web.1" {
		t.Errorf("details %+v do not name the event", details)
	}
}

func TestStorePatches(t *testing.T) {
	s := New()
	event := newEvent("web.1")
	mustCreate(t, s, event)
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
			stored, series := mustPatch(t, s, event, r.patch), ""
			if s := stored.Series; s != nil {
				series = fmt.Sprintf("%d %s", s.Count, s.LastObservedTime.UTC().Format(time.TimeOnly))
			}
			if series != r.series || stored.ResourceVersion != r.version {
				t.Errorf("series %q at version %s, want %q at %s", series, stored.ResourceVersion, r.series, r.version)
			}
			if diff := cmp.Diff([]eventsv1.Event{*stored}, s.Events()); diff != "" {
				t.Errorf("answered and stored differ:\n%s", diff)
			}
		})
	}
}

func TestStoreUpdate(t *testing.T) {
	s := New()
	core := eventconv.ToCore(newEvent("web.1"))
	core.Kind, core.ResourceVersion = "Event", "7" // of one that has expired meanwhile
	created, err := s.Update(Request{Via: coreGV, Namespace: "default"}, core)
	if err != nil || created.Kind != "" {
		t.Fatalf("an update of a missing event = %v, %v; want it created", created, err)
	}
	changed := created.DeepCopy()
	changed.Message = "other"
	if _, err := s.Update(Request{Via: eventsGV, Namespace: "default"}, changed); !apierrors.IsInvalid(err) {
		t.Errorf("another note through events.k8s.io/v1 = %v, want Invalid", err)
	}
	updated, err := s.Update(Request{Via: coreGV, Namespace: "default"}, changed)
	if err != nil || updated.Message != "other" || updated.ResourceVersion == created.ResourceVersion {
		t.Errorf("another message through core/v1 = %v, %v", updated, err)
	}
	if _, err := s.Update(Request{Via: coreGV, Namespace: "default"}, changed); !apierrors.IsConflict(err) {
		t.Errorf("an update at an old resource version = %v, want Conflict", err)
	}
	changed.ResourceVersion, changed.UID = "", "other"
	if _, err := s.Update(Request{Via: coreGV, Namespace: "default"}, changed); !apierrors.IsConflict(err) {
		t.Errorf("an update of another uid = %v, want Conflict", err)
	}
	if _, err := s.Update(Request{Via: coreGV, Namespace: "elsewhere"}, changed); !apierrors.IsBadRequest(err) {
		t.Errorf("an update in another namespace = %v, want BadRequest", err)
	}
	changed.UID, changed.Name = "other", "missing"
	if _, err := s.Update(Request{Via: coreGV, Namespace: "default"}, changed); !apierrors.IsConflict(err) {
		t.Errorf("an update of a missing uid = %v, want Conflict", err)
	}
}
