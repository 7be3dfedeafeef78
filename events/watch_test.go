// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// Watchers work without Start, as in client-go, and see every occurrence: formatted, in order, not folded into series, with
// the name of the Event on the server.
func TestWatchersSeeEveryOccurrence(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		seen := watch(r, r.b)
		var want, got []string
		for i := range 3 {
			r.rec.AnnotatedEventf(newPod("web"), newPod("peer"), map[string]string{"a": fmt.Sprint(i)},
				"Warning", fmt.Sprint("Killing", i%2), "", "attempt %d", i)
			want = append(want, fmt.Sprintf("default web 1 peer Warning Killing%d Killing%[1]d attempt %d map[a:%[2]d] %s", i%2, i, controller))
		}
		r.flush()
		synctest.Wait()
		name := map[string]string{}
		for _, e := range r.sink.Events() {
			name[e.Reason] = e.Name
		}
		for _, e := range seen() {
			got = append(got, fmt.Sprint(e.Namespace, " ", e.Regarding.Name, " ", e.Regarding.ResourceVersion, " ", e.Related.Name, " ", e.Type,
				" ", e.Reason, " ", e.Action, " ", e.Note, " ", e.Annotations, " ", e.ReportingController))
			if e.Name != name[e.Reason] || e.Series != nil {
				r.Errorf("%s: seen as %s with the series %v, stored as %s", e.Reason, e.Name, e.Series, name[e.Reason])
			}
		}
		r.diff("seen", want, got)
	})
}

// A broadcaster with watchers only keeps no series and needs no sink.
func TestWatchersOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &drops{}
		b := events.NewBroadcaster(nil, quiet, events.WithDropHandler(d.add))
		seen := watch(t, b)
		record(newRecorder(b), 5, "web")
		newRecorder(b).Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
		synctest.Wait()
		s := b.Stats()
		if len(seen()) != 5 || s.Series != 0 || s.Dropped[events.Filtered] != 5 || s.Dropped[events.Invalid] != 1 {
			t.Errorf("saw %d, want 5: %+v", len(seen()), s)
		}
		if n := d.counts()[events.Filtered]; n != 5 {
			t.Errorf("told of %d drops, want 5", n)
		}
		if err := b.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "has no sink") {
			t.Errorf("Start: %v, want an error about the sink", err)
		}
		if _, err := b.StartEventWatcher(nil); err == nil {
			t.Error("a watcher without a handler")
		}
		if lost := drain(t, b, time.Second); lost != nil {
			t.Errorf("Drain: %v", lost)
		}
	})
}

// Each watcher has a queue of 1000 of its own; what overflows is counted, and does not concern the others. The stop
// function ends one watch, also from its handler, and what was queued before is still handled.
func TestWatcherQueue(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		slow, release := 0, make(chan struct{})
		stop, err := r.b.StartEventWatcher(func(runtime.Object) { <-release; slow++ })
		if err != nil {
			r.Fatal(err)
		}
		once := 0
		var stopItself func()
		if stopItself, err = r.b.StartEventWatcher(func(runtime.Object) { once++; stopItself() }); err != nil {
			r.Fatal(err)
		}
		fast := watch(r, r.b)
		for range 1101 {
			r.record(1, "web")
			synctest.Wait()
		}
		if n := r.b.Stats().WatcherDropped; n != 100 {
			r.Errorf("%d dropped, want 100: one is being handled, a thousand wait", n)
		}
		stop()
		r.record(4, "web")
		close(release)
		synctest.Wait()
		if n := len(fast()); n != 1105 || slow != 1001 || once != 1 {
			r.Errorf("the fast watcher got %d, the slow one %d, that of one %d, want 1105, 1001 and 1", n, slow, once)
		}
		stop()
	})
}

// Drain lets watchers finish what is queued; afterwards there is nothing to watch.
func TestWatchersAreDrained(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		handled := 0
		handler := func(runtime.Object) { time.Sleep(time.Millisecond); handled++ }
		if _, err := r.b.StartEventWatcher(handler); err != nil {
			r.Fatal(err)
		}
		r.record(100, "web")
		if lost := r.drain(time.Second); lost != nil {
			r.Error(lost)
		}
		r.record(1, "web")
		if handled != 100 {
			r.Errorf("handled %d, want 100", handled)
		}
		if _, err := r.b.StartEventWatcher(handler); err == nil {
			r.Error("a watcher after Drain")
		}
		if _, err := r.b.StartLogging(klog.Logger{}); err == nil {
			r.Error("a logger after Drain")
		}
	})
}

// A handler gets each occurrence that is valid in the caller's goroutine, formatted, also after the end. The event is its own.
func TestOccurrenceHandler(t *testing.T) {
	var heard []string
	b := events.NewBroadcaster(eventstest.NewSink(), quiet, events.WithLabels(map[string]string{"app": "web"}),
		events.WithOccurrenceHandler(func(e *eventsv1.Event) {
			heard = append(heard, fmt.Sprint(e.Regarding.Name, " ", e.Reason, ": ", e.Note, " ", e.Annotations, e.Labels))
			e.Note = "mine"
			clear(e.Annotations)
			clear(e.Labels)
			panic("oops")
		}))
	seen := watch(t, b)
	rec := newRecorder(b)
	for i := range 2 {
		rec.AnnotatedEventf(newPod("web"), nil, map[string]string{"i": fmt.Sprint(i)}, "Normal", "Scaled", "Scale", "to %d", i)
	}
	rec.Eventf(nil, nil, "Normal", "Scaled", "Scale", "nobody")
	flush(t, b)
	b.Shutdown()
	rec.Eventf(newPod("web"), nil, "Normal", "Late", "Scale", "after the end")
	want := []string{
		"web Scaled: to 0 map[i:0] map[app:web]", "web Scaled: to 1 map[i:1] map[app:web]",
		"web Late: after the end map[] map[app:web]",
	}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
	if all := seen(); len(all) != 2 || all[1].Note != "to 1" || all[1].Labels["app"] != "web" {
		t.Errorf("a watcher sees what the handler has changed: %v", all)
	}
}
