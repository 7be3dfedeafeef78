// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

func TestFromLegacyOverOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBroadcaster(quiet)
		var got [][]any
		b.StartEventWatcher(func(e *corev1.Event) {
			got = append(got, []any{e.Message, e.Action, e.Related, e.Annotations, e.Source})
		})
		recorder := FromLegacy(b.NewRecorder(nil, kubelet)).WithLogger(klog.Logger{}).(*EventRecorderAdapter)
		recorder.Eventf(pod("a"), pod("b"), "Normal", "Started", "Starting", "%d", 1)
		recorder.Event(pod("a"), pod("b"), "Normal", "Started", "Starting", "100%%d")
		recorder.AnnotatedEventf(pod("a"), nil, map[string]string{"k": "v"}, "Normal", "Started", "Starting", "%d", 2)
		b.Shutdown()
		none := (*corev1.ObjectReference)(nil)
		want := [][]any{
			{"1", "Starting", pod("b"), map[string]string(nil), kubelet},
			{"100%%d", "Starting", pod("b"), map[string]string(nil), kubelet},
			{"2", "Starting", none, map[string]string{"k": "v"}, kubelet},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// oldRecorder is a record.EventRecorder without WithLogger.
type oldRecorder struct{ record.EventRecorder }

func TestFromLegacyOverAnyOther(t *testing.T) {
	fake := NewFakeRecorder(10)
	for _, inner := range []record.EventRecorder{fake, oldRecorder{fake}} {
		recorder := FromLegacy(inner).WithLogger(klog.Logger{}).(*EventRecorderAdapter)
		recorder.Eventf(pod("a"), pod("b"), "Normal", "Started", "Starting", "%d", 1)
		recorder.Event(pod("a"), pod("b"), "Normal", "Started", "Starting", "100%%d")
		recorder.AnnotatedEventf(pod("a"), nil, map[string]string{"k": "v"}, "Normal", "Started", "Starting", "%d", 2)
		recorder.Eventf(pod("a"), nil, "Warning", "Full", "Evict", "disk 91% full")
		recorder.AnnotatedEventf(pod("a"), nil, map[string]string{"k": "v"}, "Warning", "Full", "Evict", "91% full")
		for _, want := range []string{
			"Normal Started 1", "Normal Started 100%%d", "Normal Started 2 map[k:v]",
			"Warning Full disk 91% full", "Warning Full 91% full map[k:v]",
		} {
			if got := <-fake.Events; got != want {
				t.Errorf("%T recorded %q, want %q", inner, got, want)
			}
		}
	}
}

// Caught: action and related object that are lost where a recorder crosses both borders.
func TestFromLegacyOverAsLegacy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, events.WithLogger(klog.Logger{}))
		if err := b.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder := FromLegacy(AsLegacy(b.NewRecorder(scheme.Scheme, "example.com/test"))).WithLogger(klog.Logger{}).(*EventRecorderAdapter)
		recorder.Eventf(pod("a"), pod("b"), "Normal", "Started", "Starting", "%d", 1)
		recorder.Event(pod("a"), pod("b"), "Normal", "Started", "Starting", "100%%d")
		recorder.AnnotatedEventf(pod("a"), pod("b"), map[string]string{"k": "v"}, "Normal", "Started", "Starting", "%d", 2)
		b.Shutdown()
		var got []string
		for _, e := range sink.Events() {
			got = append(got, fmt.Sprint(e.Note, " ", e.Action, " ", e.Related != nil, " ", e.Annotations))
		}
		slices.Sort(got)
		want := []string{"1 Starting true map[]", "100%%d Starting true map[]", "2 Starting true map[k:v]"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
