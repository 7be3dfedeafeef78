// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// plainNew is a recorder of the new interface that has no method except Eventf.
type plainNew struct{ calls *[]string }

func (p plainNew) Eventf(_, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	*p.calls = append(*p.calls, fmt.Sprint(related, eventtype, reason, action, " ", fmt.Sprintf(note, args...)))
}

// fullNew is a recorder of the new interface that has all methods of the SDK's recorders.
type fullNew struct{ plainNew }

func (f fullNew) AnnotatedEventf(_, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	f.Eventf(nil, related, eventtype, reason, action, note+fmt.Sprint(annotations), args...)
}

func (f fullNew) WithLogger(klog.Logger) clientevents.EventRecorderLogger {
	*f.calls = append(*f.calls, "WithLogger")
	return f
}

func TestAsLegacy(t *testing.T) {
	var calls []string
	for name, test := range map[string]struct {
		recorder clientevents.EventRecorder
		want     []string
	}{
		"with everything": {fullNew{plainNew{&calls}}, []string{
			"WithLogger", "<nil>NormalStartedStarted 100%%dmap[]", "<nil>NormalStartedStarted 1map[]",
			"<nil>NormalStartedStarted 2map[k:v]",
		}},
		"with Eventf only": {plainNew{&calls}, []string{
			"<nil>NormalStartedStarted 100%%d", "<nil>NormalStartedStarted 1", "<nil>NormalStartedStarted 2",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			calls = nil
			recorder := AsLegacy(test.recorder).WithLogger(klog.Logger{})
			recorder.Event(pod("a"), "Normal", "Started", "100%%d")
			recorder.Eventf(pod("a"), "Normal", "Started", "%d", 1)
			recorder.AnnotatedEventf(pod("a"), map[string]string{"k": "v"}, "Normal", "Started", "%d", 2)
			if diff := cmp.Diff(test.want, calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// A nil recorder is converted to nil in both directions, so that code can still compare it with
// nil. A recorder that is converted forth and back is the original one.
//
// Caught: each of the three nil checks of the adapter left out; the original recorder not returned.
func TestBridgesOfNothing(t *testing.T) {
	if got := AsLegacy(nil); got != nil {
		t.Errorf("AsLegacy(nil) = %v", got)
	}
	none := FromLegacy(nil)
	none.Eventf(nil, nil, "Normal", "Scaled", "Scale", "note")
	none.Event(nil, nil, "Normal", "Scaled", "Scale", "note")
	if got := none.WithLogger(klog.Background()); got != clientevents.EventRecorderLogger(none) {
		t.Errorf("WithLogger of a nil adapter = %v", got)
	}
	if got := AsLegacy(none); got != nil {
		t.Errorf("AsLegacy(FromLegacy(nil)) = %v", got)
	}
	fake := record.NewFakeRecorder(1)
	if got := AsLegacy(FromLegacy(fake)); got != record.EventRecorderLogger(fake) {
		t.Errorf("AsLegacy(FromLegacy(fake)) = %v", got)
	}
}

// callNew calls the methods of the new interface, through a copy with another logger.
func callNew(a *EventRecorderAdapter) {
	recorder := a.WithLogger(klog.Logger{}).(*EventRecorderAdapter)
	recorder.Eventf(pod("a"), pod("b"), "Normal", "Started", "Starting", "%d", 1)
	recorder.Event(pod("a"), pod("b"), "Normal", "Started", "Starting", "100%%d")
	recorder.AnnotatedEventf(pod("a"), nil, map[string]string{"k": "v"}, "Warning", "Started", "Starting", "91% full")
}

// A conversion of a recorder of the SDK loses nothing, not even if a call is converted twice.
//
// Caught: action and related object that are lost.
func TestFromLegacyOverOurs(t *testing.T) {
	want := []string{
		"1 Starting true map[] kubelet", "100%%d Starting true map[] kubelet", "91% full Starting false map[k:v] kubelet",
	}
	check := func(t *testing.T, got []string) {
		t.Helper()
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	text := func(note, action string, related *corev1.ObjectReference, annotations map[string]string, who string) string {
		return fmt.Sprint(note, " ", action, " ", related != nil, " ", annotations, " ", who)
	}
	fixture.InBubble(t, "legacy", func(t *testing.T) {
		b := NewBroadcaster(quiet)
		var got []string
		b.StartEventWatcher(func(e *corev1.Event) {
			got = append(got, text(e.Message, e.Action, e.Related, e.Annotations, e.Source.Component))
		})
		callNew(FromLegacy(b.Recorder(nil, kubelet)))
		b.Shutdown()
		check(t, got)
	})
	fixture.InBubble(t, "AsLegacy", func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet)
		if err := b.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		callNew(FromLegacy(AsLegacy(b.Recorder(scheme.Scheme, "kubelet"))))
		b.Shutdown()
		var got []string
		for _, e := range sink.Events() {
			got = append(got, text(e.Note, e.Action, e.Related, e.Annotations, e.ReportingController))
		}
		check(t, got)
	})
}

// oldRecorder is a record.EventRecorder without the method WithLogger.
type oldRecorder struct{ record.EventRecorder }

func TestFromLegacyOverAnyOther(t *testing.T) {
	fake := record.NewFakeRecorder(10)
	for _, inner := range []record.EventRecorder{fake, oldRecorder{fake}} {
		callNew(FromLegacy(inner))
		for _, want := range []string{"Normal Started 1", "Normal Started 100%%d", "Warning Started 91% full map[k:v]"} {
			if got := <-fake.Events; got != want {
				t.Errorf("%T recorded %q, want %q", inner, got, want)
			}
		}
	}
}
