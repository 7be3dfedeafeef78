// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// annotated records one occurrence with annotations.
func annotated(rec *events.Recorder, annotations map[string]string) {
	rec.AnnotatedEventf(newPod("web"), nil, annotations, "Normal", "Killing", "Kill", "note")
}

func TestAnnotationsOfTheFirstAreCreated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		annotations := map[string]string{"a": "1", "example.com/B": ""}
		annotated(rec, annotations)
		flush(t, b)
		if diff := cmp.Diff(annotations, only(t, sink).Annotations); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Changed ones merge into the next patch; keys are never deleted; what is not changed is not sent.
func TestAnnotationsOfLaterOnesAreMerged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		for _, annotations := range []map[string]string{
			{"a": "1", "b": "1"}, {"a": "2"}, {"a": "2", "c": "3"}, nil, {"a": "2"},
		} {
			annotated(rec, annotations)
			flush(t, b)
		}
		want := map[string]string{"a": "2", "b": "1", "c": "3"}
		if diff := cmp.Diff(want, only(t, sink).Annotations); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		var sent []bool
		for _, call := range sink.Calls()[1:] {
			sent = append(sent, strings.Contains(string(call.Patch), "annotations"))
		}
		if want := []bool{true, true, false, false}; !cmp.Equal(want, sent) {
			t.Errorf("patches with annotations: %v, want %v", sent, want)
		}
	})
}

// They survive a lost answer, and the expiry of the Event.
func TestAnnotationsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		annotated(rec, map[string]string{"a": "1"})
		flush(t, b)
		sink.FailNext(1, errUnavailable)
		annotated(rec, map[string]string{"b": "1"})
		annotated(rec, map[string]string{"b": "2"})
		flush(t, b)
		want := map[string]string{"a": "1", "b": "2"}
		if diff := cmp.Diff(want, only(t, sink).Annotations); diff != "" {
			t.Errorf("after a retry (-want +got):\n%s", diff)
		}
		sink.Expire("default", only(t, sink).Name)
		annotated(rec, nil)
		flush(t, b)
		if diff := cmp.Diff(want, only(t, sink).Annotations); diff != "" {
			t.Errorf("after expiry (-want +got):\n%s", diff)
		}
	})
}

// Annotations are not in the key: those with values of their own do not split a series.
func TestAnnotationsDoNotSplitASeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		for i := range 10 {
			annotated(rec, map[string]string{"attempt": fmt.Sprint(i)})
		}
		time.Sleep(time.Minute)
		flush(t, b)
		if e := only(t, sink); count(&e) != 10 || e.Annotations["attempt"] != "9" {
			t.Errorf("count %d, attempt %q, want 10 and 9", count(&e), e.Annotations["attempt"])
		}
	})
}

func TestAnnotationsAreRepaired(t *testing.T) {
	big := strings.Repeat("v", 4<<10)
	for _, test := range []struct {
		name      string
		in, want  map[string]string
		unchanged bool
	}{
		{name: "valid", in: map[string]string{"a": "\n", "x.y/Z_1": "é"}, unchanged: true},
		{name: "at the limit", in: map[string]string{"a": big[1:]}, unchanged: true},
		{name: "no key", in: map[string]string{"": "1", "b": "2"}, want: map[string]string{"b": "2"}},
		{
			name: "bad keys",
			in:   map[string]string{"a b": "1", "a/b/c": "1", "/a": "1", "a/": "1", "-a": "1", "a-": "1", "ok": "1"},
			want: map[string]string{"ok": "1"},
		},
		{name: "all bad", in: map[string]string{"$patch": "delete"}, want: nil},
		{name: "no encoding", in: map[string]string{"a": "x\xffy"}, want: map[string]string{"a": "x\uFFFDy"}},
		{name: "too big", in: map[string]string{"a": big}, want: map[string]string{"a": big[1:]}},
		{
			name: "too big together", in: map[string]string{"a": big[:3<<10], "b": big[:3<<10], "c": "1"},
			want: map[string]string{"a": big[:3<<10], "b": big[:1<<10-2]},
		},
		{
			name: "an invalid key longer than the limit", in: map[string]string{"a" + big: "1", "b": "2"},
			want: map[string]string{"b": "2"},
		},
		{
			name: "cut within a rune", in: map[string]string{"a": big[:4<<10-2] + "é"},
			want: map[string]string{"a": big[:4<<10-2]},
		},
		{
			// Every byte becomes three.
			name: "too big once decoded", in: map[string]string{"a": strings.Repeat("\xffx", 2<<10)},
			want: map[string]string{"a": strings.Repeat("\uFFFDx", 1<<10-1) + "\uFFFD"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, rec := start(t, sink)
				annotated(rec, test.in)
				flush(t, b)
				want, repairs := test.want, int64(1)
				if test.unchanged {
					want, repairs = test.in, 0
				}
				if diff := cmp.Diff(want, only(t, sink).Annotations); diff != "" {
					t.Errorf("(-want +got):\n%.1000s", diff)
				}
				if n := b.Stats().Repaired[events.RepairAnnotations]; n != repairs {
					t.Errorf("%d repairs, want %d", n, repairs)
				}
			})
		})
	}
}

// Keys that vary must not make an Event grow without end.
func TestAnnotationsOfASeriesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		for i := range 200 {
			annotated(rec, map[string]string{fmt.Sprint("key-", i): strings.Repeat("v", 100)})
		}
		flush(t, b)
		size := 0
		e := only(t, sink)
		for k, v := range e.Annotations {
			size += len(k) + len(v)
		}
		if size > 4<<10 || size < 3900 || count(&e) != 200 {
			t.Errorf("%d bytes of annotations, count %d, want up to 4 KiB and 200", size, count(&e))
		}
	})
}

// The keys that are kept are those that the API server takes, whatever is thrown at it.
func FuzzAnnotationKey(f *testing.F) {
	for _, key := range append(hostile, "example.com/key", "Example.COM/Key", "/a", "a_b/c", "a.b/c", long(63)) {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		for _, r := range key {
			if r == '\u212a' { // the Kelvin sign: in lower case a k, which the server would let pass
				t.Skip()
			}
		}
		b := events.NewBroadcaster(nil, quiet)
		seen := watch(t, b)
		annotated(newRecorder(b), map[string]string{key: "value"})
		drain(t, b, time.Minute)
		_, kept := seen()[0].Annotations[key]
		errs := validation.ValidateAnnotations(map[string]string{key: "value"}, field.NewPath("annotations"))
		if fits := len(key) < 4<<10-5; kept != (len(errs) == 0 && fits) {
			t.Errorf("key %q kept: %v, the server says %v", key, kept, errs)
		}
	})
}

// What a series has no more room for is counted, not only what one call has too much of; the latest note always has room.
//
// Caught: annotations of a later occurrence that are left out without a word; a latest note that goes stale.
func TestAnnotationsWithoutRoomAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink, events.WithNotes(events.NotesLatest))
		say := func(note, key, value string) {
			rec.AnnotatedEventf(newPod("web"), nil, map[string]string{key: value}, "Normal", "Killing", "Kill", note)
		}
		say("first", "a", strings.Repeat("v", 4<<10-10))
		say("second", "b", strings.Repeat("v", 100))
		flush(t, b)
		if n := b.Stats().Repaired[events.RepairAnnotations]; n != 1 {
			t.Errorf("%d repairs, want what was left out", n)
		}
		if e := only(t, sink); e.Annotations["eventseries.dev/latest-note"] != "second" || e.Annotations["b"] != "" {
			t.Errorf("latest note %q, b %q", e.Annotations["eventseries.dev/latest-note"], e.Annotations["b"])
		}
	})
}
