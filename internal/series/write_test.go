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
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/request"
)

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
			s := onServer(3, 2, 90*time.Second, time.Second)
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

// The writer may have a series twice: it keeps one whose sink has ended the goroutine, and the deadline of the series may
// come as well. At most one write of a series is in flight, because two might arrive in the other order.
func TestOneWriteIsInFlight(t *testing.T) {
	c := newCache(intervals, 16)
	s := see(c, keyOf("web", warning), epoch).Series
	w := write(t, s)
	see(c, keyOf("web", warning), epoch)
	if again := begin(s); again != nil {
		t.Errorf("%v of %d occurrences begins while another write is in flight", again.Op, again.Count)
	}
	settle(s, w, accepted, epoch)
	if next := write(t, s); next.Count != 2 {
		t.Errorf("%d occurrences are written after the answer, want 2", next.Count)
	}
}

// The writer may still have a series that has left the cache.
func TestNothingIsWrittenOfASeriesThatIsGone(t *testing.T) {
	c := newCache(intervals, 16)
	s := see(c, keyOf("web", warning), epoch).Series
	c.Abandon()
	if w := begin(s); w != nil || !s.Gone() {
		t.Errorf("%+v, gone: %v, want nothing to write of a series that is gone", w, s.Gone())
	}
}

// What a change replaces makes room for it, and what does not fit makes no
// difference to what does.
func TestAnnotationsBoundCountsWhatIsThere(t *testing.T) {
	half, most := strings.Repeat("h", eventlabels.MaxAnnotations/2), strings.Repeat("m", eventlabels.MaxAnnotations-100)
	for range 20 { // the order of a map varies
		s := seen(1, 0)
		s.annotate(map[string]string{"a": half})
		s.annotate(map[string]string{"a": half[1:] + "!", half: "b", "c": half[:1000], "d": half + half})
		if s.extras().annotations["a"] == half || len(s.extras().annotations["c"]) != 1000 || len(s.extras().annotations) != 2 {
			t.Fatalf("annotations of %d bytes: %d keys", lenOf(s.extras().annotations), len(s.extras().annotations))
		}
		s.annotate(map[string]string{"a": most + half, "c": "", "e": "e"})
		if s.extras().annotations["a"] != half[1:]+"!" || s.extras().annotations["c"] != "" || s.extras().annotations["e"] != "e" {
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
	s := &Series{}
	s.init(o.PackKey(nil), o)
	s.observed, s.last, s.lastWall = n, after(last), at(last).UnixMicro()
	return s
}

// onServer is a series whose object has count recorded, written at wrote.
func onServer(n, recorded int64, last, wrote time.Duration) *Series {
	s := seen(n, last)
	s.recorded, s.storedAt, s.exists, s.version = recorded, after(wrote), true, 7
	return s
}
