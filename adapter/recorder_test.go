// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// A recorder carries everything to the server, through either broadcaster.
func TestRecorderMethods(t *testing.T) {
	for _, mode := range []adapter.API{adapter.EventsV1, adapter.CoreV1, adapter.Legacy} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				a, logger := start(t, c, adapter.WithMode(mode))
				rec := logger.WithLogger(klog.Logger{}).(*adapter.Recorder)
				web, node := newPod("default", "web"), newPod("default", "node")
				rec.Eventf(web, node, "Normal", "Formatted", "Kill", "%d%%", 50)
				rec.Event(web, node, "Warning", "Verbatim", "Kill", "100% of %s")
				note := map[string]string{"example.com/k": "v"}
				rec.AnnotatedEventf(web, node, note, "Normal", "Annotated", "Kill", "x")
				flush(t, a)
				want := map[string]string{"Formatted": "50%", "Verbatim": "100% of %s", "Annotated": "x"}
				for _, e := range c.Events() {
					if e.Note != want[e.Reason] || e.Action != "Kill" || e.Related == nil || e.Related.Name != "node" ||
						e.ReportingController != controller {
						t.Errorf("stored: %+v", e)
					}
					if got := e.Annotations["example.com/k"]; (got == "v") != (e.Reason == "Annotated") {
						t.Errorf("%s: annotation %q", e.Reason, got)
					}
					delete(want, e.Reason)
				}
				if len(want) > 0 {
					t.Errorf("not stored: %v", want)
				}
			})
		})
	}
}

// The annotations of a context reach the server through either broadcaster.
//
// Caught: a recorder that asks only one of its broadcasters.
func TestRecorderWithContext(t *testing.T) {
	traced := events.WithContextAnnotations(func(ctx context.Context) map[string]string {
		return map[string]string{"trace": ctx.Value(traceKey{}).(string), "call": "no"}
	})
	for _, mode := range []adapter.API{adapter.EventsV1, adapter.CoreV1, adapter.Legacy} {
		t.Run(string(mode), func(t *testing.T) {
			c := newCluster()
			a, rec := start(t, c, adapter.WithMode(mode), traced)
			ctx := context.WithValue(t.Context(), traceKey{}, "1")
			rec.WithContext(ctx).AnnotatedEventf(newPod("default", "web"), nil,
				map[string]string{"call": "yes"}, "Normal", "Killing", "Kill", "x")
			flush(t, a)
			if diff := cmp.Diff(map[string]string{"trace": "1", "call": "yes"}, only(t, c).Annotations); diff != "" {
				t.Errorf("annotations (-want +got):\n%s", diff)
			}
		})
	}
}

// Labels of the broadcaster and of a recorder reach the server through either broadcaster, the invalid ones left out.
//
// Caught: a recorder that labels in only one of its broadcasters.
func TestRecorderWithLabels(t *testing.T) {
	for _, mode := range []adapter.API{adapter.EventsV1, adapter.CoreV1, adapter.Legacy} {
		t.Run(string(mode), func(t *testing.T) {
			c := newCluster()
			a, rec := start(t, c, adapter.WithMode(mode), events.WithLabels(map[string]string{"app": "web", "team": "blue"}),
				events.WithLabels(map[string]string{"zone": "a"}))
			rec.Eventf(newPod("default", "first"), nil, "Normal", "Killing", "Kill", "x")
			labelled := rec.WithLabels(map[string]string{"team": "red", "app": "-"})
			labelled.Eventf(newPod("default", "second"), nil, "Normal", "Killing", "Kill", "x")
			flush(t, a)
			want := map[string]map[string]string{
				"first": {"app": "web", "team": "blue", "zone": "a"}, "second": {"app": "web", "team": "red", "zone": "a"},
			}
			got := map[string]map[string]string{}
			for _, e := range c.Events() {
				got[e.Regarding.Name] = e.Labels
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
		})
	}
}

// An Event that was created through one API and is continued through the other keeps its labels.
func TestLabelsSurviveTheSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, rec := start(t, c, events.WithLabels(map[string]string{"app": "web"}))
		for _, notServed := range []bool{false, true, false} {
			c.ServeEventsV1(!notServed)
			time.Sleep(5*time.Minute + 31*time.Second) // until that was noticed, and before the series is finished
			emit(rec, 3, "default", "web")
			flush(t, a)
		}
		if w := c.Writes(); w.CoreV1.Patches != 1 || w.EventsV1.Patches < 2 {
			t.Errorf("requests: %+v, want a patch through core/v1 in between", w)
		}
		e := only(t, c)
		checkCount(t, &e, 9)
		if diff := cmp.Diff(map[string]string{"app": "web"}, e.Labels); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
	})
}

type traceKey struct{}

// controller-runtime asserts AnnotatedEventf through an interface of its own, unchecked.
func TestEveryRecorderAnnotates(t *testing.T) {
	type annotator interface {
		AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string,
			eventtype, reason, action, note string, args ...any)
	}
	a := adapter.New(t.Context(), newCluster(), quiet)
	rec := a.Recorder(controller)
	for name, r := range map[string]any{
		"NewRecorder": a.NewRecorder(controller),
		"Recorder":    rec,
		"WithLogger":  rec.WithLogger(klog.Logger{}),
		"WithNotes":   rec.WithNotes(events.NotesLatest),
		"both":        rec.WithNotes(events.NotesLatest).WithLogger(klog.Logger{}),
	} {
		if _, ok := r.(annotator); !ok {
			t.Errorf("%s: a %T has no AnnotatedEventf", name, r)
		}
	}
}

// WithNotes reaches the series, and leaves the recorder it came from alone.
func TestWithNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, first := start(t, c)
		distinct := first.WithNotes(events.NotesDistinct(5))
		for _, note := range []string{"one", "two", "three"} {
			first.Eventf(newPod("default", "first"), nil, "Normal", "R", "A", note)
			distinct.Eventf(newPod("default", "distinct"), nil, "Normal", "R", "A", note)
		}
		flush(t, a)
		got := map[string]int{}
		for _, e := range c.Events() {
			got[e.Regarding.Name]++
		}
		if got["first"] != 1 || got["distinct"] != 3 {
			t.Errorf("Events by object: %v, want 1 under NotesFirst, 3 under NotesDistinct", got)
		}
	})
}

var _ resourcelock.EventRecorder = record.EventRecorderLogger(nil)

// DeprecatedNewLegacyRecorder is what leader election takes, and follows the switch as all others do.
func TestLegacyRecorderFollowsTheSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, _ := start(t, c)
		lock := resourcelock.ResourceLockConfig{EventRecorder: a.DeprecatedNewLegacyRecorder(controller)}
		became := func(what string) {
			lock.EventRecorder.Eventf(newPod("default", "lease"), "Normal", "LeaderElection", "me %v", what)
			flush(t, a)
		}
		became("became leader")
		became("stopped leading") // another message is another Event, as with client-go
		checkWrites(t, c, 2, 0)

		time.Sleep(time.Minute)
		c.ServeEventsV1(false)
		became("became leader") // a patch: refused by v1, taken by core/v1
		became("became leader") // recorded by legacy
		checkAPI(t, a, adapter.Legacy)
		w := c.Writes()
		if w.CoreV1.Patches != 1 || w.CoreV1.Creates != 1 {
			t.Errorf("requests: %+v, want a patch and a create through core/v1", w)
		}

		c.ServeEventsV1(true)
		time.Sleep(5*time.Minute + time.Second)
		became("became leader")
		if got := c.Writes(); got.CoreV1 != w.CoreV1 {
			t.Errorf("requests: %+v after the switch back, want none more through core/v1", got)
		}
		checkAccounts(t, a, 5, 0, nil)
	})
}
