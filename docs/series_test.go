// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// crashes are the times at which the container of series.md crashes: every second of a minute, then every five minutes
// until minute 50, and once more after an hour.
func crashes() (times []time.Duration) {
	for second := range 60 {
		times = append(times, time.Duration(second)*time.Second)
	}
	for minute := 5; minute <= 50; minute += 5 {
		times = append(times, time.Duration(minute)*time.Minute)
	}
	return append(times, time.Hour)
}

// crashUntil records the crashes until an hour and twelve minutes have passed.
func crashUntil(recorder events.EventRecorder) {
	began := time.Now()
	for _, at := range crashes() {
		time.Sleep(at - time.Since(began))
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart", "the container crashed")
	}
	time.Sleep(72*time.Minute - time.Since(began))
}

// series.md has each request for the crashes, in this order.
//
// Caught: a doubled count that is written 20 seconds after the last write; a finish interval of eleven minutes.
func TestSeriesShowsEveryWrite(t *testing.T) {
	var rows []string
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		b, recorder := begin(t, s)
		crashUntil(recorder)
		for _, w := range s.answered() {
			occurrences := 0
			for _, at := range crashes() {
				if at <= w.after {
					occurrences++
				}
			}
			rows = append(rows, fmt.Sprintf("| %v | %d | %s | Event %d, x%d |",
				w.after.Round(time.Second), occurrences, w.op, w.event, w.count))
		}
		b.Shutdown()
	})
	_, section, _ := strings.Cut(read(t, "series.md"), "\n## When a series is written\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var shown []string
	for line := range strings.Lines(section) {
		if strings.Contains(line, "| Event ") {
			shown = append(shown, strings.Join(strings.SplitAfter(line, "|")[:5], "")) // without the reason
		}
	}
	if diff := cmp.Diff(rows, shown); diff != "" {
		t.Errorf("the writes on series.md (-written +shown):\n%s", diff)
	}
}

// series.md has the fields of the first Event in both APIs.
//
// Caught: a finish interval of eleven minutes, with which the first Event has the last crash, too.
func TestSeriesShowsTheFields(t *testing.T) {
	var v1, core map[string]any
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset()
		a := adapter.New(t.Context(), client, events.WithLogger(klog.Logger{}))
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		crashUntil(a.Recorder("example.com/crashes"))
		a.Shutdown()
		v1 = firstEvent(t, client.EventsV1().Events("default").List)
		core = firstEvent(t, client.CoreV1().Events("default").List)
	})
	page := read(t, "series.md")
	for _, names := range [][2]string{
		{"note", "message"},
		{"reportingController", "reportingComponent"},
		{"eventTime", "eventTime"},
		{"series.count", "series.count"},
		{"series.lastObservedTime", "series.lastObservedTime"},
		{"deprecatedCount", "count"},
		{"deprecatedFirstTimestamp", "firstTimestamp"},
		{"deprecatedLastTimestamp", "lastTimestamp"},
	} {
		value := valueOf(v1, names[0])
		if other := valueOf(core, names[1]); other != value {
			t.Errorf("%s is %q, and %s is %q", names[0], value, names[1], other)
		}
		if row := fmt.Sprintf("| `%s` | `%s` | %s |\n", names[0], names[1], value); !strings.Contains(page, row) {
			t.Errorf("series.md has not the row %s", row)
		}
	}
}

// firstEvent returns the Event with the earliest time as its JSON has it.
func firstEvent[L any](t *testing.T, list func(context.Context, metav1.ListOptions) (L, error)) map[string]any {
	t.Helper()
	events, err := list(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct{ Items []map[string]any }
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	return slices.MinFunc(decoded.Items, func(a, b map[string]any) int {
		return strings.Compare(valueOf(a, "eventTime"), valueOf(b, "eventTime"))
	})
}

// valueOf returns a field of decoded JSON as text, or an empty text if it is not set.
func valueOf(object map[string]any, path string) string {
	name, rest, nested := strings.Cut(path, ".")
	value := object[name]
	switch {
	case value == nil:
		return "–"
	case nested:
		return valueOf(value.(map[string]any), rest)
	}
	return fmt.Sprint(value)
}
