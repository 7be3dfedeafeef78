// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// What a hundred series that the server answers with an error say in ten minutes: one line, or one a minute, that says what to
// do and has no whole object. What is nobody's fault is none.
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
			errTimeout, options{events.WithFinishInterval(time.Minute), events.WithRetryFor(2 * time.Minute)}, 3, 12,
			[]string{"info: Event not written, will retry", `namespace="default"`},
		},
		"terminating": {err: errTerminating},
		"missing":     {err: errNoNamespace},
		"filtered":    {err: events.ErrFiltered},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, row.opts, func(r *rig) {
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
					testlog.CheckLine(r.T, lines[:1], row.parts...)
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
		})
	}
}

// What WithContinuity does not continue is a line at Start.
func TestLogOfWhatIsNotContinued(t *testing.T) {
	continues, distinct := events.WithContinuity(), events.NotesDistinct(2)
	for want, opts := range map[string]options{
		`[WithNotes(NotesDistinct(2))]`:                {continues, events.WithNotes(distinct)},
		`[WithNotesFor(\"Failed\", NotesDistinct(2))]`: {continues, events.WithNotesFor("Failed", distinct)},
		"": {continues, events.WithNotes(events.NotesLatest)},
	} {
		inBubble(t, opts, func(r *rig) {
			if want == "" {
				r.checkLines()
			} else {
				r.checkLines([]string{"info: WithContinuity does not continue", want})
			}
		})
	}
}

// A recorder's logger is for what concerns the caller; the broadcaster's for what concerns delivery.
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

// What Start has to say to callers of the functions that return no error is logged.
func TestLogOfStartRecordingToSink(t *testing.T) {
	inBubbleUnstarted(t, options{events.WithMaxInFlight(-1)}, func(r *rig) {
		r.b.StartRecordingToSink(nil)
		r.checkLines([]string{"error: Events are not written", "WithMaxInFlight(-1)"})
		r.b.Shutdown()
		r.b.StartStructuredLogging(0)()
		r.checkLines([]string{"error: Events are not logged", "drained"})
	})
}

// A repair is counted for every occurrence, and logged for the first of its recorder. That an object without UID will be
// looked for in vain is said once.
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
		r.checkLines([]string{"info: The object has no UID", `object="default/bare-0"`, `kind="Pod"`})
	})
}

// StartLogging logs what happened, not the whole object. A logger whose level is disabled costs nothing, not even
// formatting, and may be enabled later.
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
				testlog.CheckLine(t, lines, "info: Event occurred", `object="default/web"`, `kind="Pod"`, `apiVersion="v1"`,
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

// Under WithLogDoublings the log has a series at each doubling, with the note of that occurrence, although nothing can be
// written; and all that has no series. Watchers see every occurrence.
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
			r.say("Pulled", "muted")
		}
		synctest.Wait()
		var got []string
		for _, line := range r.log.Take() {
			count, _, _ := strings.Cut(strings.TrimPrefix(line, "info: Event occurred "), "object=")
			got = append(got, count+line[strings.Index(line, "note="):])
		}
		r.diff("lines", []string{
			`count="1" note="attempt 1"`, `count="2" note="attempt 2"`, `count="4" note="attempt 4"`,
			`count="8" note="attempt 8"`, `note="muted"`, `note="muted"`,
		}, got)
		if n := len(seen()); n != 11 {
			r.Errorf("a watcher saw %d occurrences, want all 11", n)
		}
	})
}
