// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
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

// Through events.k8s.io/v1 only series and metadata may change, and a MicroTime has six digits.
func TestPatchBody(t *testing.T) {
	const series = `"series":{"count":3,"lastObservedTime":"2026-11-20T12:01:30.000000Z"}`
	for name, row := range map[string]struct {
		prepare func(*Series)
		want    string
	}{
		"plain": {func(*Series) {}, `{"metadata":{"resourceVersion":"7"},` + series + `}`},
		"annotations": {
			func(s *Series) { s.setAnnotation("team", `"b"`) },
			`{"metadata":{"resourceVersion":"7","annotations":{"team":"\"b\""}},` + series + `}`,
		},
		"after a conflict": {func(s *Series) { s.conflict(after(0)); s.setAnnotation("a", "") }, `{}`},
		"version unknown":  {func(s *Series) { s.version = 0 }, `{` + series + `}`},
		"version unknown, with annotations": {
			func(s *Series) { s.version = 0; s.setAnnotation("a", "") }, `{"metadata":{"annotations":{"a":""}},` + series + `}`,
		},
		"nanoseconds": {
			func(s *Series) { s.observe(&Occurrence{At: at(90*time.Second + 123456789)}, after(0), &intervals) },
			`{"metadata":{"resourceVersion":"7"},"series":{"count":4,"lastObservedTime":"2026-11-20T12:01:30.123456Z"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
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

func FuzzPatch(f *testing.F) {
	f.Add("team", "a", int64(2), "7")
	f.Add("\xff", "<&>\u2028", int64(math.MaxInt64), "")
	f.Add("\"},\"series\":null,\"x\":{\"", "</script>", int64(math.MaxInt32), "7")
	f.Add("team", "a", int64(math.MaxInt32)+1, "")
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
		if got.Series.Count != int32(min(max(count, 2), math.MaxInt32)) || got.Series.LastObservedTime.IsZero() {
			t.Errorf("%s of %d occurrences", w.Patch, count)
		}
		if want := version == ""; w.Unconditional != want {
			t.Errorf("unconditional %v, want %v", w.Unconditional, want)
		}
	})
}

// The state machine is tested without a cache and without a clock: a series is
// put into a state, and one step of it is looked at.

func seen(n int64, last time.Duration) *Series {
	k := keyOf("web", warning)
	o := &Occurrence{Key: k, Namespace: "default", Name: FixedName("web.1"), At: epoch}
	s := newSeries(o.PackKey(nil), o)
	s.observed, s.last, s.seen = n, after(last), at(last).UnixMicro()
	return s
}

// onServer is a series whose object has count recorded, written at wrote.
func onServer(n, recorded int64, last, wrote time.Duration) *Series {
	s := seen(n, last)
	s.recorded, s.lastWrite, s.exists, s.version = recorded, after(wrote), true, 7
	return s
}

// lastObservedTime never goes back, although callers read their clocks before
// they get the lock.
func TestSeriesLastObservedTimeNeverGoesBack(t *testing.T) {
	s := seen(1, time.Minute)
	s.observe(&Occurrence{At: at(time.Second)}, after(time.Second), &intervals)
	if got := s.seen - epoch.UnixMicro(); got != time.Minute.Microseconds() || s.last != after(time.Minute) {
		t.Errorf("last after %d µs, want 1m0s", got)
	}
	s.observe(&Occurrence{At: at(2 * time.Minute)}, after(2*time.Minute), &intervals)
	if got := s.seen - epoch.UnixMicro(); got != 2*time.Minute.Microseconds() || s.last != after(2*time.Minute) {
		t.Errorf("last after %d µs, want 2m0s", got)
	}
}
