// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/corpus"
)

func histories(t *testing.T) map[string]*corpus.History {
	all, err := corpus.Load("corpus")
	if err != nil || len(all) == 0 {
		t.Fatalf("%d histories, %v", len(all), err)
	}
	return all
}

// eventview reads the histories that real servers have sent, over both APIs, by the rules of
// corpus/README.md. test/e2e records the histories, and knows the number of occurrences in them.
func TestCorpus(t *testing.T) {
	for name, history := range histories(t) {
		t.Run(name, func(t *testing.T) {
			for _, api := range corpus.APIs {
				for _, problem := range history.Problems(api) {
					t.Error(problem)
				}
			}
		})
	}
}

// publicReader is how a published reader of core/v1 reads an Event, by the rules in its source
// code, to which corpus/README.md links. A function is nil if the reader does not report that
// value.
type publicReader struct {
	last, order func(*corev1.Event) time.Time
	count       func(*corev1.Event) int64
	// adds returns a function that returns how many occurrences the reader reports for each line of
	// one history. list says that the line is part of a list.
	adds func(began time.Time) func(line watch.EventType, list bool, e *corev1.Event, now time.Time) int64
}

var publicReaders = []struct {
	name string
	publicReader
}{
	{"eventview", publicReader{
		last:  func(e *corev1.Event) time.Time { return eventview.FromCoreV1(e).Last },
		order: func(e *corev1.Event) time.Time { return eventview.FromCoreV1(e).Last },
		count: func(e *corev1.Event) int64 { return eventview.FromCoreV1(e).Count },
		adds: func(began time.Time) func(watch.EventType, bool, *corev1.Event, time.Time) int64 {
			tracker, listed := eventview.NewTracker(began, 0), false
			return func(_ watch.EventType, list bool, e *corev1.Event, _ time.Time) int64 {
				view := eventview.FromCoreV1(e)
				if listed = listed || !list; listed {
					return tracker.Observe(&view).New
				}
				return tracker.Seed(&view).New
			}
		},
	}},
	{"OpenTelemetry, k8sevents", publicReader{
		last:  collectorTime,
		count: func(e *corev1.Event) int64 { return int64(cmp.Or(e.Count, 1)) }, // no attribute for 0
		adds: func(began time.Time) func(watch.EventType, bool, *corev1.Event, time.Time) int64 {
			return func(_ watch.EventType, list bool, e *corev1.Event, _ time.Time) int64 {
				return one(!list && !collectorTime(e).Before(began))
			}
		},
	}},
	{"OpenTelemetry, k8sevents as planned", publicReader{
		last: func(e *corev1.Event) time.Time {
			if e.Series != nil {
				return e.Series.LastObservedTime.Time
			}
			return collectorTime(e)
		},
		count: func(e *corev1.Event) int64 {
			if e.Series != nil {
				return int64(e.Series.Count)
			}
			return int64(cmp.Or(e.Count, 1)) // no attribute for 0
		},
	}},
	{"OpenTelemetry, k8sobjects", publicReader{
		adds: func(time.Time) func(watch.EventType, bool, *corev1.Event, time.Time) int64 {
			return func(_ watch.EventType, list bool, _ *corev1.Event, _ time.Time) int64 { return one(!list) }
		},
	}},
	{"kubernetes-event-exporter", publicReader{
		last:  func(e *corev1.Event) time.Time { return firstOf(e.FirstTimestamp.Time, e.EventTime.Time) },
		count: func(e *corev1.Event) int64 { return int64(e.Count) },
		adds: func(time.Time) func(watch.EventType, bool, *corev1.Event, time.Time) int64 {
			known := map[string]bool{}
			return func(line watch.EventType, _ bool, e *corev1.Event, now time.Time) int64 {
				added := line == watch.Added && !known[e.Name]
				known[e.Name] = line != watch.Deleted
				return one(added && now.Sub(firstOf(e.LastTimestamp.Time, e.EventTime.Time)) <= 5*time.Second)
			}
		},
	}},
	{"kubectl describe", publicReader{
		last: kubectlTime, count: kubectlCount,
		order: func(e *corev1.Event) time.Time { return e.LastTimestamp.Time },
	}},
	{"kubectl events", publicReader{
		last: kubectlTime, count: kubectlCount,
		order: func(e *corev1.Event) time.Time {
			if e.Series != nil {
				return e.Series.LastObservedTime.Time
			}
			return firstOf(e.LastTimestamp.Time, e.EventTime.Time)
		},
	}},
}

func collectorTime(e *corev1.Event) time.Time {
	return firstOf(e.EventTime.Time, e.LastTimestamp.Time, e.FirstTimestamp.Time)
}

func kubectlTime(e *corev1.Event) time.Time {
	switch {
	case e.Series != nil:
		return e.Series.LastObservedTime.Time
	case e.Count > 1:
		return e.LastTimestamp.Time
	}
	return firstOf(e.EventTime.Time, e.FirstTimestamp.Time)
}

func kubectlCount(e *corev1.Event) int64 {
	if e.Series != nil {
		return int64(e.Series.Count)
	}
	return int64(max(e.Count, 1))
}

func firstOf(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

func one(really bool) int64 {
	if really {
		return 1
	}
	return 0
}

// score is the number of lines of the corpus about which a reader is right, for each value that it
// reports. added is the number of occurrences that it reports.
type score struct {
	last, order, count, adds int
	added                    int64
}

func (r *publicReader) score(t *testing.T, h *corpus.History) (s score) {
	adds := func(watch.EventType, bool, *corev1.Event, time.Time) int64 { return -1 }
	if r.adds != nil {
		adds = r.adds(h.Began)
	}
	list := inList(h)
	for i := range h.Steps {
		sent := h.Steps[i].V1
		say := h.Steps[i].Say
		if say == nil {
			continue
		}
		var e corev1.Event
		if err := json.Unmarshal(sent.Object, &e); err != nil {
			t.Fatal(err)
		}
		s.last += int(one(r.last != nil && r.last(&e).Equal(say.Last)))
		s.order += int(one(r.order != nil && r.order(&e).Truncate(time.Second).Equal(say.Last.Truncate(time.Second))))
		s.count += int(one(r.count != nil && r.count(&e) == say.Count))
		n := adds(sent.Type, list[i], &e, h.Steps[i].At)
		s.adds += int(one(n == say.New))
		s.added += n
	}
	return s
}

// inList returns which steps are part of a list: those between a line of a watch and the bookmark
// that ends the list.
func inList(h *corpus.History) []bool {
	list := make([]bool, len(h.Steps))
	for i := range h.Steps {
		sent := h.Steps[i].V1
		// All lines of a list are sent at the time of its bookmark.
		for j := i; sent.IsListEnd() && j >= 0 && h.Steps[j].At.Equal(h.Steps[i].At); j-- {
			list[j] = true
		}
	}
	return list
}

// The table of corpus/README.md has the scores of these readers.
func TestCorpusReaders(t *testing.T) {
	var lines int
	var recorded int64
	for _, h := range histories(t) {
		recorded += h.Recorded.New
		for _, s := range h.Steps {
			lines += int(one(s.Say != nil))
		}
	}
	want := "| reader | newest time | order | count | what is new | in all |\n|---|---|---|---|---|---|\n"
	for _, r := range publicReaders {
		var sum score
		for _, h := range histories(t) {
			s := r.score(t, h)
			sum.last, sum.order, sum.count = sum.last+s.last, sum.order+s.order, sum.count+s.count
			sum.adds, sum.added = sum.adds+s.adds, sum.added+s.added
		}
		cell := func(said bool, n, of int64) string {
			if !said {
				return "–"
			}
			return fmt.Sprintf("%d of %d", n, of)
		}
		all := int64(lines)
		want += fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", r.name,
			cell(r.last != nil, int64(sum.last), all), cell(r.order != nil, int64(sum.order), all),
			cell(r.count != nil, int64(sum.count), all), cell(r.adds != nil, int64(sum.adds), all),
			cell(r.adds != nil, sum.added, recorded))
	}
	page, err := os.ReadFile("corpus/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(string(page), "| reader |")
	got, _, _ = strings.Cut("| reader |"+got, "\n\n")
	if diff := gocmp.Diff(want, got+"\n"); diff != "" {
		t.Errorf("corpus/README.md (-want +got):\n%s\nwant:\n%s", diff, want)
	}
}
