// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"errors"
	"fmt"
	"testing"

	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
)

// panicky panics when it is formatted.
type panicky struct{}

func (panicky) String() string { panic("no") }

func TestNoteFormat(t *testing.T) {
	for name, row := range map[string]struct {
		note     string
		args     []any
		want     string
		verbatim string // the note that the method Event records, if it differs
	}{
		"plain":                       {note: "stopping", want: "stopping"},
		"empty":                       {note: "", want: ""},
		"args":                        {note: "stopping %s in %d s", args: []any{"web", 3}, want: "stopping web in 3 s"},
		"percent with args":           {note: "%d%% of %s", args: []any{5, "web"}, want: "5% of web"},
		"percent":                     {note: "at 100%%", want: "at 100%", verbatim: "at 100%%"},
		"percents":                    {note: "%%%%", want: "%%", verbatim: "%%%%"},
		"a lone percent":              {note: "at 100% load", want: "at 100% load"},
		"a last percent":              {note: "at 100%", want: "at 100%"},
		"an error text":               {note: errors.New("bad %d: %v").Error(), want: "bad %d: %v"},
		"an error text with percents": {note: "50%% of %d", want: "50%% of %d"},
		"an URL":                      {note: "GET /a%2Fb", want: "GET /a%2Fb"},
		"too few args":                {note: "%s and %s", args: []any{"one"}, want: "one and %!s(MISSING)"},
		"too many args":               {note: "one", args: []any{"two"}, want: "one%!(EXTRA string=two)"},
		"an error":                    {note: "failed: %v", args: []any{errors.New("bad %d")}, want: "failed: bad %d"},
		"a panic":                     {note: "%v", args: []any{panicky{}}, want: "%!v(PANIC=String method: no)"},
	} {
		subtest(t, name, nil, func(r *rig) {
			r.rec.Eventf(newPod("web"), nil, "Normal", "A", "Kill", row.note, row.args...)
			r.rec.AnnotatedEventf(newPod("web"), nil, nil, "Normal", "B", "Kill", row.note, row.args...)
			r.rec.Event(newPod("web"), nil, "Normal", "C", "Kill", row.note)
			r.flush()
			if row.verbatim == "" {
				row.verbatim = row.note
			}
			got := map[string]string{}
			for _, e := range r.sink.Events() {
				got[e.Reason] = e.Note
			}
			r.diff("notes", map[string]string{"A": row.want, "B": row.want, "C": row.verbatim}, got)
		})
	}
}

// counted is an argument that counts how often it is formatted.
type counted int

func (c *counted) String() string { *c++; return "counted" }

// The Events under each policy, with their notes, counts and newest notes. It makes no difference
// whether the policy is set for the broadcaster or for the recorder. Under NotesFirst a repeat is
// not formatted. An invalid policy of a recorder has no effect.
func TestNotePolicies(t *testing.T) {
	for _, row := range []struct {
		name      string
		policy    events.NotePolicy
		formatted counted // by all together
		notes     []string
		want      []string
	}{
		{"first", events.NotesFirst, 1, []string{"a", "b", "a"}, []string{"a x3"}},
		{"latest, the same", events.NotesLatest, 2, []string{"a", "a"}, []string{"a x2"}},
		{"latest", events.NotesLatest, 3, []string{"a", "b", "c"}, []string{"a x3, latest c"}},
		{"latest is the first again", events.NotesLatest, 3, []string{"a", "b", "a"}, []string{"a x3, latest a"}},
		{"distinct", events.NotesDistinct(3), 5, []string{"a", "b", "a", "b", "a"}, []string{"a x3", "b x2"}},
		{"distinct, further ones", events.NotesDistinct(2), 6, []string{"a", "b", "c", "d", "a", "c"}, []string{"a x2", "b x4"}},
		{"distinct(1)", events.NotesDistinct(1), 3, []string{"a", "b", "a"}, []string{"a x3"}},
		{"distinct(0)", events.NotesDistinct(0), 1, []string{"a", "b"}, []string{"a x2"}},
		{"distinct(-7)", events.NotesDistinct(-7), 1, []string{"a", "b"}, []string{"a x2"}},
	} {
		for _, ofRecorder := range []bool{false, true} {
			opts := options{events.WithNotePolicy(row.policy)}
			if ofRecorder {
				opts = nil
			} else if row.policy == events.NotesDistinct(0) || row.policy == events.NotesDistinct(-7) {
				continue // Start reports it
			}
			subtest(t, fmt.Sprintf("%s, of recorder: %v", row.name, ofRecorder), opts, func(r *rig) {
				rec, arg := r.rec, counted(0)
				if ofRecorder {
					rec = rec.WithNotePolicy(row.policy)
				}
				for _, note := range row.notes {
					rec.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", note+"%.0v", &arg)
					r.flush()
				}
				var got []string
				for _, e := range r.sink.Events() {
					line := fmt.Sprintf("%s x%d", e.Note, count(&e))
					if latest, ok := e.Annotations["eventseries.dev/latest-note"]; ok {
						line += ", latest " + latest
					}
					got = append(got, line)
				}
				r.diff("Events", row.want, got)
				if arg != row.formatted {
					r.Errorf("formatted %d times, want %d", arg, row.formatted)
				}
			})
		}
	}
}

// If a reason has a policy of its own, it applies whatever the policies of the broadcaster and the
// recorder are.
func TestNotesForAReason(t *testing.T) {
	opts := options{
		events.WithNotePolicy(events.NotesLatest), events.WithNotePolicy(events.NotesDistinct(60), "GPUFailed", "GPULost"),
		events.WithNotePolicy(events.NotesFirst, "Synced"), events.WithMaxSeriesPerObject(1000),
	}
	inBubble(t, opts, func(r *rig) {
		emit := func(rec clientevents.EventRecorder, reason string) {
			for i := range 60 {
				rec.Eventf(newPod("web"), nil, "Warning", reason, "Check", "note %d", i)
			}
		}
		emit(r.rec, "GPUFailed")
		emit(r.rec.WithNotePolicy(events.NotesFirst), "GPUFailed") // the same sixty
		emit(r.rec, "GPULost")
		emit(r.rec, "Synced")
		emit(r.rec, "Other")
		r.flush()
		got := map[string]int{}
		for _, e := range r.sink.Events() {
			got[fmt.Sprintf("%s x%d %s", e.Reason, count(&e), e.Annotations["eventseries.dev/latest-note"])]++
		}
		r.diff("Events", map[string]int{"GPUFailed x2 ": 60, "GPULost x1 ": 60, "Synced x60 ": 1, "Other x60 note 59": 1}, got)
	})
}

func TestNotePolicyString(t *testing.T) {
	for policy, want := range map[events.NotePolicy]string{
		{}:                      "NotesFirst",
		events.NotesLatest:      "NotesLatest",
		events.NotesDistinct(3): "NotesDistinct(3)",
		events.NotesDistinct(0): "NotesDistinct(0)",
	} {
		if got := policy.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if events.NotesFirst != (events.NotePolicy{}) {
		t.Error("the zero value is not NotesFirst")
	}
}
