// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

var (
	podWeb  = eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web"}
	backOff = eventstest.Series{
		Type: "Warning", Reason: "BackOff", Action: "Restart", Note: "waiting 40s", Count: 3,
		Regarding:   eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web", FieldPath: "spec.containers{app}"},
		Related:     eventstest.Object{Kind: "Node", Name: "node-1"},
		Annotations: map[string]string{"a": "1"},
	}
	pulled = eventstest.Series{Type: "Normal", Reason: "Pulled", Action: "Pull", Note: "app:v1", Count: 1, Regarding: podWeb}
)

// Each Want agrees with backOff, or differs in the one field that is named.
func TestWant(t *testing.T) {
	ref := func(path string) *corev1.ObjectReference {
		return &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", FieldPath: path}
	}
	for _, r := range []struct {
		name    string
		want    eventstest.Want
		differs string // the line about the difference, "" if the Want agrees
	}{
		{"anything", eventstest.Want{}, ""},
		{"all", eventstest.Want{
			Type: "Warning", Reason: "BackOff", Action: "Restart", Note: "waiting 40s", NoteContains: "40",
			Regarding: web, Related: node, Annotations: map[string]string{"a": "1"}, Count: 3, MinCount: 3,
		}, ""},
		{"type", eventstest.Want{Type: "Normal"}, `type: got "Warning", want "Normal"`},
		{"reason", eventstest.Want{Reason: "backOff"}, `reason: got "BackOff", want "backOff"`},
		{"action", eventstest.Want{Action: "Start"}, `action: got "Restart", want "Start"`},
		{"note", eventstest.Want{Note: "waiting"}, `note: got "waiting 40s", want "waiting"`},
		{"a part of the note", eventstest.Want{NoteContains: "80s"}, `note: got "waiting 40s", want one with "80s" in it`},
		{"another name", eventstest.Want{Regarding: db},
			`regarding: got "Pod default/web", want "Pod default/db"`},
		{"another kind", eventstest.Want{Regarding: &appsv1.Deployment{ObjectMeta: web.ObjectMeta}},
			`regarding: got "Pod default/web", want "Deployment default/web"`},
		{"a field path", eventstest.Want{Regarding: ref("spec.containers{app}")}, ""},
		{"another field path", eventstest.Want{Regarding: ref("spec.containers{db}")},
			`regarding: got "Pod default/web spec.containers{app}", want "Pod default/web spec.containers{db}"`},
		{"a typed nil", eventstest.Want{Regarding: (*corev1.Pod)(nil)},
			`regarding: got "Pod default/web spec.containers{app}", want "a *v1.Pod that is nil or has no name"`},
		{"related", eventstest.Want{Related: web}, `related: got "Node node-1", want "Pod default/web"`},
		{"an annotation", eventstest.Want{Annotations: map[string]string{"a": "2"}}, `annotation a: got "1", want "2"`},
		{"a missing annotation", eventstest.Want{Annotations: map[string]string{"b": ""}}, `annotation b: got none, want ""`},
		{"count", eventstest.Want{Count: 2}, `count: got 3, want 2`},
		{"least count", eventstest.Want{MinCount: 4}, `count: got 3, want at least 4`},
	} {
		t.Run(r.name, func(t *testing.T) {
			all := []eventstest.Series{backOff}
			ok, err := r.want.Match(all)
			if err != nil || ok != (r.differs == "") {
				t.Fatalf("Match = %v, %v", ok, err)
			}
			none, _ := eventstest.None(r.want).Match(all)
			if none == ok {
				t.Errorf("None says %v, Want says %v", none, ok)
			}
			message := r.want.FailureMessage(all)
			if !ok && (!strings.HasSuffix(message, "\t\t"+r.differs) || strings.Count(message, "got") != 1) {
				t.Errorf("the failure says\n%s\nwant the field\n%s", message, r.differs)
			}
		})
	}
}

func TestOnly(t *testing.T) {
	broad, narrow := eventstest.Want{Regarding: web}, eventstest.Want{Reason: "Pulled"}
	for _, r := range []struct {
		name  string
		only  eventstest.Only
		among []eventstest.Series
		want  bool
	}{
		{"none of none", nil, nil, true},
		{"none of one", nil, []eventstest.Series{pulled}, false},
		{"one of none", eventstest.Only{broad}, nil, false},
		{"one of one", eventstest.Only{broad}, []eventstest.Series{pulled}, true},
		{"one for two wants", eventstest.Only{broad, narrow}, []eventstest.Series{pulled}, false},
		{"two for one want", eventstest.Only{broad}, []eventstest.Series{pulled, backOff}, false},
		{"the broad want takes the only one for the narrow", eventstest.Only{broad, narrow}, []eventstest.Series{pulled, backOff}, true},
		{"in any order", eventstest.Only{narrow, broad}, []eventstest.Series{backOff, pulled}, true},
		{"another", eventstest.Only{{Reason: "Started"}}, []eventstest.Series{pulled}, false},
	} {
		t.Run(r.name, func(t *testing.T) {
			got, err := r.only.Match(r.among)
			if err != nil || got != r.want {
				t.Errorf("Match = %v, %v, want %v", got, err, r.want)
			}
			if !got && r.only.FailureMessage(r.among) == "" {
				t.Error("it fails without a word")
			}
		})
	}
}

// The reports that a person reads if a test fails.
func TestFailureMessages(t *testing.T) {
	all := []eventstest.Series{backOff, pulled}
	volume := eventstest.Want{Type: "Warning", Reason: "BackOff", Regarding: web, NoteContains: "80s", Count: 4}
	for _, r := range []struct{ name, got, want string }{
		{"nothing there", volume.FailureMessage([]eventstest.Series{}), `nothing is recorded, want
	Warning BackOff Pod default/web note with "80s" in it x4`},
		{"another", eventstest.Only{{Reason: "Pulled", Action: "Start"}}.FailureMessage(all[1:]), `no Event is
	Pulled (Start)
nearest of 1:
	Normal Pulled (Pull) Pod default/web x1: "app:v1"
		action: got "Pull", want "Start"
unexpected Events
	Normal Pulled (Pull) Pod default/web x1: "app:v1"`},
		{"exactly these", eventstest.Only{{Reason: "Pulled"}, {}}.NegatedFailureMessage(all), `want Events other than exactly
	Pulled
	any Event`},
		{"no Events at all", eventstest.Want{}.FailureMessage(7), `eventstest: cannot look for Events in a int; ` +
			`pass a *Recorder, *Sink or *Clientset, []Series, or a slice of Events of either API group`},
	} {
		if diff := cmp.Diff(r.want, r.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.name, diff)
		}
	}
}

func TestMatchersTakeEveryShapeOfEvents(t *testing.T) {
	v1 := eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web.1"}, Reason: "Pulled", Type: "Normal",
		EventTime: metav1.NowMicro(), Action: "Pull", ReportingController: "c", ReportingInstance: "c-0",
		Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
	core := corev1.Event{
		ObjectMeta: v1.ObjectMeta, Reason: "Pulled", Type: "Normal", Count: 3, InvolvedObject: v1.Regarding,
	}
	sink, rec := eventstest.NewSink(), eventstest.NewRecorder(t)
	if _, err := sink.Create(t.Context(), &v1); err != nil {
		t.Fatal(err)
	}
	rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "")
	for _, actual := range []any{
		[]eventsv1.Event{v1}, []corev1.Event{core}, sink, rec, eventstest.NewClientset(&v1), []eventstest.Series{pulled},
	} {
		for _, m := range []eventstest.Matcher{
			eventstest.Want{Reason: "Pulled", Regarding: web}, eventstest.Only{{Reason: "Pulled"}}, eventstest.None{Reason: "x"},
		} {
			if ok, err := m.Match(actual); !ok || err != nil {
				t.Errorf("%T: %T says %v, %v", actual, m, ok, err)
			}
		}
	}
	if ok, err := (eventstest.Want{Count: 3}).Match([]corev1.Event{core}); !ok || err != nil {
		t.Errorf("the old recorder's count is not seen: %v, %v", ok, err)
	}
	for _, m := range []eventstest.Matcher{eventstest.Want{}, eventstest.Only{}, eventstest.None{}} {
		if ok, err := m.Match("web"); ok || err == nil {
			t.Errorf("%T of a string: %v, %v", m, ok, err)
		}
	}
}
