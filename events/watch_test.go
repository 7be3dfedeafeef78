// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// Watchers work without Start, as in client-go. They get every single occurrence in order,
// formatted, and with the name of the Event in which it is counted on the server.
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

// A broadcaster that has only watchers keeps no series and needs no sink.
func TestWatchersOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &drops{}
		b := events.NewBroadcaster(nil, quiet, events.WithDropHandler(d.add))
		seen := watch(t, b)
		record(newRecorder(b), 5, "web")
		newRecorder(b).Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
		synctest.Wait()
		s := b.Stats()
		if len(seen()) != 5 || s.Series != 0 || s.Dropped[events.DropFiltered] != 5 || s.Dropped[events.DropInvalid] != 1 {
			t.Errorf("saw %d, want 5: %+v", len(seen()), s)
		}
		if n := d.counts()[events.DropFiltered]; n != 5 {
			t.Errorf("told of %d drops, want 5", n)
		}
		if err := b.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "has no sink") {
			t.Errorf("Start: %v, want an error about the sink", err)
		}
		if _, err := b.StartEventWatcher(nil); err == nil {
			t.Error("a watcher without a handler")
		}
		if lost := fixture.Drain(t, b, time.Second); lost != nil {
			t.Errorf("Drain: %v", lost)
		}
	})
}

// Each watcher has its own queue for 1000 Events. Further Events are counted, and other watchers
// are not affected. The stop function ends one watch, and its handler may call it. Events that were
// queued before are still handled.
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

// Drain waits until the watchers have handled their queues. Afterwards no watcher can be started.
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

// The handler of tuning.OccurrenceHandler gets each valid occurrence in the goroutine of the
// caller, formatted, also after the end. It may change the Event.
func TestOccurrenceHandler(t *testing.T) {
	var heard []string
	b := events.NewBroadcaster(eventstest.NewSink(), quiet, events.WithLabels(map[string]string{"app": "web"}),
		tuning.OccurrenceHandler(func(e *eventsv1.Event) {
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
	fixture.Flush(t, b)
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

// The log lines of a hundred series in ten minutes, if the server answers each write with an error:
// one line, or one a minute. It says what to do, and does not contain a whole object. An error that
// nobody can correct is not logged.
func TestLogOfFailures(t *testing.T) {
	for name, row := range map[string]struct {
		err         error
		opts        options
		lines, most int
		parts       []string
	}{
		"unavailable": {errUnavailable, nil, 5, 10, []string{"info: Event not written, will retry", `err="starting"`, `event="default/web-0.`}},
		"unreachable": {
			&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}, nil, 5, 10,
			[]string{"info: The API server cannot be reached", `err="dial tcp: connection refused"`},
		},
		"forbidden": {errForbidden, nil, 1, 1, []string{
			"error: ", "RBAC", "apiGroups: [events.k8s.io]", "verbs: [create, patch]", `namespace="default"`,
		}},
		"not served": {errNotServed, nil, 1, 1, []string{"error: ", "does not serve", "package adapter"}},
		"rejected": {errInvalid, nil, 1, 1, []string{
			"error: Event dropped: the API server rejects it", `object="default/web-0"`, `reason="Killing"`, "is invalid",
		}},
		"too old": {
			errTimeout, options{events.WithFinishInterval(time.Minute), tuning.RetryFor(2 * time.Minute)}, 3, 12,
			[]string{"info: Event not written, will retry", `namespace="default"`},
		},
		"terminating": {err: errTerminating},
		"missing": {errNoNamespace, nil, 1, 1, []string{
			"error: The namespace does not exist", `namespace="default"`, `object="default/web-0"`, `reason="Killing"`, "namespaces",
		}},
		"filtered": {err: events.ErrFiltered},
	} {
		subtest(t, name, row.opts, func(r *rig) {
			r.sink.FailNext(-1, row.err)
			for i := range 100 {
				pod := newPod(fmt.Sprint("web-", i))
				pod.Spec.NodeName = "the whole object"
				r.rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "the note")
				synctest.Wait()
			}
			time.Sleep(10*time.Minute - 1)
			lines := r.log.Take()
			all := strings.Join(lines, "\n")
			if n := len(lines); n < row.lines || n > row.most {
				r.Fatalf("%d lines in ten minutes:\n%s", n, all)
			}
			if strings.Contains(all, "the whole object") || strings.Contains(all, "the note") {
				r.Errorf("a line has the whole object: %s", all)
			}
			if len(lines) > 0 {
				checkLine(r.T, lines[:1], row.parts...)
			}
			if strings.Contains(all, `error: Events dropped`) != (row.opts != nil) {
				r.Errorf("what was dropped:\n%s", all)
			}
			r.sink.Heal()
			time.Sleep(10 * time.Minute)
			if got := len(r.log.Lines("info: The API server answers again")); got > 0 != (name == "unreachable") {
				r.Errorf("%d lines about the end:\n%s", got, strings.Join(r.log.Take(), "\n"))
			}
		})
	}
}

// When RBAC allows a namespace again, a line says so, with the number of occurrences that have
// waited. A successful create is not taken as a permission to patch.
func TestLogOfAGrant(t *testing.T) {
	const forbidden, allowed = "error: RBAC forbids Events in this namespace", "info: RBAC allows Events in this namespace again"
	inBubble(t, nil, func(r *rig) {
		r.record(1, "web")
		r.flush()
		var refused atomic.Bool
		refused.Store(true)
		r.sink.around = func(ctx context.Context, op string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
			if op == "patch" && refused.Load() {
				return nil, errForbidden
			}
			return store(ctx)
		}
		r.record(4, "web")
		time.Sleep(time.Minute)
		r.checkLines([]string{forbidden})
		r.record(1, "new")
		time.Sleep(time.Minute)
		r.checkLines()
		refused.Store(false)
		time.Sleep(5 * time.Minute)
		r.checkLines([]string{allowed, `namespace="default"`, `occurrences="4"`})
		r.record(8, "web")
		time.Sleep(10 * time.Minute)
		r.checkLines()
	})
}

// Writes to a namespace that is being deleted, or was deleted, are not logged, because nobody can
// correct that. A namespace that has never existed is logged in a line of its own.
func TestLogOfNamespacesThatAreGone(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		record := func(namespace, name string) {
			r.rec.Eventf(fixture.Pod(namespace, name), nil, "Normal", "Killing", "Kill", "the note")
			synctest.Wait()
		}
		for i := range 3 { // it has finalizers
			r.sink.FailNext(1, errTerminating)
			record("deleted", fmt.Sprint("web-", i))
			time.Sleep(8 * time.Minute)
		}
		r.sink.FailNext(-1, errNoNamespace)
		record("deleted", "web-gone")
		r.checkLines()
		for _, namespace := range []string{"typo", "typo", "other"} {
			record(namespace, "web")
			record(namespace, "db")
		}
		r.checkLines(
			[]string{"The namespace does not exist", `namespace="typo"`, `advice="no-namespace"`},
			[]string{"The namespace does not exist", `namespace="other"`},
		)
	})
}

// Start logs the note policies under which WithSharedCounts has no effect.
func TestLogOfWhatIsNotContinued(t *testing.T) {
	continues, distinct := events.WithSharedCounts(), events.NotesDistinct(2)
	for want, opts := range map[string]options{
		`[WithNotePolicy(NotesDistinct(2))]`:             {continues, events.WithNotePolicy(distinct)},
		`[WithNotePolicy(NotesDistinct(2), \"Failed\")]`: {continues, events.WithNotePolicy(distinct, "Failed")},
		"": {continues, events.WithNotePolicy(events.NotesLatest)},
	} {
		inBubble(t, opts, func(r *rig) {
			if want == "" {
				r.checkLines()
			} else {
				r.checkLines([]string{"info: WithSharedCounts has no effect", want})
			}
		})
	}
}

// The logger of a recorder gets lines about calls, and the logger of the broadcaster gets lines
// about writes.
func TestRecorderWithLogger(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		own := &testlog.Log{}
		with := r.rec.WithLogger(klog.New(own))
		with.Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
		with.Eventf(newPod("web"), nil, "Normal", "Killing", "", "note")
		r.sink.FailNext(1, errInvalid)
		with.Eventf(newPod("web"), nil, "Normal", "Other", "Kill", "note")
		r.flush()
		if n := len(own.Take()); n != 2 {
			r.Errorf("%d lines of the recorder, want the invalid and the repaired one", n)
		}
		r.checkLines([]string{"the API server rejects it"})
		with.(events.AnnotatedEventRecorder).AnnotatedEventf(newPod("web"), nil, nil, "Normal", "Third", "Kill", "note")
		if s := r.b.Stats(); s.Observed != 4 {
			r.Errorf("observed %d, want 4: the recorder shares all but the logger", s.Observed)
		}
	})
}

// The functions that start a broadcaster and return no error log the error of Start.
func TestLogOfStartRecordingToSink(t *testing.T) {
	inBubbleUnstarted(t, options{events.WithMaxSeries(-1)}, func(r *rig) {
		r.b.StartRecordingToSink(nil)
		r.checkLines([]string{"error: Events are not written", "WithMaxSeries(-1)"})
		r.b.Shutdown()
		r.b.StartStructuredLogging(0)()
		r.checkLines([]string{"error: Events are not logged", "drained"})
	})
}

// Recorders of a broadcaster that nobody starts say so after a minute, because nothing else would tell
// that their Events are not written. A program that records before Start, or that only flushes, hears
// nothing.
func TestLogOfBroadcasterThatWasNotStarted(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		r.record(1, "before")
		r.checkLines()
		time.Sleep(time.Minute)
		r.record(1, "waits")
		r.checkLines([]string{"error: Events wait in memory", "call Start", `advice="not-started"`})
		r.record(1, "waits too")
		r.checkLines()
		r.start(r.Context())
		time.Sleep(time.Hour)
		r.record(1, "written")
		r.checkLines()
	})
	inBubbleUnstarted(t, nil, func(r *rig) {
		r.record(1, "flushed")
		if err := r.b.Flush(r.Context()); err != nil {
			r.Error(err)
		}
		time.Sleep(time.Hour)
		r.record(1, "waits for the next flush")
		r.checkLines()
	})
	inBubbleUnstarted(t, nil, func(r *rig) {
		stop, err := r.b.StartEventWatcher(func(runtime.Object) {})
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		time.Sleep(time.Hour)
		r.record(1, "watched")
		r.checkLines()
	})
}

// A repair is counted for every occurrence, and logged for the first one of a recorder. An object
// without a UID is logged once.
func TestLogOnce(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		repair := func(rec events.EventRecorder) { rec.Eventf(newPod("web"), nil, "Normal", "Killing", "", "note") }
		repair(r.rec)
		repair(r.rec)
		repair(r.rec.WithLogger(klog.New(r.log)))
		r.checkLines([]string{"info: Event repaired", `repair="ActionEmpty"`, controller})
		repair(newRecorder(r.b))
		r.checkLines([]string{"ActionEmpty"})
		if n := r.b.Stats().Repaired[events.RepairAction]; n != 4 {
			r.Errorf("%d repairs counted, want 4", n)
		}
		for i := range 3 {
			pod := newPod(fmt.Sprint("bare-", i))
			pod.UID = ""
			r.rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "note")
		}
		r.checkLines([]string{"info: The object has no UID or no kind", `object="default/bare-0"`, `kind="Pod"`})
	})
}

// A reference without a kind is logged, because kubectl describe selects Events by the kind.
func TestReferenceWithoutKindIsLogged(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		reference := &corev1.ObjectReference{Namespace: "default", Name: "bare", UID: "uid"}
		r.rec.Eventf(reference, nil, "Normal", "Killing", "Kill", "note")
		r.checkLines([]string{"info: The object has no UID or no kind", `object="default/bare"`})
	})
}

// StartLogging logs the occurrence, and not the whole object. While the level of the logger is
// disabled, occurrences are not even formatted. The level may be enabled later.
func TestLogging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		defer b.Shutdown()
		log := &testlog.Log{Level: 2}
		stop, err := b.StartLogging(klog.New(log).V(3))
		if err != nil {
			t.Fatal(err)
		}
		var arg counted
		check := func(formatted counted, logged bool) {
			t.Helper()
			newRecorder(b).Eventf(newPod("web"), nil, "Warning", "Killing", "Kill", "it is %v", &arg)
			synctest.Wait()
			lines := log.Take()
			if arg != formatted || len(lines) > 0 != logged {
				t.Errorf("formatted %d times, lines %q", arg, lines)
			}
			if logged {
				checkLine(t, lines, "info: Event occurred", `object="default/web"`, `kind="Pod"`, `apiVersion="v1"`,
					`type="Warning"`, `reason="Killing"`, `action="Kill"`, `note="it is counted"`)
			}
		}
		check(1, false) // for the series
		check(1, false)
		log.Level = 3
		check(2, true)
		stop()
		check(2, false)
	})
}

// With WithLogDoublings the log has a line for each doubling of a series, with the note of that
// occurrence, although nothing can be written. It also has every occurrence that has no series.
// Watchers get every occurrence.
func TestLogDoublings(t *testing.T) {
	inBubble(t, options{events.WithLogDoublings()}, func(r *rig) {
		r.sink.Hold()
		defer r.sink.Release()
		r.b.StartStructuredLogging(0)
		seen := watch(r, r.b)
		for i := range 9 {
			r.say("Killing", "attempt %d", i+1)
		}
		r.selects("type=Warning")
		for range 2 {
			r.say("Pulled", "not selected")
		}
		synctest.Wait()
		var got []string
		for _, line := range r.log.Take() {
			count, _, _ := strings.Cut(strings.TrimPrefix(line, "info: Event occurred "), "object=")
			got = append(got, count+line[strings.Index(line, "note="):])
		}
		r.diff("lines", []string{
			`count="1" note="attempt 1"`, `count="2" note="attempt 2"`, `count="4" note="attempt 4"`,
			`count="8" note="attempt 8"`, `note="not selected"`, `note="not selected"`,
		}, got)
		if n := len(seen()); n != 11 {
			r.Errorf("a watcher saw %d occurrences, want all 11", n)
		}
	})
}
