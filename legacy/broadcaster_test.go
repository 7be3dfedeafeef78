// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// drainTimeout is the default drain timeout.
const drainTimeout = 5 * time.Second

// takes returns a script in which each call takes the time d and succeeds. It is for tests in a
// bubble.
func takes(d time.Duration) func(sinkCall) error {
	return func(sinkCall) error { time.Sleep(d); return nil }
}

// dropIn is a Broadcaster with the method of client-go's interface that clientgo/record adds.
type dropIn struct{ *Broadcaster }

func (d dropIn) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) record.EventRecorderLogger {
	return d.Recorder(scheme, source)
}

// The Events and the lines of StartLogging are the ones that client-go makes of the same calls.
func TestEventsAreClientGos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		objects := []runtime.Object{
			pod("a"),
			&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "b", Namespace: "x", UID: "u", ResourceVersion: "7"}},
			&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "system:node"}},
			&corev1.ObjectReference{},
		}
		seen, lines := map[record.EventBroadcaster][]*corev1.Event{}, map[record.EventBroadcaster][]string{}
		client, ours := record.NewBroadcaster(), record.EventBroadcaster(dropIn{NewBroadcaster()})
		for _, b := range []record.EventBroadcaster{client, ours} {
			b.StartEventWatcher(func(e *corev1.Event) {
				if e.Name == "" {
					t.Error("an event without name")
				}
				e = e.DeepCopy()
				e.Name, e.FirstTimestamp, e.LastTimestamp = "", metav1.Time{}, metav1.Time{}
				seen[b] = append(seen[b], e)
			})
			b.StartLogging(func(format string, args ...any) { lines[b] = append(lines[b], fmt.Sprintf(format, args...)) })
			recorder := b.NewRecorder(scheme.Scheme, kubelet)
			var none []any // go vet knows from client-go 0.36 on that these are formats, and requires args
			for _, object := range objects {
				recorder.Event(object, "Warning", "Failed", "100%%")
				recorder.Eventf(object, "Normal", "Started", "%d of %d", 1, 2)
				recorder.AnnotatedEventf(object, map[string]string{"k": "v"}, "Normal", "", "no args %d", none...)
			}
			synctest.Wait()
			b.Shutdown()
		}
		if diff := cmp.Diff(seen[client], seen[ours]); diff != "" || len(seen[ours]) != 12 {
			t.Errorf("events (-client-go +ours):\n%s", diff)
		}
		if diff := cmp.Diff(lines[client], lines[ours]); diff != "" {
			t.Errorf("lines (-client-go +ours):\n%s", diff)
		}
	})
}

// Caught: a call that client-go would accept and this package repairs or refuses. It refuses only
// these calls.
func TestInvalidInput(t *testing.T) {
	for name, call := range map[string]func(record.EventRecorder){
		"a nil *v1.Pod":          func(r record.EventRecorder) { r.Event((*corev1.Pod)(nil), "Normal", "Started", "m") },
		"no scheme":              func(r record.EventRecorder) { r.Event(&corev1.Pod{}, "Normal", "Started", "m") },
		"want Normal or Warning": func(r record.EventRecorder) { r.Event(pod("a"), "Error", "Started", "m") },
	} {
		log := &testlog.Log{}
		b := NewBroadcaster()
		call(b.Recorder(nil, kubelet).WithLogger(klog.New(log)))
		checkStats(t, b.Stats(), map[string]int64{"Observed": 1, "Invalid": 1})
		log.CheckOnce(t, name)
	}
}

// silent is a sink that succeeds and returns no Event.
type silent struct{}

func (silent) Create(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (silent) Update(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (silent) Patch(*corev1.Event, []byte) (*corev1.Event, error) { return nil, nil }

// Every sink gets every Event, and its occurrences are counted separately.
func TestSinks(t *testing.T) {
	rejects := &server{script: func(sinkCall) error { return status(400, "BadRequest") }}
	for name, test := range map[string]struct {
		sinks []record.EventSink
		want  map[string]int64
	}{
		"none":         {nil, map[string]int64{"Observed": 1, "Filtered": 1}},
		"nil":          {[]record.EventSink{nil}, map[string]int64{"Filtered": 1}},
		"nil pointer":  {[]record.EventSink{(*typedcorev1.EventSinkImpl)(nil)}, map[string]int64{"Filtered": 1}},
		"no interface": {[]record.EventSink{&typedcorev1.EventSinkImpl{}}, map[string]int64{"Filtered": 1}},
		"two, silent":  {[]record.EventSink{silent{}, silent{}}, map[string]int64{"Recorded": 2}},
		"two":          {[]record.EventSink{&server{}, rejects}, map[string]int64{"Observed": 2, "Recorded": 1, "Rejected": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBroadcaster(quiet, WithContext(nil), //nolint:staticcheck // a careless caller
				events.WithMaxSeries(-1), events.WithDrainTimeout(-1)) // the defaults replace invalid values
			for _, sink := range test.sinks {
				if w := b.StartRecordingToSink(sink); len(test.sinks) == 1 {
					if _, open := <-w.ResultChan(); open {
						t.Error("want a watch that is over")
					}
				}
			}
			b.Recorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "m")
			b.Shutdown()
			checkStats(t, b.Stats(), test.want)
		})
	}
}

// After a sink was stopped, its pending occurrences are written, and no others.
func TestStopOfASinkWritesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: takes(time.Second)}
		b := NewBroadcaster()
		recording := b.StartRecordingToSink(sink)
		recorder := b.Recorder(nil, kubelet)
		for i := range 5 {
			recorder.Event(pod("a"), "Normal", "Started", fmt.Sprint(i))
		}
		recording.Stop()
		recording.Stop()
		if _, open := <-recording.ResultChan(); open {
			t.Error("the result channel has something, want it closed")
		}
		recorder.Event(pod("a"), "Normal", "Started", "too late")
		checkStats(t, b.Stats(), map[string]int64{"Observed": 6, "Pending": 5, "Filtered": 1})
		time.Sleep(10 * time.Second)
		checkStats(t, b.Stats(), map[string]int64{"Observed": 6, "Recorded": 5, "Filtered": 1})
		b.StartRecordingToSink(sink).Stop() // nothing is pending for this sink
		b.Shutdown()
	})
}

// Occurrences after the end of the context are written for the drain timeout. If Shutdown was not
// called by then, all later occurrences, sinks and watchers are refused, with lines in the log.
//
// Caught: occurrences refused immediately after the end of the context; never refused; a sink or a
// watcher ignored without a line.
func TestTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		log := &testlog.Log{}
		b, recorder := recordTo(&server{}, WithContext(ctx), events.WithLogger(klog.New(log)))
		b.StartStructuredLogging(9)
		cancel()
		time.Sleep(drainTimeout - 1)
		recorder.Event(pod("a"), "Normal", "Started", "in time")
		time.Sleep(2)
		synctest.Wait()
		recorder.Event(pod("a"), "Normal", "Started", "late")
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 1, "Stopped": 1})
		log.Take()
		for _, w := range []watch.Interface{
			b.StartRecordingToSink(&server{}), b.StartEventWatcher(func(*corev1.Event) {}), b.StartStructuredLogging(0),
		} {
			if _, open := <-w.ResultChan(); open {
				t.Error("want a watch that is over")
			}
		}
		if lines := log.Take(); len(lines) != 3 {
			t.Errorf("%q, want a line for each", lines)
		}
	})
}
