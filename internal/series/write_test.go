// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/request"
)

func fullSeries() *Series {
	k := Key{
		Type: "Warning", Action: "Pulling", Reason: "BackOff",
		ReportingController: "kubelet", ReportingInstance: "node-1",
		Regarding: Reference{Kind: "Pod", Namespace: "default", Name: "web", UID: "u1", FieldPath: "spec.containers{web}", Version: "v1", ResourceVersion: "11"},
		Related: Reference{
			Group: "apps", Kind: "Deployment", Namespace: "default", Name: "web", UID: "u2", Version: "v1", ResourceVersion: "12",
		},
		HasRelated: true,
	}
	o := &Occurrence{Key: k, Namespace: "default", Name: FixedName("web.1"), Note: "no luck", At: at(0)}
	s := newSeries(o.PackKey(nil), o)
	s.observed, s.last, s.recorded, s.lastWrite = 3, after(90*time.Second), 2, after(time.Second)
	s.seen = at(90 * time.Second).UnixMicro()
	s.exists, s.version = true, 7
	x := s.more()
	x.annotations, x.changed = map[string]string{"team": "a"}, map[string]string{}
	return s
}

func TestEventHasEverything(t *testing.T) {
	want := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web.1", Annotations: map[string]string{"team": "a"},
		},
		EventTime: metav1.NewMicroTime(epoch),
		Series: &eventsv1.EventSeries{
			Count: 3, LastObservedTime: metav1.NewMicroTime(at(90 * time.Second)),
		},
		ReportingController: "kubelet", ReportingInstance: "node-1", Action: "Pulling", Reason: "BackOff",
		Regarding: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "u1", ResourceVersion: "11",
			FieldPath: "spec.containers{web}",
		},
		Related: &corev1.ObjectReference{
			APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web", UID: "u2",
			ResourceVersion: "12",
		},
		Note: "no luck", Type: "Warning",
	}
	if diff := cmp.Diff(want, fullSeries().Event()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The server refuses a series with a count below 2.
func TestEventOfOneOccurrenceHasNoSeries(t *testing.T) {
	if got := seen(1, 0).Event().Series; got != nil {
		t.Errorf("series %+v", got)
	}
	s := fullSeries()
	o := s.First()
	o.Annotations = s.rare().annotations
	e := NewSingle(&o).Event()
	if e.Series != nil || e.Related == nil || e.Annotations["team"] != "a" {
		t.Errorf("%+v", e)
	}
	e.Annotations["team"] = "b"
	if s.rare().annotations["team"] != "a" {
		t.Error("the event shares the caller's annotations")
	}
}

func TestEventSharesNoAnnotations(t *testing.T) {
	s := fullSeries()
	w := s.next()
	s.setAnnotation("team", "b")
	if w.Event.Annotations["team"] != "a" {
		t.Error("a write under way changes")
	}
}

func TestCountSaturates(t *testing.T) {
	for _, row := range []struct {
		count int64
		want  int32
	}{{2, 2}, {math.MaxInt32, math.MaxInt32}, {math.MaxInt32 + 1, math.MaxInt32}, {math.MaxInt64 / 2, math.MaxInt32}} {
		s := onServer(row.count, 1, 0, 0)
		w := s.next()
		if got := w.Event.Series.Count; got != row.want || w.Count != row.count {
			t.Errorf("%d occurrences are %d on the wire and %d in the counters", row.count, got, w.Count)
		}
		s.ack(w, request.Verdict{}, "", after(0))
		if s.unwritten() != 0 {
			t.Errorf("%d unwritten", s.unwritten())
		}
	}
}

// The server answers 400 to a MicroTime without exactly 6 fractional digits.
func TestPatchTimesHaveSixDigits(t *testing.T) {
	for _, row := range []struct {
		last time.Duration
		want string
	}{
		{0, "12:00:00.000000Z"}, {time.Second, "12:00:01.000000Z"}, {1, "12:00:00.000000Z"},
		{123456789, "12:00:00.123456Z"}, {100 * time.Millisecond, "12:00:00.100000Z"},
	} {
		s := onServer(5, 1, row.last, 0)
		want := `{"metadata":{"resourceVersion":"7"},` +
			`"series":{"count":5,"lastObservedTime":"2026-11-20T` + row.want + `"}}`
		if diff := cmp.Diff(want, string(s.next().Patch)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// Through events.k8s.io/v1 only series and metadata may change.
func TestPatchBody(t *testing.T) {
	const series = `"series":{"count":3,"lastObservedTime":"2026-11-20T12:01:30.000000Z"}`
	for _, row := range []struct {
		name    string
		prepare func(*Series)
		want    string
	}{
		{"plain", func(*Series) {}, `{"metadata":{"resourceVersion":"7"},` + series + `}`},
		{"annotations", func(s *Series) { s.setAnnotation("team", `"b"`) },
			`{"metadata":{"resourceVersion":"7","annotations":{"team":"\"b\""}},` + series + `}`},
		{"after a conflict", func(s *Series) { s.conflict(after(0)); s.setAnnotation("a", "") }, `{}`},
		{"version unknown", func(s *Series) { s.version = 0 }, `{` + series + `}`},
		{"version unknown, with annotations", func(s *Series) { s.version = 0; s.setAnnotation("a", "") },
			`{"metadata":{"annotations":{"a":""}},` + series + `}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := fullSeries()
			row.prepare(s)
			w := s.next()
			if diff := cmp.Diff(row.want, string(w.Patch)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if w.Op != request.Patch || w.Event.Name != "web.1" || w.Event.Namespace != "default" {
				t.Errorf("%+v", w)
			}
		})
	}
}

func TestCreateHasNoPatch(t *testing.T) {
	if w := seen(3, 0).next(); w.Op != request.Create || w.Patch != nil || w.Event.ResourceVersion != "" {
		t.Errorf("%+v", w)
	}
}

func TestAnnotationsMerge(t *testing.T) {
	s := fullSeries()
	s.annotate(map[string]string{"team": "a"}) // says nothing new
	if len(s.rare().changed) > 0 {
		t.Errorf("annotations %v, want none", s.rare().annotations)
	}
	s.annotate(map[string]string{"team": "b", "zone": "z"})
	w := s.next()
	s.annotate(map[string]string{"zone": "y"}) // while the write is under way
	s.ack(w, request.Verdict{}, "", after(0))
	if diff := cmp.Diff(map[string]string{"zone": "y"}, s.rare().changed); diff != "" {
		t.Errorf("left for the next patch (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"team": "b", "zone": "y"}, s.rare().annotations); diff != "" {
		t.Errorf("on the server in the end (-want +got):\n%s", diff)
	}
}

// A write that is not acknowledged leaves its changes for the next one.
func TestAnnotationsSurviveAFailure(t *testing.T) {
	s := fullSeries()
	s.annotate(map[string]string{"team": "b"})
	s.fail(s.next(), true)
	if got := s.next(); !strings.Contains(string(got.Patch), `"team":"b"`) {
		t.Errorf("patch %s", got.Patch)
	}
	s.expire()
	if got := s.next(); got.Event.Annotations["team"] != "b" {
		t.Errorf("create %v", got.Event.Annotations)
	}
}

// Varying names must not make an Event grow without end.
func TestAnnotationsAreBounded(t *testing.T) {
	s := seen(1, 0)
	value := strings.Repeat("v", 64)
	for i := range 1000 {
		s.annotate(map[string]string{fmt.Sprintf("key-%03d", i): value})
	}
	size := lenOf(s.rare().annotations)
	if size > eventlabels.MaxAnnotations || size < eventlabels.MaxAnnotations-2*len(value) {
		t.Errorf("%d bytes, want just under %d", size, eventlabels.MaxAnnotations)
	}
	// What is there can still change, within the bound.
	s.annotate(map[string]string{"key-000": "short"})
	if s.rare().annotations["key-000"] != "short" {
		t.Error("a known annotation does not change")
	}
	s.annotate(map[string]string{"key-001": strings.Repeat("v", eventlabels.MaxAnnotations)})
	if s.rare().annotations["key-001"] != value {
		t.Error("a change passes the bound")
	}
	s.annotate(map[string]string{"key-new": strings.Repeat("n", 50)})
	if len(s.rare().annotations["key-new"]) != 50 {
		t.Error("what was freed is not used")
	}
}

// Also in one call, and the names count.
func TestAnnotationsOfOneCallAreBounded(t *testing.T) {
	for name, value := range map[string]string{strings.Repeat("n", 200): "", "": strings.Repeat("v", 200)} {
		many := map[string]string{}
		for i := range 1000 {
			many[fmt.Sprint(name, i)] = value
		}
		s := seen(1, 0)
		s.annotate(many)
		if size := lenOf(s.rare().annotations); size > eventlabels.MaxAnnotations || size < eventlabels.MaxAnnotations-300 {
			t.Errorf("%d bytes, want just under %d", size, eventlabels.MaxAnnotations)
		}
	}
}

// What a change replaces makes room for it, and what does not fit makes no
// difference to what does.
func TestAnnotationsBoundCountsWhatIsThere(t *testing.T) {
	half, most := strings.Repeat("h", eventlabels.MaxAnnotations/2), strings.Repeat("m", eventlabels.MaxAnnotations-100)
	for range 20 { // the order of a map varies
		s := seen(1, 0)
		s.annotate(map[string]string{"a": half})
		s.annotate(map[string]string{"a": half[1:] + "!", "b": half + half, "c": half[:1000], "d": half + half})
		if s.rare().annotations["a"] == half || len(s.rare().annotations["c"]) != 1000 || len(s.rare().annotations) != 2 {
			t.Fatalf("annotations of %d bytes: %d keys", lenOf(s.rare().annotations), len(s.rare().annotations))
		}
		s.annotate(map[string]string{"a": most + half, "c": "", "e": "e"})
		if s.rare().annotations["a"] != half[1:]+"!" || s.rare().annotations["c"] != "" || s.rare().annotations["e"] != "e" {
			t.Fatal("a change that does not fit kept another one out")
		}
	}
}

func TestLatestNoteFollowsTheNotes(t *testing.T) {
	k := keyOf("web", warning)
	o := &Occurrence{Key: k, Note: "a"}
	s := newSeries(o.PackKey(nil), o)
	for _, row := range []struct{ note, want string }{
		{"a", ""}, {"b", "b"}, {"", "b"}, {"b", "b"}, {"a", "a"}, {"c", "c"},
	} {
		s.observe(&Occurrence{At: epoch, Note: row.note, LatestNote: row.note != ""}, after(0), &intervals)
		if got := s.rare().annotations[LatestNote]; got != row.want {
			t.Errorf("after %q the annotation is %q, want %q", row.note, got, row.want)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add("team", "a", int64(2), "7")
	f.Add("\xff", "<&>\u2028", int64(math.MaxInt64), "")
	f.Fuzz(func(t *testing.T, key, value string, count int64, version string) {
		s := onServer(max(count, 2), 1, 0, 0)
		s.setResourceVersion(version)
		s.annotate(map[string]string{key: value})
		var got struct {
			Metadata metav1.ObjectMeta
			Series   eventsv1.EventSeries
		}
		w := s.next()
		if err := json.Unmarshal(w.Patch, &got); err != nil {
			t.Fatalf("%s: %v", w.Patch, err)
		}
		if got.Series.Count < 2 || got.Series.LastObservedTime.IsZero() {
			t.Errorf("%s: the server refuses that", w.Patch)
		}
		if want := version == ""; w.Unconditional != want {
			t.Errorf("unconditional %v, want %v", w.Unconditional, want)
		}
	})
}
