// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// watch starts a watcher and returns a function that says what it has got so far.
func watch(t testing.TB, b *events.Broadcaster) func() []*eventsv1.Event {
	t.Helper()
	var mu sync.Mutex
	var got []*eventsv1.Event
	_, err := b.StartEventWatcher(func(obj runtime.Object) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, obj.(*eventsv1.Event))
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() []*eventsv1.Event {
		mu.Lock()
		defer mu.Unlock()
		return append([]*eventsv1.Event(nil), got...)
	}
}

// Watchers work without Start, as in client-go, and see every occurrence: formatted, in order, not folded into series.
func TestWatchersSeeEveryOccurrence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		seen := watch(t, b)
		rec := newRecorder(b)
		for i := range 3 {
			rec.AnnotatedEventf(newPod("web"), newPod("peer"), map[string]string{"a": fmt.Sprint(i)},
				"Warning", "Killing", "", "attempt %d", i)
			time.Sleep(time.Second)
		}
		for i, e := range seen() {
			got := fmt.Sprintln(e.Namespace, e.Regarding.Name, e.Regarding.ResourceVersion, e.Related.Name, e.Type,
				e.Reason, e.Action, e.Note, e.Annotations, e.ReportingController, e.Series, e.DeprecatedCount)
			want := fmt.Sprintln("default", "web", 1, "peer", "Warning", "Killing", "Killing", "attempt", i,
				map[string]string{"a": fmt.Sprint(i)}, controller, (*eventsv1.EventSeries)(nil), 0)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
		if lost := drain(t, b, time.Second); lost == nil || lost.Occurrences != 3 {
			t.Errorf("Drain: %v, want the 3 that were never written", lost)
		}
	})
}

// What a watcher gets has the name of the Event on the server, one for each series.
//
// Caught: a name for each occurrence.
func TestWatchersSeeTheNameOnTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet)
		seen := watch(t, b)
		rec := newRecorder(b)
		for _, reason := range []string{"Killing", "Killing", "Pulled"} {
			rec.Eventf(newPod("web"), nil, "Normal", reason, "", "note")
		}
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		stored := map[string]string{}
		for _, e := range sink.Events() {
			stored[e.Reason] = e.Name
		}
		synctest.Wait()
		got := seen()
		if len(got) != 3 || len(stored) != 2 {
			t.Errorf("%d events seen, %d stored, want 3 and 2", len(got), len(stored))
		}
		for _, e := range got {
			if e.Name != stored[e.Reason] {
				t.Errorf("%s: seen as %s, stored as %s", e.Reason, e.Name, stored[e.Reason])
			}
		}
		b.Shutdown()
	})
}

// A broadcaster with watchers only keeps no series and needs no sink.
func TestWatchersOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told int64
		b := events.NewBroadcaster(nil, quiet, events.WithDropHandler(func(d events.Drop) { told += d.Occurrences }))
		seen := watch(t, b)
		record(newRecorder(b), 5, "web")
		synctest.Wait()
		if n := len(seen()); n != 5 {
			t.Errorf("saw %d, want 5", n)
		}
		if s := b.Stats(); s.Series != 0 || s.Pending != 0 || told != 5 {
			t.Errorf("%d series, %d pending, told of %d drops, want none, none, 5", s.Series, s.Pending, told)
		}
		checkDropped(t, b, map[events.DropReason]int64{events.Filtered: 5})
		if err := b.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "has no sink") {
			t.Errorf("Start: %v, want an error about the sink", err)
		}
		if lost := drain(t, b, time.Second); lost != nil {
			t.Errorf("Drain: %v", lost)
		}
	})
}

// Each watcher has a queue of 1000 of its own; what overflows is counted, and does not concern the others.
func TestWatcherQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		defer b.Shutdown()
		slow, release := 0, make(chan struct{})
		_, err := b.StartEventWatcher(func(runtime.Object) { <-release; slow++ })
		if err != nil {
			t.Fatal(err)
		}
		fast := watch(t, b)
		rec := newRecorder(b)
		for range 1101 {
			record(rec, 1, "web")
			synctest.Wait()
		}
		if n := b.Stats().WatcherDropped; n != 100 {
			t.Errorf("%d dropped, want 100: one is being handled, a thousand wait", n)
		}
		close(release)
		synctest.Wait()
		if n := len(fast()); n != 1101 || slow != 1001 {
			t.Errorf("the fast watcher got %d, the slow one %d, want 1101 and 1001", n, slow)
		}
		checkConserved(t, b.Stats())
	})
}

// The stop function ends one watch. What was queued before is still handled.
func TestWatcherStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		defer b.Shutdown()
		var handled int
		release := make(chan struct{})
		stop, err := b.StartEventWatcher(func(runtime.Object) { <-release; handled++ })
		if err != nil {
			t.Fatal(err)
		}
		other := watch(t, b)
		rec := newRecorder(b)
		record(rec, 3, "web")
		synctest.Wait()
		stop()
		record(rec, 4, "web")
		close(release)
		synctest.Wait()
		if n := len(other()); handled != 3 || n != 7 {
			t.Errorf("the stopped watcher handled %d, the other %d, want 3 and 7", handled, n)
		}
		stop()
	})
}

// A watcher may stop itself from its handler.
func TestWatcherStopsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		defer b.Shutdown()
		var stop func()
		handled := 0
		stop, err := b.StartEventWatcher(func(runtime.Object) { handled++; stop() })
		if err != nil {
			t.Fatal(err)
		}
		rec := newRecorder(b)
		record(rec, 1, "web")
		synctest.Wait()
		record(rec, 1, "web")
		synctest.Wait()
		if handled != 1 {
			t.Errorf("handled %d, want 1", handled)
		}
	})
}

// Drain lets watchers finish what is queued; afterwards there is nothing to watch.
func TestWatchersAreDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink())
		handled := 0
		_, err := b.StartEventWatcher(func(runtime.Object) { time.Sleep(time.Millisecond); handled++ })
		if err != nil {
			t.Fatal(err)
		}
		record(rec, 100, "web")
		if lost := drain(t, b, time.Second); lost != nil {
			t.Error(lost)
		}
		if handled != 100 {
			t.Errorf("handled %d, want 100", handled)
		}
		if _, err := b.StartEventWatcher(func(runtime.Object) {}); err == nil {
			t.Error("a watcher after Drain")
		}
		if _, err := b.StartLogging(klog.Logger{}); err == nil {
			t.Error("a logger after Drain")
		}
		b.StartStructuredLogging(0)()
		record(rec, 1, "web")
		if handled != 100 {
			t.Error("an event after Drain")
		}
	})
}

func TestWatcherNeedsAHandler(t *testing.T) {
	b := events.NewBroadcaster(nil)
	defer b.Shutdown()
	if _, err := b.StartEventWatcher(nil); err == nil {
		t.Error("no error")
	}
}

// What is refused is not an event; a watcher does not see it.
func TestWatchersDoNotSeeWhatIsInvalid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, sink := range []events.Sink{nil, eventstest.NewSink()} {
			b := events.NewBroadcaster(sink, quiet)
			seen := watch(t, b)
			rec := newRecorder(b)
			rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
			rec.Eventf(newPod("web"), nil, "Info", "Killing", "Kill", "note")
			rec.Eventf(newPodIn("Not_A_Label", "web"), nil, "Normal", "Killing", "Kill", "note")
			synctest.Wait()
			if n := len(seen()); n != 0 {
				t.Errorf("saw %d", n)
			}
			checkDropped(t, b, map[events.DropReason]int64{events.Invalid: 3})
			b.Shutdown()
		}
	})
}

// StartLogging logs what happened, not the whole object.
func TestLogging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(nil, quiet)
		defer b.Shutdown()
		log := &testlog.Log{Level: 3}
		stop, err := b.StartLogging(klog.New(log).V(3))
		if err != nil {
			t.Fatal(err)
		}
		rec := newRecorder(b)
		rec.Eventf(newPod("web"), nil, "Warning", "Killing", "Kill", "in %d s", 3)
		synctest.Wait()
		testlog.CheckLine(t, log.Take(), "info: Event occurred", `object="default/web"`, `kind="Pod"`, `apiVersion="v1"`,
			`type="Warning"`, `reason="Killing"`, `action="Kill"`, `note="in 3 s"`)
		stop()
		record(rec, 1, "web")
		synctest.Wait()
		if lines := log.Take(); len(lines) > 0 {
			t.Errorf("logged after the stop: %q", lines)
		}
	})
}

// A logger whose level is disabled costs nothing: not even formatting. It may be enabled later.
func TestDisabledLoggerCostsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		defer b.Shutdown()
		log := &testlog.Log{Level: 2}
		if _, err := b.StartLogging(klog.New(log).V(3)); err != nil {
			t.Fatal(err)
		}
		var arg counted
		rec := newRecorder(b)
		emit := func() { rec.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", "%v", &arg) }
		emit()
		for range 10 {
			emit()
		}
		synctest.Wait()
		if lines := log.Take(); arg != 1 || len(lines) != 0 {
			t.Errorf("formatted %d times, want once for the series; lines %q", arg, lines)
		}
		log.Level = 3
		emit()
		synctest.Wait()
		if lines := log.Take(); arg != 2 || len(lines) != 1 {
			t.Errorf("formatted %d times, lines %q", arg, lines)
		}
	})
}
