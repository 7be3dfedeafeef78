// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// silent is a contender that never writes: the test does.
var silent = Contender{"silent", func(*wire) recorder { return quietRecorder{} }}

type quietRecorder struct{}

func (quietRecorder) Eventf(_, _ runtime.Object, _, _, _, _ string, _ ...any) {}
func (quietRecorder) stop()                                                   {}

// pod is an object to record something about.
func pod(i int) *corev1.Pod {
	name := fmt.Sprintf("pod-%d", i)
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
}

func warning(i int) Subject {
	return Subject{Regarding: pod(i), Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Action: "Scheduling"}
}

// TestAnswers: the server answers as a real one, and shows nothing of what it
// refuses. Caught: an expired Event that is patched; a version that is not looked
// at; a second Event of a name.
func TestAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(Settings{})
		s := api.NewComponent(silent, Identity{}).NewSeries(warning(1))
		at := func(count int64, version string) write {
			return write{name: objectName{"default", "a"}, count: count, last: time.Now(), version: version, at: time.Now()}
		}
		reason := func(_ string, err error) metav1.StatusReason { return apierrors.ReasonForError(err) }
		const stored = metav1.StatusReasonUnknown // there is none
		steps := []struct {
			what string
			do   func() (string, error)
			want metav1.StatusReason
		}{
			{"patch of nothing", func() (string, error) { return api.patch(s, at(2, "")) }, metav1.StatusReasonNotFound},
			{"create", func() (string, error) { return api.create(s, at(1, "")) }, stored},
			{"create again", func() (string, error) { return api.create(s, at(1, "")) }, metav1.StatusReasonAlreadyExists},
			{"patch of version 1", func() (string, error) { return api.patch(s, at(2, "1")) }, stored},
			{"patch of an old version", func() (string, error) { return api.patch(s, at(3, "1")) }, metav1.StatusReasonConflict},
			{"look", func() (string, error) { return api.patch(s, at(0, "")) }, stored},
			{"patch of any version", func() (string, error) { return api.patch(s, at(4, "")) }, stored},
		}
		for _, step := range steps {
			if got := reason(step.do()); got != step.want {
				t.Errorf("%s: %q, want %q", step.what, got, step.want)
			}
		}
		time.Sleep(time.Hour)
		if api.Stored() != 0 {
			t.Error("an Event outlived its TTL")
		}
		if got := reason(api.patch(s, at(5, ""))); got != metav1.StatusReasonNotFound {
			t.Errorf("patch of an expired Event: %q", got)
		}
		if got := reason(api.create(s, at(5, ""))); got != stored {
			t.Errorf("creating an expired Event anew: %q", got)
		}
		want := Tally{Creates: 3, Patches: 6, Events: 1, Shown: 5, Counted: 5}
		if got := s.Tally(); got != want {
			t.Errorf("got %+v, want %+v: what was counted before an Event expired must not be counted twice", got, want)
		}
		var refused int32
		for _, second := range api.Seconds() {
			refused += second.Refused
		}
		if refused != 4 {
			t.Errorf("%d refused, want 4", refused)
		}
	})
}

// TestPatches: the count and the version are found in what the contenders send.
// Caught: digits beyond the third; the count in a longer name.
func TestPatches(t *testing.T) {
	for patch, want := range map[string]struct {
		count   int64
		version string
	}{
		`{"series":{"count":23,"lastObservedTime":"2026-11-20T11:25:19.080374Z"}}`:            {23, ""},
		`{"metadata":{"resourceVersion":"17"},"series":{"count":2,"lastObservedTime":"..."}}`: {2, "17"},
		`{"count":1234567,"lastTimestamp":"2026-11-20T11:25:19Z","message":"\"count\":5"}`:    {1234567, ""},
		`{"metadata":{"annotations":{"note":"\"count\":5"}},"series":{"count":7}}`:            {7, ""},
		`{"metadata":{"annotations":{"recount":"5"}},"series":{"count":7}}`:                   {7, ""},
		`{}`: {0, ""},
	} {
		count, version := countIn([]byte(patch)), versionIn([]byte(patch))
		if count != want.count || version != want.version {
			t.Errorf("%s: count %d, version %q, want %+v", patch, count, version, want)
		}
	}
}
