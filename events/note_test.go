// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// panicky panics when it is formatted.
type panicky struct{}

func (panicky) String() string { panic("no") }

func TestNoteFormat(t *testing.T) {
	for _, test := range []struct {
		name, note string
		args       []any
		want       string
		verbatim   string // by Event, if other than note
	}{
		{name: "plain", note: "stopping", want: "stopping"},
		{name: "empty", note: "", want: ""},
		{name: "args", note: "stopping %s in %d s", args: []any{"web", 3}, want: "stopping web in 3 s"},
		{name: "percent with args", note: "%d%% of %s", args: []any{5, "web"}, want: "5% of web"},
		{name: "percent", note: "at 100%%", want: "at 100%", verbatim: "at 100%%"},
		{name: "percents", note: "%%%%", want: "%%", verbatim: "%%%%"},
		{name: "a lone percent", note: "at 100% load", want: "at 100% load"},
		{name: "a last percent", note: "at 100%", want: "at 100%"},
		{name: "an error text", note: errors.New("bad %d: %v").Error(), want: "bad %d: %v"},
		{name: "an error text with percents", note: "50%% of %d", want: "50%% of %d"},
		{name: "an URL", note: "GET /a%2Fb", want: "GET /a%2Fb"},
		{name: "too few args", note: "%s and %s", args: []any{"one"}, want: "one and %!s(MISSING)"},
		{name: "too many args", note: "one", args: []any{"two"}, want: "one%!(EXTRA string=two)"},
		{name: "nil arg", note: "%v", args: []any{nil}, want: "<nil>"},
		{name: "an error", note: "failed: %v", args: []any{errors.New("bad %d")}, want: "failed: bad %d"},
		{name: "a panic", note: "%v", args: []any{panicky{}}, want: "%!v(PANIC=String method: no)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, rec := start(t, sink)
				rec.Eventf(newPod("web"), nil, "Normal", "A", "Kill", test.note, test.args...)
				rec.AnnotatedEventf(newPod("web"), nil, nil, "Normal", "B", "Kill", test.note, test.args...)
				rec.Event(newPod("web"), nil, "Normal", "C", "Kill", test.note)
				flush(t, b)
				verbatim := test.verbatim
				if verbatim == "" {
					verbatim = test.note
				}
				got := map[string]string{}
				for _, e := range sink.Events() {
					got[e.Reason] = e.Note
				}
				if diff := cmp.Diff(map[string]string{"A": test.want, "B": test.want, "C": verbatim}, got); diff != "" {
					t.Errorf("notes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// counted counts how often it is formatted.
type counted int

func (c *counted) String() string { *c++; return "counted" }

// Under NotesFirst a repeat is not formatted: not even a Stringer is called.
func TestNotesFirstFormatsOnce(t *testing.T) {
	for policy, want := range map[events.NotePolicy]counted{
		events.NotesFirst: 1, events.NotesLatest: 5, events.NotesDistinct(3): 5,
	} {
		t.Run(policy.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, rec := start(t, eventstest.NewSink(), events.WithNotes(policy))
				var arg counted
				for range 5 {
					rec.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", "%v", &arg)
				}
				if arg != want {
					t.Errorf("formatted %d times, want %d", arg, want)
				}
			})
		})
	}
}

// notes records occurrences that differ in their note, under a policy of the broadcaster or of the recorder. It
// returns for each Event stored its note, count and newest note.
func notes(t *testing.T, policy events.NotePolicy, ofRecorder bool, all ...string) []string {
	t.Helper()
	sink := eventstest.NewSink()
	opts := []events.Option{events.WithNotes(policy)}
	if ofRecorder {
		opts = nil
	}
	b, rec := start(t, sink, opts...)
	if ofRecorder {
		rec = rec.WithNotes(policy)
	}
	for _, note := range all {
		rec.Event(newPod("web"), nil, "Normal", "Killing", "Kill", note)
		flush(t, b)
	}
	var got []string
	for _, e := range sink.Events() {
		line := fmt.Sprintf("%s x%d", e.Note, count(&e))
		if latest, ok := e.Annotations["eventseries.dev/latest-note"]; ok {
			line += ", latest " + latest
		}
		got = append(got, line)
	}
	return got
}

func TestNotePolicies(t *testing.T) {
	for _, test := range []struct {
		name   string
		policy events.NotePolicy
		notes  []string
		want   []string
	}{
		{"first", events.NotesFirst, []string{"a", "b", "a"}, []string{"a x3"}},
		{"latest, the same", events.NotesLatest, []string{"a", "a"}, []string{"a x2"}},
		{"latest", events.NotesLatest, []string{"a", "b", "c"}, []string{"a x3, latest c"}},
		{"latest is the first again", events.NotesLatest, []string{"a", "b", "a"}, []string{"a x3, latest a"}},
		{"distinct", events.NotesDistinct(3), []string{"a", "b", "c"}, []string{"a x1", "b x1", "c x1"}},
		{"distinct, repeated", events.NotesDistinct(3), []string{"a", "b", "a", "b", "a"}, []string{"a x3", "b x2"}},
		{
			"distinct, repeated when full", events.NotesDistinct(2), []string{"a", "b", "a", "b", "a"},
			[]string{"a x3", "b x2"},
		},
		{
			"distinct, further ones", events.NotesDistinct(2), []string{"a", "b", "c", "d", "a", "c"},
			[]string{"a x2", "b x4"},
		},
		{"distinct(1)", events.NotesDistinct(1), []string{"a", "b", "a"}, []string{"a x3"}},
		{"distinct with an empty note", events.NotesDistinct(2), []string{"", "a", "b", ""}, []string{" x2", "a x2"}},
	} {
		for _, ofRecorder := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, of recorder: %v", test.name, ofRecorder), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					got := notes(t, test.policy, ofRecorder, test.notes...)
					if diff := cmp.Diff(test.want, got); diff != "" {
						t.Errorf("Events (-want +got):\n%s", diff)
					}
				})
			})
		}
	}
}

// An invalid policy of a recorder changes nothing.
func TestRecorderWithInvalidNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, policy := range []events.NotePolicy{events.NotesDistinct(0), events.NotesDistinct(-1), -7} {
			if got := notes(t, policy, true, "a", "b"); !cmp.Equal(got, []string{"a x2"}) {
				t.Errorf("%v: %v, want NotesFirst", policy, got)
			}
		}
	})
}

// A policy of its own changes nothing for other recorders of the broadcaster.
func TestRecordersWithTheirOwnNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		distinct := rec.WithNotes(events.NotesDistinct(10))
		for _, note := range []string{"a", "b", "c"} {
			rec.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", note)
			distinct.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", note)
		}
		flush(t, b)
		if n := len(sink.Events()); n != 4 {
			t.Errorf("%d Events, want 1 and 3", n)
		}
	})
}

func TestNotePolicyString(t *testing.T) {
	for policy, want := range map[events.NotePolicy]string{
		events.NotesFirst: "NotesFirst", events.NotesLatest: "NotesLatest", events.NotesDistinct(3): "NotesDistinct(3)",
		events.NotesDistinct(0): "an invalid NotePolicy", -2: "an invalid NotePolicy",
	} {
		if got := policy.String(); got != want {
			t.Errorf("NotePolicy(%d) is %q, want %q", int(policy), got, want)
		}
	}
}

// A reason with a policy of its own keeps it, whatever its broadcaster or recorder says about the others.
func TestNotesForAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink, events.WithNotes(events.NotesLatest),
			events.WithNotesFor("GPUFailed", events.NotesDistinct(60)), events.WithNotesFor("Synced", events.NotesFirst))
		emit := func(rec clientevents.EventRecorder, reason string) {
			for i := range 60 {
				rec.Eventf(newPod("web"), nil, "Warning", reason, "Check", "note %d", i)
			}
		}
		emit(rec, "GPUFailed")
		emit(rec.WithNotes(events.NotesFirst), "GPUFailed") // the same sixty
		emit(rec, "Synced")
		emit(rec, "Other")
		flush(t, b)
		got := map[string]int{}
		for _, e := range sink.Events() {
			got[fmt.Sprintf("%s x%d %s", e.Reason, count(&e), e.Annotations["eventseries.dev/latest-note"])]++
		}
		want := map[string]int{"GPUFailed x2 ": 60, "Synced x60 ": 1, "Other x60 note 59": 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Events (-want +got):\n%s", diff)
		}
	})
}
