// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
)

func patched() *eventsv1.Event {
	event := newEvent("web.1")
	event.Labels = map[string]string{"l": "1"}
	event.Annotations = map[string]string{"a": "1", "b": "2"}
	event.Series = &eventsv1.EventSeries{Count: 2, LastObservedTime: moment}
	event.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "o", UID: "1"}}
	event.Finalizers = []string{"a.b/c"}
	return event
}

// FuzzDecodingInPlaceIsMerging holds the short way of merge against both long ones.
func FuzzDecodingInPlaceIsMerging(f *testing.F) {
	for _, patch := range []string{
		secondOccurrence,
		`{"series":{"count":4}}`,
		`{"metadata":{"annotations":{"b":"3","c":""},"labels":{},"resourceVersion":"9"}}`,
		`{"note":"other","Note":"case","unknown":{"x":1},"related":{"name":"r"},"regarding":{"name":"r"}}`,
		`{"eventTime":"2026-11-20T11:25:24.080374Z","deprecatedCount":7,"deprecatedSource":{"host":"h"}}`,
		`{}`,
	} {
		f.Add([]byte(patch))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if !decodesInPlace(body) {
			return
		}
		short, shortErr := merge(patched(), strategic(string(body)), false)
		for _, p := range []Patch{strategic(string(body)), merging(string(body))} {
			long, longErr := mergeTheLongWay(patched(), p, false)
			if (shortErr == nil) != (longErr == nil) {
				t.Fatalf("%s %s: the short way says %v, the long way %v", p.Type, body, shortErr, longErr)
			}
			if diff := cmp.Diff(long, short); diff != "" {
				t.Errorf("%s %s (-long +short):\n%s", p.Type, body, diff)
			}
		}
	})
}

func TestPatchesThatNeedAMerge(t *testing.T) {
	for _, r := range []struct {
		name, patch string
		want        func(*eventsv1.Event)
	}{
		{"null removes a field", `{"series":null}`, func(e *eventsv1.Event) { e.Series = nil }},
		{"null removes a key", `{"metadata":{"annotations":{"a":null}}}`, func(e *eventsv1.Event) {
			delete(e.Annotations, "a")
		}},
		{"finalizers are merged", `{"metadata":{"finalizers":["x.y/z"]}}`, func(e *eventsv1.Event) {
			e.Finalizers = []string{"x.y/z", "a.b/c"}
		}},
		{"a directive", `{"series":{"$patch":"replace","count":7}}`, func(e *eventsv1.Event) {
			e.Series = &eventsv1.EventSeries{Count: 7}
		}},
		{"a directive in disguise", `{"series":{"\u0024patch":"replace","count":7}}`, func(e *eventsv1.Event) {
			e.Series = &eventsv1.EventSeries{Count: 7}
		}},
		{"a kind is not stored", `{"kind":"Other","apiVersion":"v9"}`, func(*eventsv1.Event) {}},
	} {
		t.Run(r.name, func(t *testing.T) {
			want := patched()
			r.want(want)
			got, err := strategic(r.patch).apply(Request{Via: eventsGV}, eventconv.ToCore(patched()))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, eventconv.FromCore(got)); diff != "" {
				t.Errorf("patched (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPatchNamesTheFieldsOfItsGroup(t *testing.T) {
	old := eventconv.ToCore(patched())
	for _, r := range []struct {
		patch      string
		core, next string // the message through core/v1 and the note through events.k8s.io/v1
	}{
		{`{"message":"other"}`, "other", "stopping"},
		{`{"note":"other"}`, "stopping", "other"},
	} {
		viaCore, err := strategic(r.patch).apply(Request{Via: coreGV}, old)
		if err != nil || viaCore.Message != r.core {
			t.Errorf("%s through core/v1 gives %q, %v; want %q", r.patch, viaCore.Message, err, r.core)
		}
		viaEvents, err := strategic(r.patch).apply(Request{Via: eventsGV}, old)
		if err != nil || viaEvents.Message != r.next {
			t.Errorf("%s through events.k8s.io/v1 gives %q, %v; want %q", r.patch, viaEvents.Message, err, r.next)
		}
	}
	if viaCore, err := strategic(`{"kind":"Other"}`).apply(Request{Via: coreGV}, old); err != nil || viaCore.Kind != "" {
		t.Errorf("core/v1 stores kind %q, %v", viaCore.Kind, err)
	}
}

// Caught: a 500 for both, a 400 for both.
func TestDirectivesThatCannotBeFollowed(t *testing.T) {
	for patch, code := range map[string]int32{
		`{"$patch":"nonsense"}`:            http.StatusInternalServerError,
		`{"$retainKeys":["x"],"note":"y"}`: http.StatusBadRequest,
	} {
		_, err := strategic(patch).apply(Request{Via: eventsGV}, eventconv.ToCore(patched()))
		if err == nil {
			t.Errorf("%s is followed", patch)
			continue
		}
		checkStatus(t, err, code, nil)
	}
}

// Caught: null kept as a value; lists joined; a value in the place of a map kept.
func TestMergePatches(t *testing.T) {
	for _, r := range []struct {
		name, patch string
		want        func(*eventsv1.Event)
	}{
		{"null removes a field", `{"series":null}`, func(e *eventsv1.Event) { e.Series = nil }},
		{"null removes a key", `{"metadata":{"annotations":{"a":null}}}`, func(e *eventsv1.Event) {
			delete(e.Annotations, "a")
		}},
		{"null in what is new", `{"related":{"name":"r","kind":null}}`, func(e *eventsv1.Event) {
			e.Related = &corev1.ObjectReference{Name: "r"}
		}},
		{"lists are replaced", `{"metadata":{"finalizers":["x.y/z"]}}`, func(e *eventsv1.Event) {
			e.Finalizers = []string{"x.y/z"}
		}},
		{"directives are fields that nobody knows", `{"series":{"$patch":"replace","count":7}}`, func(e *eventsv1.Event) {
			e.Series.Count = 7
		}},
	} {
		t.Run(r.name, func(t *testing.T) {
			want := patched()
			r.want(want)
			got, err := merging(r.patch).apply(Request{Via: eventsGV}, eventconv.ToCore(patched()))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, eventconv.FromCore(got)); diff != "" {
				t.Errorf("patched (-want +got):\n%s", diff)
			}
		})
	}
	_, err := merging(`null`).apply(Request{Via: eventsGV}, eventconv.ToCore(patched()))
	checkStatus(t, err, http.StatusBadRequest, apierrors.IsBadRequest)
}

// Caught: a field that nobody knows taken for none.
func TestStrictPatches(t *testing.T) {
	for _, p := range []Patch{strategic(`{"message":"not of this group"}`), merging(`{"message":"not of this group"}`)} {
		if _, err := p.apply(Request{Via: eventsGV}, eventconv.ToCore(patched())); err != nil {
			t.Errorf("%s = %v", p.Type, err)
		}
		_, err := p.apply(Request{Via: eventsGV, Strict: true}, eventconv.ToCore(patched()))
		checkStatus(t, err, http.StatusUnprocessableEntity, apierrors.IsInvalid)
	}
}

// Caught: another limit; a patch without one.
func TestBodiesHaveALimit(t *testing.T) {
	s, event := New(), newEvent("a")
	mustCreate(t, s, event)
	most := `{"metadata":{"labels":{"l":"1"}}}`
	most += strings.Repeat(" ", maxBodyBytes-len(most))
	mustPatch(t, s, event, most)
	_, err := patch(s, event, most+" ")
	checkStatus(t, err, http.StatusRequestEntityTooLarge, apierrors.IsRequestEntityTooLargeError)
	event.Name, event.Note = "b", strings.Repeat("x", maxBodyBytes)
	_, err = create(s, event)
	checkStatus(t, err, http.StatusRequestEntityTooLarge, apierrors.IsRequestEntityTooLargeError)
}

func TestSameEventSeesEveryPart(t *testing.T) {
	event := eventconv.ToCore(patched())
	if !sameEvent(event, event.DeepCopy()) {
		t.Error("an event differs from its copy")
	}
	for _, edit := range []func(*corev1.Event){
		func(e *corev1.Event) { e.Series.Count++ },
		func(e *corev1.Event) { e.Annotations["a"] = "2" },
		func(e *corev1.Event) { e.Message = "" },
	} {
		other := event.DeepCopy()
		edit(other)
		if sameEvent(event, other) {
			t.Errorf("%v is taken for unchanged", other)
		}
	}
}
