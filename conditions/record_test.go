// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conditions_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/conditions"
	"github.com/eventseries/eventseries/events/eventstest"
)

var service = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}

// condition returns the condition of a text such as "Type=Status Reason: message".
func condition(text string) metav1.Condition {
	head, message, _ := strings.Cut(text, ": ")
	state, reason, _ := strings.Cut(head, " ")
	name, status, _ := strings.Cut(state, "=")
	return metav1.Condition{Type: name, Status: metav1.ConditionStatus(status), Reason: reason, Message: message}
}

func conditionsOf(texts []string) (all []metav1.Condition) {
	for _, text := range texts {
		all = append(all, condition(text))
	}
	return all
}

// Each change of conditions has its Events.
//
// Caught: a message that counts as a change; a status or a reason that does not; a removed
// condition that is recorded; a message that is taken for a format; an empty reason; a Warning for
// Unknown or Reconciling; a Normal for Stalled=True.
func TestTransitions(t *testing.T) {
	for _, test := range []struct {
		name          string
		before, after []string
		want          []string
	}{
		{
			name: "new", after: []string{"Ready=True Done: 1 of 1"},
			want: []string{`Normal Done (SetReadyTrue) Service default/web x1: "1 of 1"`},
		},
		{
			name: "status", before: []string{"Ready=True Checked: ok"}, after: []string{"Ready=False Checked: not ok"},
			want: []string{`Warning Checked (SetReadyFalse) Service default/web x1: "not ok"`},
		},
		{
			name: "reason", before: []string{"Ready=False Pulling: image"}, after: []string{"Ready=False NoQuota: image"},
			want: []string{`Warning NoQuota (SetReadyFalse) Service default/web x1: "image"`},
		},
		{name: "message", before: []string{"Ready=False Pulling: 1 of 2"}, after: []string{"Ready=False Pulling: 2 of 2"}},
		{
			name: "several, in order", before: []string{"A=True Done: a", "B=True Done: b"},
			after: []string{"C=Unknown Waiting: c", "B=False Failed: b", "A=True Done: a"},
			want: []string{
				`Normal Waiting (SetCUnknown) Service default/web x1: "c"`,
				`Warning Failed (SetBFalse) Service default/web x1: "b"`,
			},
		},
		{
			name: "the first one of a type counts", before: []string{"A=True Done: x", "A=False Failed: y"},
			after: []string{"A=True Done: x", "A=Unknown Lost: z"},
		},
		{
			name: "by polarity", after: []string{"Stalled=True A: a", "Reconciling=False B: b", "Other=True D: d"},
			want: []string{
				`Warning A (SetStalledTrue) Service default/web x1: "a"`,
				`Normal B (SetReconcilingFalse) Service default/web x1: "b"`,
				`Normal D (SetOtherTrue) Service default/web x1: "d"`,
			},
		},
		{
			name: "a domain", after: []string{"example.com/Ready=True Done: x"},
			want: []string{`Normal Done (example.com/SetReadyTrue) Service default/web x1: "x"`},
		},
		{
			name: "no reason, no message", after: []string{"example.com/Ready=False"},
			want: []string{`Warning ReadyFalse (example.com/SetReadyFalse) Service default/web x1: "Ready is False"`},
		},
		{
			name: "nothing at all", after: []string{"="},
			want: []string{`Normal ConditionUnknown (SetConditionUnknown) Service default/web x1: "Condition is Unknown"`},
		},
		{
			name: "a verb in the message", after: []string{"Ready=False Full: 100% of %d, 5%%"},
			want: []string{`Warning Full (SetReadyFalse) Service default/web x1: "100% of %d, 5%%"`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			recorder := eventstest.NewRecorder(t, eventstest.Strict())
			conditions.Record(recorder, service, conditionsOf(test.before), conditionsOf(test.after))
			var got []string
			for _, s := range recorder.Series() {
				got = append(got, s.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Events (-want +got):\n%s", diff)
			}
		})
	}
}

// A reconcile that changes no condition allocates nothing.
func TestUnchangedAllocatesNothing(t *testing.T) {
	before := conditionsOf([]string{"Ready=True Done: x", "Stalled=False Fine: y", "Synced=True Done: z"})
	after := slices.Clone(before)
	after[0].ObservedGeneration, after[0].LastTransitionTime = 7, metav1.NewTime(time.Now())
	after[1].Message = "another"
	recorder := eventstest.NewRecorder(t)
	if n := testing.AllocsPerRun(100, func() { conditions.Record(recorder, service, before, after) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
	if err := recorder.Check(eventstest.None{}); err != nil {
		t.Error(err)
	}
}
