// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// KEP-383 on what makes occurrences isomorphic; kep383_test.go has the rest of it.

// "Isomorphic = same <Regarding, Action, Reason, ReportingController, ReportingInstance, Related>" (KEP-383), and the
// type, which client-go adds.
func TestKEPIsomorphicTuple(t *testing.T) {
	type tuple struct {
		regarding, related   runtime.Object
		kind, reason, action string
		controller           string
	}
	base := tuple{newPod("web"), newPod("peer"), "Normal", "Killing", "Kill", controller}
	for name, change := range map[string]func(*tuple){
		"regarding":           func(o *tuple) { o.regarding = newPod("other") },
		"regarding UID":       func(o *tuple) { p := newPod("web"); p.UID = "2"; o.regarding = p },
		"regarding kind":      func(o *tuple) { o.regarding = &corev1.Service{ObjectMeta: newPod("web").ObjectMeta} },
		"regarding namespace": func(o *tuple) { o.regarding = newPodIn("other", "web") },
		"related":             func(o *tuple) { o.related = newPod("other") },
		"no related":          func(o *tuple) { o.related = nil },
		"type":                func(o *tuple) { o.kind = "Warning" },
		"reason":              func(o *tuple) { o.reason = "Killed" },
		"action":              func(o *tuple) { o.action = "Stop" },
		"controller":          func(o *tuple) { o.controller = "example.com/other" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, _ := start(t, sink)
				emit := func(o tuple) {
					rec := b.NewRecorder(scheme.Scheme, o.controller)
					rec.Eventf(o.regarding, o.related, o.kind, o.reason, o.action, "note")
				}
				other := base
				change(&other)
				emit(base)
				emit(other)
				emit(base)
				flush(t, b)
				if got := len(sink.Events()); got != 2 {
					t.Errorf("%d Events, want 2: another %s is another series", got, name)
				}
			})
		})
	}
}

// The reporting instance is in the tuple too; it is an option of the broadcaster.
func TestKEPReportingInstancesDoNotMix(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		for i := range 2 {
			b, rec := start(t, sink, events.WithReportingInstance(fmt.Sprint("replica-", i)))
			record(rec, 2, "web")
			flush(t, b)
		}
		for i, e := range sink.Events() {
			if want := fmt.Sprint("replica-", i); e.ReportingInstance != want {
				t.Errorf("instance %q, want %q", e.ReportingInstance, want)
			}
		}
		if got := len(sink.Events()); got != 2 {
			t.Errorf("%d Events, want one per instance", got)
		}
	})
}

// "No high-cardinality data in the tuple" (KEP-383): a write to the object or a bump of its API version is not another
// object.
func TestKEPVersionsAreNotInTheTuple(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		for i := range 10 {
			pod := newPod("web")
			pod.ResourceVersion = fmt.Sprint(i)
			pod.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: fmt.Sprint("v", i+1)}
			related := newPod("peer")
			related.ResourceVersion = fmt.Sprint(i)
			rec.Eventf(pod, related, "Normal", "Killing", "Kill", "note")
		}
		flush(t, b)
		e := only(t, sink)
		if got := count(&e); got != 10 {
			t.Errorf("count %d, want 10", got)
		}
		if e.Regarding.ResourceVersion != "0" || e.Regarding.APIVersion != "v1" || e.Related.ResourceVersion != "0" {
			t.Errorf("regarding %v, related %v: want the first occurrence's", e.Regarding, e.Related)
		}
	})
}

// "note: Human readable description… Possibly discarded when an Event series is being deduplicated" (redesign).
func TestKEPNoteIsNotInTheTuple(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		for i := range 3 {
			rec.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", "attempt %d", i)
		}
		flush(t, b)
		if e := only(t, sink); e.Note != "attempt 0" || count(&e) != 3 {
			t.Errorf("note %q, count %d, want the first note and 3", e.Note, count(&e))
		}
	})
}
