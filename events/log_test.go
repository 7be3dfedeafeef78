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

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// failing records a hundred occurrences of a hundred series while the server answers err, and returns what is logged in
// ten minutes.
func failing(t *testing.T, err error, opts ...events.Option) []string {
	t.Helper()
	sink, log := eventstest.NewSink(), &testlog.Log{}
	sink.FailNext(-1, err)
	b, rec := start(t, sink, append(opts, events.WithLogger(klog.New(log)))...)
	for i := range 100 {
		pod := newPod(fmt.Sprint("web-", i))
		pod.Spec.NodeName = "the whole object"
		rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "the note")
		synctest.Wait()
	}
	time.Sleep(10*time.Minute - 1)
	lines := log.Take()
	drain(t, b, time.Second)
	for _, line := range append(lines, log.Take()...) {
		if strings.Contains(line, "the whole object") || strings.Contains(line, "the note") ||
			strings.Contains(line, "ObjectMeta") {
			t.Errorf("a line has the whole object: %s", line)
		}
	}
	return lines
}

// An outage is a line a minute, not one per Event, and names no namespace, because none is to blame. Its end is a line if
// the server did not answer at all.
func TestLogOfAnOutage(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for name, test := range map[string]struct {
		err   error
		parts []string
		ends  int
	}{
		"unavailable": {errUnavailable, []string{"info: Event not written, will retry", `err="starting"`, `event="default/web-0.`}, 0},
		"unreachable": {refused, []string{"info: The API server cannot be reached", `err="dial tcp: connection refused"`}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lines := failing(t, test.err)
				if len(lines) < 5 || len(lines) > 10 {
					t.Errorf("%d lines in ten minutes:\n%s", len(lines), strings.Join(lines, "\n"))
				}
				testlog.CheckLine(t, lines[:1], test.parts...)
				if strings.Contains(lines[0], "namespace=") {
					t.Errorf("it blames a namespace: %s", lines[0])
				}
			})
			synctest.Test(t, func(t *testing.T) {
				sink, log := eventstest.NewSink(), &testlog.Log{}
				sink.FailNext(5, test.err)
				b, rec := start(t, sink, events.WithLogger(klog.New(log)))
				rec.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", "")
				rec.Eventf(newPod("db"), nil, "Normal", "Killing", "Kill", "")
				time.Sleep(time.Minute)
				drain(t, b, time.Second)
				if got := len(log.Lines("info: The API server answers again")); got != test.ends {
					t.Errorf("%d lines about the end, want %d:\n%s", got, test.ends, strings.Join(log.Lines(""), "\n"))
				}
			})
		})
	}
}

// What WithContinuity does not continue is a line at Start.
func TestLogOfWhatIsNotContinued(t *testing.T) {
	distinct := events.WithNotesFor("Failed", events.NotesDistinct(3))
	for name, test := range map[string]struct {
		opts []events.Option
		want string
	}{
		"all notes":     {[]events.Option{events.WithContinuity(), events.WithNotes(events.NotesDistinct(2))}, `[WithNotes(NotesDistinct(2))]`},
		"of a reason":   {[]events.Option{events.WithContinuity(), distinct}, `[WithNotesFor(\"Failed\", NotesDistinct(3))]`},
		"latest":        {[]events.Option{events.WithContinuity(), events.WithNotes(events.NotesLatest)}, ""},
		"no continuity": {[]events.Option{distinct}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			log := &testlog.Log{}
			b, _ := start(t, eventstest.NewSink(), append(test.opts, events.WithLogger(klog.New(log)))...)
			defer b.Shutdown()
			if test.want != "" {
				testlog.CheckLine(t, log.Take(), "info: WithContinuity does not continue", test.want)
			} else if lines := log.Take(); len(lines) > 0 {
				t.Errorf("%q, want nothing", lines)
			}
		})
	}
}

// What RBAC refuses is one line that says which rule is missing.
func TestLogOfForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		testlog.CheckLine(t, failing(t, errForbidden), "error: ", "RBAC", "events.k8s.io", "create", "patch",
			`namespace="default"`)
	})
}

// An API that is not served is one line that says what to do.
func TestLogOfUnsupported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		testlog.CheckLine(t, failing(t, errNotServed()), "error: ", "does not serve", "package adapter")
	})
}

// What is never accepted is said with the server's reason, once a minute for each
// reason of events: a webhook that refuses everything must not flood the log.
func TestLogOfRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		testlog.CheckLine(t, failing(t, errInvalid), "error: Event dropped: the API server rejects it", `object="default/web-0"`,
			`reason="Killing"`, "is invalid")
	})
}

// A namespace that is going away, an Event that expired and one that a sink does not want are nobody's fault.
func TestLogIsQuietAboutNormalLife(t *testing.T) {
	for name, err := range map[string]error{
		"terminating": errTerminating(), "missing": errNoNamespace, "filtered": events.ErrFiltered,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if lines := failing(t, err); len(lines) != 0 {
					t.Errorf("%q", lines)
				}
			})
		})
	}
	t.Run("expired", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			sink, log := eventstest.NewSink(), &testlog.Log{}
			b, rec := start(t, sink, events.WithLogger(klog.New(log)))
			record(rec, 1, "web")
			flush(t, b)
			sink.Expire("default", only(t, sink).Name)
			record(rec, 1, "web")
			flush(t, b)
			if lines := log.Take(); len(lines) != 0 {
				t.Errorf("%q", lines)
			}
		})
	})
}

// A full cache says which option to raise.
func TestLogOfCacheFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, log := eventstest.NewSink(), &testlog.Log{}
		sink.Hold()
		_, rec := start(t, sink, events.WithMaxSeries(10), events.WithLogger(klog.New(log)))
		for i := range 100 {
			record(rec, 1, fmt.Sprint("web-", i))
		}
		testlog.CheckLine(t, log.Take(), "error: Event dropped", "WithMaxSeries", `maxSeries="10"`)
		sink.Release()
	})
}

// A drop is logged with its number and its reason.
func TestLogOfTooOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := failing(t, errForbidden, events.WithFinishInterval(time.Minute), events.WithRetryFor(2*time.Minute))
		if len(lines) != 2 {
			t.Fatalf("%d lines, want the missing rule and the drop:\n%s", len(lines), strings.Join(lines, "\n"))
		}
		testlog.CheckLine(t, lines[1:], "error: Events dropped", `cause="TooOld"`, `occurrences="1"`, `reason="Killing"`)
	})
}

// A recorder's logger is for what concerns the caller; the broadcaster's for what concerns delivery.
func TestRecorderWithLogger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		own, others := &testlog.Log{}, &testlog.Log{}
		sink := eventstest.NewSink()
		b, rec := start(t, sink, events.WithLogger(klog.New(others)))
		with := rec.WithLogger(klog.New(own))
		with.Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
		with.Eventf(newPod("web"), nil, "Normal", "Killing", "", "note")
		sink.FailNext(1, errInvalid)
		with.Eventf(newPod("web"), nil, "Normal", "Other", "Kill", "note")
		flush(t, b)
		if n := len(own.Take()); n != 2 {
			t.Errorf("%d lines of the recorder, want the invalid and the repaired one", n)
		}
		testlog.CheckLine(t, others.Take(), "the API server rejects it")
		with.(events.AnnotatedEventRecorder).AnnotatedEventf(newPod("web"), nil, nil, "Normal", "Third", "Kill", "note")
		flush(t, b)
		if s := b.Stats(); s.Observed != 4 {
			t.Errorf("observed %d, want 4: the recorder shares all but the logger", s.Observed)
		}
	})
}

// What Start has to say to callers of the functions that return no error is logged.
func TestLogOfStartRecordingToSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		b := events.NewBroadcaster(eventstest.NewSink(), events.WithLogger(klog.New(log)), events.WithMaxInFlight(-1))
		b.StartRecordingToSink(nil)
		testlog.CheckLine(t, log.Take(), "error: Events are not written", "WithMaxInFlight(-1)")
		b.Shutdown()
		b.StartStructuredLogging(0)
		testlog.CheckLine(t, log.Take(), "error: Events are not logged", "drained")
	})
}

// A repair is counted for every occurrence that was repaired, and logged for the first of its recorder.
func TestRepairsAreLoggedOncePerRecorder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		b, rec := start(t, eventstest.NewSink(), events.WithLogger(klog.New(log)))
		for range 3 {
			rec.Eventf(newPod("web"), nil, "Normal", "Killing", "", "note")
		}
		testlog.CheckLine(t, log.Take(), "info: Event repaired", `repair="ActionEmpty"`, controller)
		rec.WithLogger(klog.New(log)).Eventf(newPod("web"), nil, "Normal", "Other", "", "note")
		if lines := log.Take(); len(lines) > 0 {
			t.Errorf("said again: %q", lines)
		}
		newRecorder(b).Eventf(newPod("web"), nil, "Normal", "Killing", "", "note")
		testlog.CheckLine(t, log.Take(), "ActionEmpty")
		if n := b.Stats().Repaired[events.RepairAction]; n != 5 {
			t.Errorf("%d repairs counted, want 5", n)
		}
	})
}

// An Event about an object without UID is recorded, and then looked for in vain: that is said once.
func TestLogOfAnObjectWithoutUID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		b, rec := start(t, eventstest.NewSink(), events.WithLogger(klog.New(log)))
		record(rec, 1, "web")
		flush(t, b)
		for i := range 3 {
			pod := newPod(fmt.Sprint("bare-", i))
			pod.UID = ""
			rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "note")
		}
		testlog.CheckLine(t, log.Take(), "info: The object has no UID", `object="default/bare-0"`, `kind="Pod"`)
	})
}

// Under WithLogDoublings the log has a series at each doubling, with the note of that occurrence, although nothing can be
// written; and all that has no series.
//
// Caught: a line for every occurrence; a count without the occurrence itself; what is muted left out.
func TestLogDoublings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, log := eventstest.NewSink(), &testlog.Log{}
		sink.Hold()
		b, rec := start(t, sink, events.WithLogDoublings())
		if _, err := b.StartLogging(klog.New(log)); err != nil {
			t.Fatal(err)
		}
		seen := watch(t, b)
		for i := range 9 {
			rec.Eventf(newPod("web"), nil, "Normal", "Killing", "", "attempt %d", i+1)
		}
		if err := b.SetSelector("type=Warning"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			rec.Eventf(newPod("web"), nil, "Normal", "Pulled", "", "muted")
		}
		synctest.Wait()
		var got []string
		for _, line := range log.Take() {
			count, _, _ := strings.Cut(strings.TrimPrefix(line, "info: Event occurred "), "object=")
			got = append(got, count+line[strings.Index(line, "note="):])
		}
		want := []string{
			`count="1" note="attempt 1"`, `count="2" note="attempt 2"`, `count="4" note="attempt 4"`,
			`count="8" note="attempt 8"`, `note="muted"`, `note="muted"`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if n := len(seen()); n != 11 {
			t.Errorf("a watcher saw %d occurrences, want all 11", n)
		}
		sink.Release()
	})
}
