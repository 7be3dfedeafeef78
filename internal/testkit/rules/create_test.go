// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func name(v string) func(*corev1.Event)      { return func(e *corev1.Event) { e.Name = v } }
func namespace(v string) func(*corev1.Event) { return func(e *corev1.Event) { e.Namespace = v } }
func regarding(v string) func(*corev1.Event) {
	return func(e *corev1.Event) { e.InvolvedObject.Namespace = v }
}
func reason(v string) func(*corev1.Event)  { return func(e *corev1.Event) { e.Reason = v } }
func action(v string) func(*corev1.Event)  { return func(e *corev1.Event) { e.Action = v } }
func message(v string) func(*corev1.Event) { return func(e *corev1.Event) { e.Message = v } }
func controller(v string) func(*corev1.Event) {
	return func(e *corev1.Event) { e.ReportingController = v }
}
func instance(v string) func(*corev1.Event) { return func(e *corev1.Event) { e.ReportingInstance = v } }
func kind(v string) func(*corev1.Event)     { return func(e *corev1.Event) { e.Type = v } }

func series(count int32, last metav1.MicroTime) func(*corev1.Event) {
	return func(e *corev1.Event) { e.Series = &corev1.EventSeries{Count: count, LastObservedTime: last} }
}

func asItIs(*corev1.Event) {}

// legacyRuleTable has the rules that hold through both groups, L1 to L10 of the facts about the API server.
func legacyRuleTable() []rule {
	inNamespace, inController := []string{"involvedObject.namespace"}, []string{"reportingController"}
	return []rule{
		{
			"L1 old style, cluster-scoped: only default", core,
			oldStyle(as(regarding(""), namespace("kube-system"))), inNamespace, oldStyle(regarding("")),
		}, {
			"L2 old style, namespaced: the object's namespace", core,
			oldStyle(namespace("kube-system")), inNamespace, oldStyle(as(namespace("a"), regarding("a"))),
		}, {
			"L3 new style, cluster-scoped: default", core,
			newStyle(as(regarding(""), namespace("kube-public"))), inNamespace, newStyle(regarding("")),
		}, {
			"L3 new style, cluster-scoped: or kube-system", strict,
			newStyle(as(regarding(""), namespace("kube-public"))), inNamespace,
			newStyle(as(regarding(""), namespace("kube-system"))),
		}, {
			"L4 new style, namespaced: anywhere", strict,
			newStyle(as(regarding(""), namespace("elsewhere"))), inNamespace, newStyle(namespace("elsewhere")),
		},
		{"L5 controller", strict, newStyle(controller("")), inController, newStyle(controller("C.x"))},
		{"L5 in core/v1", core, newStyle(controller("")), []string{"reportingComponent"}, newStyle(controller("c"))},
		{"L5 slashes", strict, newStyle(controller("a/b/c")), inController, newStyle(controller("a/b"))},
		{"L5 prefix", strict, newStyle(controller("A.b/c")), inController, newStyle(controller("a.b/C"))},
		tooLong("L5 length", controller, 63, "reportingController"),
		{"L6 instance", core, newStyle(instance("")), []string{"reportingInstance"}, oldStyle(instance(""))},
		tooLong("L6 length", instance, MaxReportingInstanceBytes, "reportingInstance"),
		{"L7 action", core, newStyle(action("")), []string{"action"}, oldStyle(action(""))},
		tooLong("L7 length", action, MaxActionBytes, "action"),
		{"L8 reason", strict, newStyle(reason("")), []string{"reason"}, newStyle(reason("two words\nand a line"))},
		tooLong("L8 length", reason, MaxReasonBytes, "reason"),
		{"L8 old style", core, newStyle(reason(long(5000))), []string{"reason"}, oldStyle(reason(long(5000)))},
		tooLong("L9 length", message, MaxNoteBytes, "message"),
		{
			"L9 bytes, not characters", strict,
			newStyle(message(strings.Repeat("é", 513))), []string{"message"},
			newStyle(message(strings.Repeat("é", 512))),
		},
		{"L9 may be empty", core, newStyle(message(long(1025))), []string{"message"}, newStyle(message(""))},
		{
			"L10 namespace", core,
			newStyle(namespace("Bad_Name")), []string{"namespace"}, newStyle(namespace("good-name")),
		},
	}
}

// strictRuleTable has what events.k8s.io/v1 adds, S1 to S6. The counterpart of most is the same request to core/v1.
func strictRuleTable() []rule {
	const inAnnotations, inFinalizers = "metadata.annotations", "metadata.finalizers"
	finalizer := func(v string) func(*corev1.Event) { return func(e *corev1.Event) { e.Finalizers = []string{v} } }
	annotation := func(bytes int) func(*corev1.Event) {
		return func(e *corev1.Event) { e.Annotations = map[string]string{"a": long(bytes - 1)} }
	}
	owner := func(kind string) func(*corev1.Event) {
		return func(e *corev1.Event) {
			e.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: kind, Name: "n", UID: "u"}}
		}
	}
	return []rule{
		{"S1 upper case", strict, newStyle(name("Bad_Name")), []string{"metadata.name"}, newStyle(name("good.name-1"))},
		{"S1 empty label", strict, newStyle(name("a..b")), []string{"metadata.name"}, newStyle(name("a.b"))},
		{"S1 length", strict, newStyle(name(long(254))), []string{"metadata.name"}, newStyle(name(long(253)))},
		{"S1 missing", strict, newStyle(name("")), []string{"metadata.name"}, newStyle(name("a"))},
		{"S2 annotations", strict, newStyle(annotation(262145)), []string{inAnnotations}, newStyle(annotation(262144))},
		{"S2 finalizer", strict, newStyle(finalizer("foo")), []string{inFinalizers}, newStyle(finalizer("a.b/c"))},
		{"S2 standard", strict, newStyle(finalizer("foo")), []string{inFinalizers}, newStyle(finalizer("orphan"))},
		{"S2 owner", strict, newStyle(owner("Event")), []string{"metadata.ownerReferences"}, newStyle(owner("Pod"))},
		{"S3 count", strict, newStyle(series(1, moment)), []string{"series.count"}, newStyle(series(2, moment))},
		{
			"S3 time", strict, newStyle(series(2, metav1.MicroTime{})), []string{"series.lastObservedTime"},
			newStyle(series(2, metav1.NewMicroTime(moment.AddDate(-1, 0, 0)))),
		},
		{
			"S4 eventTime, which hides L5 to L9", strict,
			newStyle(func(e *corev1.Event) { e.EventTime, e.Action = metav1.MicroTime{}, "" }), []string{"eventTime"},
			newStyle(func(e *corev1.Event) { e.EventTime = metav1.NewMicroTime(moment.AddDate(1000, 0, 0)) }),
		},
		{"S5 type", strict, newStyle(kind("")), []string{"type"}, newStyle(kind(corev1.EventTypeWarning))},
		{"S5 case", strict, newStyle(kind("normal")), []string{"type"}, newStyle(kind(corev1.EventTypeNormal))},
		{
			"S6 deprecated fields", strict,
			oldStyle(func(e *corev1.Event) { *e = *newStyle(withDeprecated(*e)) }),
			[]string{"firstTimestamp", "lastTimestamp", "count", "source"}, newStyle(asItIs),
		},
	}
}

// withDeprecated copies what events.k8s.io/v1 calls deprecated from an old-style Event.
func withDeprecated(old corev1.Event) func(*corev1.Event) {
	return func(e *corev1.Event) {
		e.FirstTimestamp, e.LastTimestamp = old.FirstTimestamp, old.LastTimestamp
		e.Count, e.Source = old.Count, old.Source
	}
}

func tooLong(name string, set func(string) func(*corev1.Event), limit int, field string) rule {
	return rule{name, strict, newStyle(set(long(limit + 1))), []string{field}, newStyle(set(long(limit)))}
}

func long(bytes int) string { return strings.Repeat("x", bytes) }

func TestValidateCreate(t *testing.T) {
	for _, r := range append(legacyRuleTable(), strictRuleTable()...) {
		t.Run(r.name, func(t *testing.T) {
			checkFields(t, ValidateCreate(r.bad, r.via), r.want)
			checkFields(t, ValidateCreate(r.good, r.via), nil)
		})
	}
}

func TestCoreV1AcceptsWhatOnlyTheStrictRulesRefuse(t *testing.T) {
	for _, r := range strictRuleTable() {
		switch r.name {
		case "S1 missing", "S2 annotations", "S2 owner": // checked for every kind of object
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			if err := ValidateCreate(r.bad, core); err != nil {
				t.Errorf("ValidateCreate through core/v1 = %v, want nil", err)
			}
		})
	}
}

func TestCoreV1NameIsAPathSegment(t *testing.T) {
	for _, bad := range []string{"..", ".", "a/b", "a%b"} {
		checkFields(t, ValidateCreate(newStyle(name(bad)), core), []string{"metadata.name"})
	}
}

func TestNotLookedAtOnCreate(t *testing.T) {
	event := newStyle(func(e *corev1.Event) {
		e.InvolvedObject = corev1.ObjectReference{}
		e.Related = &corev1.ObjectReference{Kind: "!", Name: "no such thing"}
		e.Message = ""
	})
	if err := ValidateCreate(event, strict); err != nil {
		t.Errorf("ValidateCreate = %v, want nil", err)
	}
}

// The first instant there is, sent as a time, is one: decoding gives it a location, and the server compares with Go's
// zero value.
func TestFirstInstantIsATime(t *testing.T) {
	first := metav1.MicroTime{Time: time.Time{}.Local()}
	event := newStyle(as(series(2, first), func(e *corev1.Event) { e.EventTime = first }))
	if err := ValidateCreate(event, strict); err != nil {
		t.Errorf("ValidateCreate = %v, want nil", err)
	}
	event.FirstTimestamp, event.LastTimestamp = metav1.Time(first), metav1.Time(first)
	checkFields(t, ValidateCreate(event, strict), []string{"firstTimestamp", "lastTimestamp"})
}
