// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// By default an object has a hundred Events at a time, and one that counts the rest.
func TestObjectLimitByDefault(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		for i := range 3000 {
			r.say(fmt.Sprint("Failed", i), "request %d", i)
			r.say("Failed0", "again")
			time.Sleep(time.Second)
		}
		r.flush()
		got := r.stored(byReason)
		if s := r.b.Stats(); len(got) != 101 || s.Folded != 2900 || got[events.ReasonTooManyEvents] != 2900 || got["Failed0"] != 3001 {
			r.Errorf("%d are folded in %v", s.Folded, got)
		}
		for _, c := range r.b.Snapshot(0).Counts {
			if want := map[bool]int64{true: 2900}[c.Reason == events.ReasonTooManyEvents]; c.Folded != want {
				r.Errorf("%+v", c)
			}
		}
	})
}

// The Event that counts what is beyond the limit says so, and has nothing of what varies. Watchers get each occurrence as it
// was recorded, with the name of the Event in which it is counted. The log names one that was folded, once a minute.
func TestTooManyEvents(t *testing.T) {
	part := func(fieldPath string) *corev1.ObjectReference {
		return &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "uid-of-a-pod", FieldPath: fieldPath,
		}
	}
	labels := map[string]string{"app": "web"}
	inBubble(t, options{events.WithObjectLimit(1), events.WithReportingInstance("one"), events.WithLabels(labels)}, func(r *rig) {
		seen, now := watch(r, r.b), time.Now()
		record := func(fieldPath, reason string) {
			r.rec.AnnotatedEventf(part(fieldPath), nil, map[string]string{"a": "b"}, "Warning", reason, "Act", "note of %s", fieldPath)
		}
		record("a", "Known")
		record("b", "Known")
		record("c", "Other")
		record("a", "Known")
		r.flush()
		var got []eventsv1.Event
		names := map[string]string{}
		for _, e := range r.sink.Events() {
			names[e.Reason] = e.Name
			if e.Reason == events.ReasonTooManyEvents {
				e.ObjectMeta = metav1.ObjectMeta{Annotations: e.Annotations, Labels: e.Labels}
				got = append(got, e)
			} else if count(&e) != 2 {
				r.Errorf("%s has the count %d, want the repeat in it", e.Reason, count(&e))
			}
		}
		micro := metav1.NewMicroTime(now.Truncate(time.Microsecond))
		r.diff("overflow", []eventsv1.Event{{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			EventTime:  micro, ReportingController: controller, ReportingInstance: "one", Type: "Warning",
			Reason: "TooManyEvents", Action: "LimitEvents", Regarding: *part(""),
			Note: "Too many different Events about this object: the limit is 1 at a time. Further ones are counted " +
				"here. The first had the reason Known and the action Act; the log of the component names more.",
			Series: &eventsv1.EventSeries{Count: 2, LastObservedTime: micro},
		}}, got)
		r.checkLines([]string{
			"error: An object has too many different Events", `advice="object-limit"`, `limit="1"`, `object="default/web"`,
			`reason="Known"`, `fieldPath="b"`,
		})
		synctest.Wait()
		for i, want := range []string{"Known Known a", "TooManyEvents Known b", "TooManyEvents Other c", "Known Known a"} {
			e := seen()[i]
			for reason, name := range names {
				if name == e.Name {
					e.Name = reason
				}
			}
			r.diff("seen", want, fmt.Sprint(e.Name, " ", e.Reason, " ", e.Note[len("note of "):]))
		}
	})
}

// The note of an occurrence beyond the limit is not formatted, and it allocates nothing.
func TestI2FoldedAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	_, rec := start(t, eventstest.NewSink(), events.WithObjectLimit(1))
	pod := newPod("web")
	reasons := make([]string, 1100)
	for i := range reasons {
		reasons[i] = fmt.Sprint("Reason", i)
	}
	next := 0
	emit := func() {
		rec.Eventf(pod, nil, "Normal", reasons[next], "Act", "note")
		next++
	}
	for range 10 {
		emit()
	}
	if n := testing.AllocsPerRun(1000, emit); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}
