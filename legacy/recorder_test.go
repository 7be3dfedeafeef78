// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
)

// panicking is an object that was not made by anybody careful.
type panicking struct{ corev1.Pod }

func (*panicking) GetName() string { panic("no name") }

func (p *panicking) GetObjectMeta() metav1.Object { return p }

func (p *panicking) DeepCopyObject() runtime.Object { return p }

func TestInvalidInput(t *testing.T) {
	noKind := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	tests := map[string]struct {
		object    runtime.Object
		eventType string
		want      string
	}{
		"nil object":       {nil, "Normal", "nil object"},
		"nil pod":          {(*corev1.Pod)(nil), "Normal", "a nil *v1.Pod"},
		"nil reference":    {(*corev1.ObjectReference)(nil), "Normal", "a nil *v1.ObjectReference"},
		"unknown kind":     {noKind, "Normal", "no scheme"},
		"accessor panics":  {&panicking{corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod"}}}, "Normal", "no name"},
		"unsupported type": {pod("a"), "Error", "want Normal or Warning"},
		"no type":          {pod("a"), "", "want Normal or Warning"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			var drops []events.Drop
			b := NewBroadcaster(events.WithDropHandler(func(d events.Drop) { drops = append(drops, d) }))
			recorder := b.NewRecorder(nil, kubelet).
				WithLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&out))))
			recorder.Event(test.object, test.eventType, "Started", "m")
			checkStats(t, b.Stats(), map[string]int64{"Observed": 1, "Invalid": 1})
			if n := strings.Count(out.String(), "\n"); n != 1 || !strings.Contains(out.String(), test.want) {
				t.Errorf("logged %q, want one line with %q", out.String(), test.want)
			}
			if len(drops) != 1 || drops[0].Reason != events.Invalid || drops[0].EventReason != "Started" ||
				!strings.Contains(drops[0].Err.Error(), test.want) {
				t.Errorf("the drop handler heard %+v", drops)
			}
		})
	}
}

func TestUnusableRelatedObjectIsLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		b := NewBroadcaster()
		b.StartRecordingToSink(sink)
		recorder := b.NewEventsRecorder(nil, kubelet)
		for _, related := range []runtime.Object{
			nil, (*corev1.Pod)(nil), (*corev1.ObjectReference)(nil), &corev1.Pod{}, &panicking{},
		} {
			recorder.Event(pod("a"), related, "Normal", "Started", "Starting", "m")
		}
		b.Shutdown()
		if sink.requests()[0].Event.Related != nil {
			t.Error("want no related object")
		}
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 5})
	})
}

// Events are what client-go makes of the same call.
func TestEventsAreClientGos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		objects := []runtime.Object{
			pod("a"),
			&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "b", Namespace: "x", UID: "u", ResourceVersion: "7"}},
			&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "system:node"}},
			&corev1.ObjectReference{},
		}
		client, b := record.NewBroadcaster(), NewBroadcaster()
		var theirs, ours []*corev1.Event
		client.StartEventWatcher(func(e *corev1.Event) { theirs = append(theirs, e) })
		b.StartEventWatcher(func(e *corev1.Event) { ours = append(ours, e) })
		for _, recorder := range []record.EventRecorder{
			client.NewRecorder(scheme.Scheme, kubelet), b.NewRecorder(scheme.Scheme, kubelet),
		} {
			var none []any // for vet, which knows from client-go 0.36 on that these are formats
			for _, object := range objects {
				recorder.Event(object, "Warning", "Failed", "100%%")
				recorder.Eventf(object, "Normal", "Started", "%d of %d", 1, 2)
				recorder.AnnotatedEventf(object, map[string]string{"k": "v"}, "Normal", "", "no args %d", none...)
			}
		}
		synctest.Wait()
		client.Shutdown()
		b.Shutdown()
		for _, events := range [][]*corev1.Event{theirs, ours} {
			for _, e := range events {
				if e.Name == "" {
					t.Error("an event without name")
				}
				e.Name, e.FirstTimestamp, e.LastTimestamp = "", metav1.Time{}, metav1.Time{}
			}
		}
		if diff := cmp.Diff(theirs, ours); diff != "" || len(ours) != 12 {
			t.Errorf("(-client-go +ours):\n%s", diff)
		}
	})
}

func TestNothingOfTheCallerIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBroadcaster()
		var seen *corev1.Event
		b.StartEventWatcher(func(e *corev1.Event) { seen = e })
		object, related, annotations := pod("a"), pod("b"), map[string]string{"k": "v"}
		b.NewEventsRecorder(nil, kubelet).
			AnnotatedEventf(object, related, annotations, "Normal", "Started", "Starting", "note")
		object.Name, related.Name, annotations["k"] = "changed", "changed", "changed"
		b.Shutdown()
		if seen.InvolvedObject.Name != "a" || seen.Related.Name != "b" || seen.Annotations["k"] != "v" {
			t.Errorf("the event changed with the arguments: %+v", seen)
		}
	})
}

// On a clock that stands still client-go gives two events one name, and the
// second is lost.
func TestNamesAreUnique(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		b, recorder := recordTo(sink)
		for i := range 20 { // the last ones aggregated, under a name of the correlator
			recorder.Eventf(pod("a"), "Normal", "Started", "%d", i)
		}
		b.Shutdown()
		if got := len(sink.stored); got != 10 {
			t.Errorf("%d events are stored, want 9 and an aggregate", got)
		}
	})
}

func TestDropHandlerHearsEveryDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := map[events.DropReason]int64{}
		b, recorder := recordTo(&server{script: failing(errors.New("x"), status(400, "BadRequest"))}, events.WithMaxInFlight(1),
			events.WithDropHandler(func(d events.Drop) { heard[d.Reason] += d.Occurrences }))
		for range 40 {
			recorder.Event(pod("a"), "Normal", "Started", "m")
		}
		recorder.Event(nil, "Normal", "Started", "m")
		b.Shutdown()
		recorder.Event(pod("a"), "Normal", "Started", "m")
		dropped := b.Stats().Dropped
		for reason, n := range dropped {
			if heard[reason] != n {
				t.Errorf("%s: %d dropped, the handler heard of %d", reason, n, heard[reason])
			}
		}
		if dropped[events.SpamFilter] == 0 || dropped[events.Rejected] == 0 || dropped[events.Stopped] == 0 {
			t.Errorf("too little happened: %v", dropped)
		}
	})
}
