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
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/conditions"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

var service = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}

// condition reads "Type=Status Reason: message".
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

// What is recorded for which change.
//
// Caught: a message that counts as a change; a status or a reason that does not; a removed condition that is recorded;
// a message that is taken for a format; an empty reason.
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
			name: "a domain", after: []string{"example.com/Ready=True Done: x"},
			want: []string{`Normal Done (example.com/SetReadyTrue) Service default/web x1: "x"`},
		},
		{
			name: "no reason, no message", after: []string{"example.com/Ready=False"},
			want: []string{`Warning ReadyFalse (example.com/SetReadyFalse) Service default/web x1: "Ready is False"`},
		},
		{
			name: "a verb in the message", after: []string{"Ready=False Full: 100% of %d, 5%%"},
			want: []string{`Warning Full (SetReadyFalse) Service default/web x1: "100% of %d, 5%%"`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			recorder := eventstest.NewRecorder(t, events.WithStrict())
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

// Which changes are Warnings, by default and by options.
//
// Caught: Unknown as a Warning; Stalled=True as Normal; Reconciling as a Warning; a named type of positive polarity.
func TestTypes(t *testing.T) {
	all := []string{"Ready", "Reconciling", "Stalled", "MemoryPressure"}
	failedOnly := conditions.WithEventType(func(c metav1.Condition) string {
		if c.Type == "Ready" && c.Status == metav1.ConditionFalse {
			return corev1.EventTypeNormal
		}
		return ""
	})
	for _, test := range []struct {
		name string
		opts []conditions.Option
		want map[string][]string // by status, the types of conditions that are Warnings; or of all Events
		only bool                // want lists all Events
	}{
		{
			name: "default",
			want: map[string][]string{"True": {"Stalled"}, "False": {"Ready", "MemoryPressure"}, "Unknown": nil},
		},
		{
			name: "named",
			opts: []conditions.Option{conditions.WithAbnormalTrue("Other"), conditions.WithAbnormalTrue("MemoryPressure")},
			want: map[string][]string{"True": {"Stalled", "MemoryPressure"}, "False": {"Ready"}, "Unknown": nil},
		},
		{
			name: "a rule", opts: []conditions.Option{conditions.WithAbnormalTrue("Ready"), failedOnly}, only: true,
			want: map[string][]string{"True": nil, "False": {"Ready"}, "Unknown": nil},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for status, want := range test.want {
				recorder := eventstest.NewRecorder(t, events.WithStrict())
				var after []metav1.Condition
				for _, name := range all {
					after = append(after, condition(name+"="+status+" Because"))
				}
				conditions.Record(recorder, service, nil, after, test.opts...)
				var got []string
				for _, s := range recorder.Series() {
					if test.only || s.Type == corev1.EventTypeWarning {
						got = append(got, strings.TrimSuffix(strings.TrimPrefix(s.Action, "Set"), status))
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", status, diff)
				}
			}
		})
	}
}

// A reconcile that changes nothing costs no allocation.
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

// counter counts what an API server would refuse, too.
type counter struct{ calls, invalid int }

func (c *counter) Eventf(_, _ runtime.Object, eventtype, reason, action, note string, args ...any) {
	c.calls++
	valid := eventtype == corev1.EventTypeNormal || eventtype == corev1.EventTypeWarning
	if !valid || reason == "" || action == "" || note != "%s" || len(args) != 1 || args[0] == "" {
		c.invalid++
	}
}

// FuzzRecord: there are as many Events as transitions, none for equal slices, and no required field is empty.
// Each line of a text is a condition.
//
// Caught: a duplicate type that is recorded although nothing changed; a condition without a type or status.
func FuzzRecord(f *testing.F) {
	f.Add("Ready=True Done: x", "Ready=False Failed: y\nSynced=True Done: z")
	f.Add("A=True B\nA=False C", "A=False C\nA=True B")
	f.Add("", "\n=\n/=True\na/= : ")
	f.Fuzz(func(t *testing.T, from, to string) {
		before, after := conditionsOf(strings.Split(from, "\n")), conditionsOf(strings.Split(to, "\n"))
		seen, want := map[string]bool{}, 0
		for _, c := range after {
			if old := meta.FindStatusCondition(before, c.Type); !seen[c.Type] &&
				(old == nil || [2]string{string(old.Status), old.Reason} != [2]string{string(c.Status), c.Reason}) {
				want++
			}
			seen[c.Type] = true
		}
		var got, same counter
		conditions.Record(&got, service, before, after)
		conditions.Record(&same, service, after, slices.Clone(after))
		if got.calls != want || got.invalid != 0 || same.calls != 0 {
			t.Errorf("%q to %q: %d Events, want %d; %d invalid; %d without a change", from, to, got.calls, want, got.invalid,
				same.calls)
		}
	})
}
